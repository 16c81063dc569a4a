import type { Alarm } from '../../contract/alarm.ts';
import { messageOf } from '../../contract/message-of.ts';
import { deviceSays } from '../../contract/device-words.ts';
import type { AlarmChange } from '../../db/repositories/alarm.ts';
import type { StoredCheck } from '../../db/repositories/commissioning.ts';
import type { EmergencyStopRow } from '../../db/repositories/emergency-stop.ts';
import type { OutputStateRow } from '../../db/repositories/output-state.ts';
import type { ConditionListener } from '../../measurement/store.ts';
import { within, type Clock, type Timer } from '../clock.ts';
import type { ControllerStateRow } from '../../db/repositories/controller-state.ts';
import { ControlStoreError, type ControlState, type ControlStore } from './control-store.ts';
import type { LastKnown } from './last-known.ts';
import type { StaleMark } from './stale-mark.ts';

/**
 * How long a start waits for what the last daemon left: being safe comes first. A slow machine needs a second to start
 * a thread.
 */
const loadMs = 3_000;
const retryMs = 2_000;
/** How long a command waits for the mark that control.db lacks it. */
const markMs = 500;
/** Maximum lines of the alarm journal that wait for the disk; beyond it the oldest are dropped. */
const mostEntries = 10_000;

interface KeptStoreOptions {
  clock: Clock;
  store: ControlStore;
  lastKnown: Pick<LastKnown, 'emergency_stop' | 'keep'>;
  mark: Pick<StaleMark, 'value' | 'set'>;
  /** Called when the disk begins to refuse state, and when it has taken everything. */
  tell: ConditionListener;
}

type Write = () => Promise<void>;

/** All that is known is that there was a daemon: outputs go safe. */
const unknownState: ControlState = {
  outputs: [],
  ended_orderly: false,
  has_run: true,
  alarms: [],
  emergency_stop: null,
  asked: [],
  controllers: [],
};

/**
 * A control store that never blocks control: what the disk refuses waits in memory, the latest of each thing, and is
 * written when the disk takes it again. Its promises resolve meanwhile, except those of commissioning, which drives
 * nothing that is not on disk. A mark says meanwhile that the file is behind: a restart must not bring back an override
 * that has since ended, nor forget an emergency stop.
 */
export class KeptControlStore implements ControlStore {
  readonly #options: KeptStoreOptions;
  #left: ControlState | undefined;
  readonly #rows = new Map<string, OutputStateRow>();
  readonly #controllers = new Map<string, ControllerStateRow>();
  readonly #alarms = new Map<string, Alarm>();
  /** What the disk refused, by subject, in the order of the refusals. */
  readonly #waiting = new Map<string, Write>();
  #entries: AlarmChange['entries'][number][] = [];
  #alarmTurn: Promise<void> = Promise.resolve();
  /** The last unfinished write for each subject. */
  readonly #newest = new Map<string, Write>();
  #failure: string | null = null;
  #isStopped = false;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: KeptStoreOptions) {
    this.#options = options;
  }

  /** What is known, at first from the disk; never rejects. */
  async load(): Promise<ControlState> {
    this.#left ??= await this.#read();
    return { ...this.#left, outputs: [...this.#rows.values()], controllers: [...this.#controllers.values()] };
  }

  async save(row: OutputStateRow): Promise<void> {
    const key = keyOf(row);
    this.#rows.set(key, row);
    await this.#keep(`output ${key}`, () => this.#options.store.save(row));
  }

  async saveController(row: ControllerStateRow): Promise<void> {
    this.#controllers.set(row.controller_id, row);
    await this.#keep(`controller ${row.controller_id}`, () => this.#options.store.saveController(row));
  }

  async remove(outputId: string): Promise<void> {
    this.#controllers.delete(outputId);
    this.#waiting.delete(`controller ${outputId}`);
    for (const [key, { output_id }] of this.#rows) {
      if (output_id !== outputId) continue;
      this.#rows.delete(key);
      this.#waiting.delete(`output ${key}`);
    }
    await this.#keep(`remove ${outputId}`, () => this.#options.store.remove(outputId));
  }

  async saveAlarms(change: AlarmChange): Promise<void> {
    for (const alarm of change.alarms) this.#alarms.set(alarm.alarm_id, alarm);
    this.#entries.push(...change.entries);
    await this.#keep('alarms', () => this.#writeAlarms());
  }

  async saveEmergencyStop(row: EmergencyStopRow | null): Promise<void> {
    this.#isStopped = row !== null;
    this.#options.lastKnown.keep({ emergency_stop: row });
    await this.#keep('emergency stop', () => this.#options.store.saveEmergencyStop(row));
  }

  async saveAsked(controllerId: string, isActive: boolean | null): Promise<void> {
    await this.#keep(`asked ${controllerId}`, () => this.#options.store.saveAsked(controllerId, isActive));
  }

  async markRun(endedOrderly: boolean): Promise<void> {
    await this.#keep('run', () => this.#options.store.markRun(endedOrderly));
  }

  /** Empty when they cannot be read. */
  async checks(): Promise<readonly StoredCheck[]> {
    return this.#options.store.checks().catch((error: unknown) => {
      this.#fail(error);
      return [];
    });
  }

  async saveCheck(stored: StoredCheck): Promise<void> {
    const copy = structuredClone(stored);
    await this.#insist(`check ${stored.check.check_id}`, () => this.#options.store.saveCheck(copy));
  }

  async removeChecks(checkIds: readonly string[]): Promise<void> {
    for (const id of checkIds) this.#waiting.delete(`check ${id}`);
    await this.#insist(`remove checks ${checkIds.join()}`, () => this.#options.store.removeChecks(checkIds));
  }

  /** Tries once more to write what waits. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    if (!this.#isClosed && (await this.#writeWaiting())) await this.#options.mark.set('no');
    this.#isClosed = true;
    await this.#options.store.close();
  }

  async #read(): Promise<ControlState> {
    const { clock, store, lastKnown, mark } = this.#options;
    const stale = mark.value;
    let isKnown = true;
    const lost = (error: unknown): ControlState => {
      isKnown = false;
      this.#fail(error);
      return unknownState;
    };
    const loading = store.load().catch(lost);
    const late = (): ControlState => ({
      ...lost(new Error('the disk does not answer')),
      late: loading.then(({ outputs }) =>
        stale === 'no' ? outputs.filter((row) => this.#rows.get(keyOf(row))?.override_value == null) : [],
      ),
    });
    const state = await within(loading, { clock, timeoutMs: loadMs, late });
    for (const row of state.outputs) this.#rows.set(keyOf(row), row);
    for (const row of state.controllers) this.#controllers.set(row.controller_id, row);
    if (stale !== 'no') this.#dropOverrides();
    // A stop that held must not end because the file that says so was lost.
    const isLost = !isKnown || !state.has_run || state.is_salvaged === true;
    const unwritten = stale === 'stopped' ? { since_ms: clock.now(), actor: 'system', reason: null } : null;
    const emergency_stop = state.emergency_stop ?? (isLost ? lastKnown.emergency_stop : null) ?? unwritten;
    this.#isStopped = emergency_stop !== null;
    lastKnown.keep({ emergency_stop });
    return { ...state, emergency_stop };
  }

  /** Overrides on disk may have ended since. They are removed there too before the mark is cleared. */
  #dropOverrides(): void {
    for (const [key, row] of this.#rows) {
      if (row.override_value === null) continue;
      const dropped = { ...row, ...noOverride };
      this.#rows.set(key, dropped);
      this.#wait(`output ${key}`, () => this.#options.store.save(dropped));
    }
    this.#fail(new Error('the last commands before the restart were not written down, so no override came back'));
  }

  /** Writes it now, or when the disk takes it again. Rejects what no disk would take. */
  async #keep(key: string, write: Write): Promise<void> {
    if (this.#failure !== null) {
      this.#wait(key, write);
      return this.#noteBehind();
    }
    this.#newest.set(key, write);
    try {
      await write();
    } catch (error) {
      if (isRefusedForGood(error)) throw error;
      this.#fail(error);
      if (this.#newest.get(key) === write) this.#wait(key, write);
      await this.#noteBehind();
    } finally {
      if (this.#newest.get(key) === write) this.#newest.delete(key);
    }
  }

  /** Like `keep`, but rejects while it is not on disk. */
  async #insist(key: string, write: Write): Promise<void> {
    await this.#keep(key, write);
    if (this.#failure !== null && this.#waiting.get(key) === write) {
      throw new ControlStoreError('not_kept', this.#failure);
    }
  }

  async #noteBehind(): Promise<void> {
    const { clock, mark } = this.#options;
    const noting = mark.set(this.#isStopped ? 'stopped' : 'behind');
    await within(noting, { clock, timeoutMs: markMs, late: () => undefined });
  }

  #wait(key: string, write: Write): void {
    this.#newest.set(key, write);
    this.#waiting.delete(key);
    this.#waiting.set(key, write);
    if (this.#entries.length > mostEntries) this.#entries = this.#entries.slice(-mostEntries);
  }

  #fail(error: unknown): void {
    const reason = messageOf(error);
    const isNew = this.#failure === null;
    this.#failure = reason;
    if (!isNew || this.#isClosed) return;
    const message = deviceSays('states_not_kept', { said: reason });
    this.#options.tell({ code: 'control_not_kept', is_active: true, message });
    this.#arm();
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(retryMs, () => void this.#retry());
  }

  async #retry(): Promise<void> {
    const isWaiting = this.#waiting.size > 0;
    const isDone = isWaiting ? await this.#writeWaiting() : await this.#canRead();
    if (this.#isClosed) return;
    if (!isDone) return this.#arm();
    this.#failure = null;
    await this.#options.mark.set('no'); // until then a restart would bring back no override
    if (this.#isClosed || this.#failure !== null) return;
    const message = `states, overrides and alarms ${isWaiting ? 'are written down again' : 'can be written down again'}`;
    this.#options.tell({ code: 'control_not_kept', is_active: false, message });
  }

  /** When no write waits, a successful read shows that the disk works again. */
  #canRead(): Promise<boolean> {
    const { clock, store } = this.#options;
    const answer = store.load().then(
      () => true,
      () => false,
    );
    return within(answer, { clock, timeoutMs: loadMs, late: () => false });
  }

  /** False while the disk still refuses. */
  async #writeWaiting(): Promise<boolean> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const [key, write] = first;
      try {
        await write();
      } catch (error) {
        if (!isRefusedForGood(error)) return false;
      }
      if (this.#waiting.get(key) === write) this.#waiting.delete(key);
      if (this.#newest.get(key) === write) this.#newest.delete(key);
    }
    return true;
  }

  /** One write after the other: a failed one must not be retried after a later one succeeded. */
  #writeAlarms(): Promise<void> {
    this.#alarmTurn = this.#alarmTurn.catch(() => undefined).then(() => this.#writeWaitingAlarms());
    return this.#alarmTurn;
  }

  /** Writes everything that the disk has not taken yet. What fails keeps waiting. */
  async #writeWaitingAlarms(): Promise<void> {
    const alarms = [...this.#alarms.values()];
    const entries = this.#entries;
    this.#alarms.clear();
    this.#entries = [];
    if (alarms.length === 0 && entries.length === 0) return;
    try {
      await this.#options.store.saveAlarms({ alarms, entries });
    } catch (error) {
      for (const alarm of alarms) if (!this.#alarms.has(alarm.alarm_id)) this.#alarms.set(alarm.alarm_id, alarm);
      this.#entries = [...entries, ...this.#entries];
      throw error;
    }
  }
}

function keyOf({ output_id, channel }: Pick<OutputStateRow, 'output_id' | 'channel'>): string {
  return `${output_id}/${channel}`;
}

const noOverride = {
  override_value: null,
  override_actor: null,
  override_reason: null,
  override_until_ms: null,
  override_ends_ms: null,
} satisfies Partial<OutputStateRow>;

/** The row itself is at fault, not the disk. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof ControlStoreError && error.code.startsWith('SQLITE_CONSTRAINT');
}
