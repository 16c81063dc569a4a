import { parentPort, workerData } from 'node:worker_threads';
import { codeOf } from '../../contract/code-of.ts';
import { messageOf } from '../../contract/message-of.ts';
import { markSalvaged, saysDamaged, setAside, setAsideFiles } from '../../db/damaged-file.ts';
import { controlMigrations } from '../../db/migrations/control.ts';
import { openDatabase, openUnwritable, type Database } from '../../db/open.ts';
import { AlarmRepository } from '../../db/repositories/alarm.ts';
import { askedActivationRows } from '../../db/repositories/asked-activation.ts';
import { CommissioningRepository } from '../../db/repositories/commissioning.ts';
import { emergencyStopRow } from '../../db/repositories/emergency-stop.ts';
import { OutputStateRepository } from '../../db/repositories/output-state.ts';
import { salvageTables } from '../../db/salvage.ts';
import { controllerStateRows } from '../../db/repositories/controller-state.ts';
import type { ControlAnswer, ControlTask } from './control-store.ts';

/** A damaged file is replaced once in a process: a disk that also spoils the next one gets no more. */
let mayReplace = true;
/** What was salvaged from a damaged file since the last answer, and whether there was one in this process. */
let salvaged: string | null = null;
let isSalvaged = false;
let opened: ControlFile | undefined;

const file = String(workerData);
const nothing = { state: null };

type Done = Omit<ControlAnswer, 'error' | 'salvaged'>;

class ControlFile {
  readonly #database: Database;
  readonly #outputs: OutputStateRepository;
  readonly #alarms: AlarmRepository;
  readonly #checks: CommissioningRepository;

  constructor(database: Database) {
    this.#database = database;
    this.#outputs = new OutputStateRepository(database);
    this.#alarms = new AlarmRepository(database);
    this.#checks = new CommissioningRepository(database);
  }

  run(task: ControlTask): Done {
    switch (task.kind) {
      case 'load':
        return {
          state: {
            outputs: this.#outputs.list(),
            ended_orderly: this.#outputs.endedOrderly(),
            has_run: this.#outputs.hasRun(),
            alarms: this.#alarms.list(),
            emergency_stop: emergencyStopRow.get(this.#database),
            asked: askedActivationRows.list(this.#database),
            controllers: controllerStateRows.list(this.#database),
            ...(isSalvaged && { is_salvaged: true }),
          },
        };
      case 'save':
        this.#outputs.save(task.rows);
        return nothing;
      case 'controllers':
        controllerStateRows.save(this.#database, task.rows);
        return nothing;
      case 'remove':
        this.#outputs.remove(task.controller_id);
        controllerStateRows.remove(this.#database, task.controller_id);
        return nothing;
      case 'alarms':
        this.#alarms.save(task.change);
        return nothing;
      case 'emergency_stop':
        emergencyStopRow.save(this.#database, task.row);
        return nothing;
      case 'asked':
        askedActivationRows.save(this.#database, task.controller_id, task.is_active);
        return nothing;
      case 'run':
        this.#outputs.markRun(task.ended_orderly);
        return nothing;
      case 'checks':
        return { state: null, checks: this.#checks.list() };
      case 'save_check':
        this.#checks.save(task.stored);
        return nothing;
      case 'remove_checks':
        this.#checks.remove(task.check_ids);
        return nothing;
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Opens the file and takes over what can be read of one that was set aside. */
function open(): ControlFile {
  const database = openDatabase(file, { migrations: controlMigrations });
  try {
    for (const aside of setAsideFiles(file)) {
      const rows = salvageTables(aside, database).reduce((sum, table) => sum + table.rows, 0);
      new OutputStateRepository(database).markRun(false); // whatever it said of its end
      markSalvaged(aside);
      isSalvaged = true;
      salvaged = `control.db was damaged; ${rows} of its rows were saved, the rest is in ${aside}`;
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return new ControlFile(database);
}

function perform(task: ControlTask): Done {
  try {
    opened ??= open();
    return opened.run(task);
  } catch (error) {
    if (!saysDamaged(error)) return readOnly(task, error);
    if (!mayReplace) throw error;
    mayReplace = false;
    opened?.close();
    opened = undefined;
    setAside(file, new Date());
    opened = open();
    return opened.run(task);
  }
}

/** Answers a read even if the file cannot be opened for writing. */
function readOnly(task: ControlTask, reason: unknown): Done {
  if (opened !== undefined || (task.kind !== 'load' && task.kind !== 'checks')) throw reason;
  const database = openUnwritable(file);
  try {
    return new ControlFile(database).run(task);
  } finally {
    database.close();
  }
}

function answer(task: ControlTask): ControlAnswer {
  salvaged = null;
  try {
    return { ...perform(task), error: null, salvaged };
  } catch (error) {
    const message = messageOf(error);
    const code = codeOf(error) ?? 'write_failed';
    return { state: null, error: { code, message }, salvaged };
  }
}

parentPort?.on('message', (task: ControlTask | 'close') => {
  if (task !== 'close') return parentPort?.postMessage(answer(task));
  opened?.close();
  parentPort?.close();
});
