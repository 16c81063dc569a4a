import { Worker } from 'node:worker_threads';
import type { Alarm } from '../../contract/alarm.ts';
import type { AlarmChange } from '../../db/repositories/alarm.ts';
import type { AskedActivation } from '../../db/repositories/asked-activation.ts';
import type { StoredCheck } from '../../db/repositories/commissioning.ts';
import type { EmergencyStopRow } from '../../db/repositories/emergency-stop.ts';
import type { OutputStateRow } from '../../db/repositories/output-state.ts';
import { workerEntry } from '../../worker-entry.ts';
import type { ControllerStateRow } from '../../db/repositories/controller-state.ts';

/** What the last daemon left. */
export interface ControlState {
  outputs: readonly OutputStateRow[];
  ended_orderly: boolean;
  /** Whether there was a daemon before. */
  has_run: boolean;
  alarms: readonly Alarm[];
  /** null when none holds. */
  emergency_stop: EmergencyStopRow | null;
  /** What programs activated or deactivated, unless the settings agree by now. */
  asked: readonly AskedActivation[];
  /** What controllers stored about themselves. */
  controllers: readonly ControllerStateRow[];
  /** Set when the disk did not answer in time: the stored state of the outputs, once it does. Never rejects. */
  late?: Promise<readonly OutputStateRow[]>;
  /** The file was damaged: this is what could be salvaged. */
  is_salvaged?: boolean;
}

/** Where commissioning checks are kept. Every promise resolves once it is on disk. */
export interface CheckStore {
  /** Latest first. */
  checks(): Promise<readonly StoredCheck[]>;
  saveCheck(stored: StoredCheck): Promise<void>;
  removeChecks(checkIds: readonly string[]): Promise<void>;
}

/** Where the daemon keeps what must outlive it. Every promise resolves once it is on disk. */
export interface ControlStore extends CheckStore {
  load(): Promise<ControlState>;
  save(row: OutputStateRow): Promise<void>;
  /** What a controller must know after a restart. */
  saveController(row: ControllerStateRow): Promise<void>;
  /** Forgets what is kept of an output or another controller. */
  remove(controllerId: string): Promise<void>;
  saveAlarms(change: AlarmChange): Promise<void>;
  /** null: released. */
  saveEmergencyStop(row: EmergencyStopRow | null): Promise<void>;
  /** null: the settings agree by now. */
  saveAsked(controllerId: string, isActive: boolean | null): Promise<void>;
  markRun(endedOrderly: boolean): Promise<void>;
  /** Writes what is waiting and releases the file; may be called twice. */
  close(): Promise<void>;
}

export type ControlTask =
  | { kind: 'load' }
  | { kind: 'save'; rows: readonly OutputStateRow[] }
  | { kind: 'controllers'; rows: readonly ControllerStateRow[] }
  | { kind: 'remove'; controller_id: string }
  | { kind: 'alarms'; change: AlarmChange }
  | { kind: 'emergency_stop'; row: EmergencyStopRow | null }
  | { kind: 'asked'; controller_id: string; is_active: boolean | null }
  | { kind: 'run'; ended_orderly: boolean }
  | { kind: 'checks' }
  | { kind: 'save_check'; stored: StoredCheck }
  | { kind: 'remove_checks'; check_ids: readonly string[] };

export interface ControlAnswer {
  state: ControlState | null;
  checks?: readonly StoredCheck[];
  error: { code: string; message: string } | null;
  /** What was salvaged from a damaged file that was replaced. */
  salvaged: string | null;
}

/** State that was not stored; `code` is SQLite's, `store_stopped` or `closed`. */
export class ControlStoreError extends Error {
  override readonly name = 'ControlStoreError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  task: ControlTask;
  settle: { resolve: (answer: ControlAnswer) => void; reject: (error: Error) => void }[];
}

/**
 * Writes control.db from a worker thread, in order, one transaction at a time. Saves made during a transaction are
 * written together after it, only the latest of each channel.
 */
class SqliteControlStore implements ControlStore {
  readonly #file: string;
  #worker: Worker | undefined;
  #waiting: Waiting[] = [];
  #underWay: Waiting | undefined;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;
  readonly #salvaged: (message: string) => void;

  constructor(file: string, salvaged: (message: string) => void) {
    this.#file = file;
    this.#salvaged = salvaged;
  }

  async load(): Promise<ControlState> {
    const { state } = await this.#ask({ kind: 'load' });
    if (state === null) throw new ControlStoreError('store_stopped', 'the control store gave no state');
    return state;
  }

  async save(row: OutputStateRow): Promise<void> {
    const last = this.#waiting.at(-1);
    if (last?.task.kind !== 'save') {
      await this.#ask({ kind: 'save', rows: [row] });
      return;
    }
    const others = last.task.rows.filter((o) => o.output_id !== row.output_id || o.channel !== row.channel);
    last.task = { kind: 'save', rows: [...others, row] };
    await new Promise<ControlAnswer>((resolve, reject) => last.settle.push({ resolve, reject }));
  }

  async saveController(row: ControllerStateRow): Promise<void> {
    const last = this.#waiting.at(-1);
    if (last?.task.kind !== 'controllers') {
      await this.#ask({ kind: 'controllers', rows: [row] });
      return;
    }
    const others = last.task.rows.filter(({ controller_id }) => controller_id !== row.controller_id);
    last.task = { kind: 'controllers', rows: [...others, row] };
    await new Promise<ControlAnswer>((resolve, reject) => last.settle.push({ resolve, reject }));
  }

  async remove(controllerId: string): Promise<void> {
    await this.#ask({ kind: 'remove', controller_id: controllerId });
  }

  async saveAlarms({ alarms, entries }: AlarmChange): Promise<void> {
    const last = this.#waiting.at(-1);
    if (last?.task.kind !== 'alarms') {
      await this.#ask({ kind: 'alarms', change: { alarms, entries } });
      return;
    }
    const { change } = last.task;
    last.task = {
      kind: 'alarms',
      change: { alarms: [...change.alarms, ...alarms], entries: [...change.entries, ...entries] },
    };
    await new Promise<ControlAnswer>((resolve, reject) => last.settle.push({ resolve, reject }));
  }

  async saveEmergencyStop(row: EmergencyStopRow | null): Promise<void> {
    await this.#ask({ kind: 'emergency_stop', row });
  }

  async saveAsked(controllerId: string, isActive: boolean | null): Promise<void> {
    await this.#ask({ kind: 'asked', controller_id: controllerId, is_active: isActive });
  }

  async markRun(endedOrderly: boolean): Promise<void> {
    await this.#ask({ kind: 'run', ended_orderly: endedOrderly });
  }

  async checks(): Promise<readonly StoredCheck[]> {
    const { checks } = await this.#ask({ kind: 'checks' });
    if (checks === undefined) throw new ControlStoreError('store_stopped', 'the control store gave no checks');
    return checks;
  }

  async saveCheck(stored: StoredCheck): Promise<void> {
    // A copy: it may change before its turn comes.
    await this.#ask({ kind: 'save_check', stored: structuredClone(stored) });
  }

  async removeChecks(checkIds: readonly string[]): Promise<void> {
    await this.#ask({ kind: 'remove_checks', check_ids: checkIds });
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #ask(task: ControlTask): Promise<ControlAnswer> {
    if (this.#closing) return Promise.reject(new ControlStoreError('closed', 'the control store is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, settle: [{ resolve, reject }] });
      this.#next();
    });
  }

  #next(): void {
    if (this.#underWay) return;
    this.#underWay = this.#waiting.shift();
    if (this.#underWay) this.#startedWorker().postMessage(this.#underWay.task);
    else this.#idle?.();
  }

  async #finish(): Promise<void> {
    if (this.#underWay) await new Promise<void>((resolve) => (this.#idle = resolve));
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  #startedWorker(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerEntry('control-store-worker', import.meta.url), { workerData: this.#file });
    worker.on('message', (answer: ControlAnswer) => this.#settle(answer));
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('the control store thread ended')));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: ControlAnswer): void {
    const settled = this.#underWay?.settle ?? [];
    this.#underWay = undefined;
    if (answer.salvaged !== null) this.#salvaged(answer.salvaged);
    for (const { resolve, reject } of settled) {
      if (answer.error) reject(new ControlStoreError(answer.error.code, answer.error.message));
      else resolve(answer);
    }
    this.#next();
  }

  /** The next task starts another thread. */
  #lose(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'store_stopped';
    if (this.#underWay) this.#settle({ state: null, error: { code, message: cause.message }, salvaged: null });
  }
}

/**
 * Opens the store of a control.db, of which it is the only writer. The file is opened with the first task; a damaged
 * one is set aside, and `salvaged` is called with what could be saved from it.
 */
export function openControlStore(file: string, salvaged: (message: string) => void = () => undefined): ControlStore {
  return new SqliteControlStore(file, salvaged);
}
