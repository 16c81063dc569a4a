import { parentPort, workerData } from 'node:worker_threads';
import { controlMigrations } from '../db/migrations/control.ts';
import { openDatabase } from '../db/open.ts';
import { AlarmRepository } from '../db/repositories/alarm.ts';
import { CommissioningRepository } from '../db/repositories/commissioning.ts';
import { emergencyStopRow } from '../db/repositories/emergency-stop.ts';
import { OutputStateRepository } from '../db/repositories/output-state.ts';
import type { ControlAnswer, ControlTask } from './control-store.ts';

const database = openDatabase(String(workerData), { migrations: controlMigrations });
const repository = new OutputStateRepository(database);
const alarms = new AlarmRepository(database);
const checks = new CommissioningRepository(database);

const nothing = { state: null };

function run(task: ControlTask): Omit<ControlAnswer, 'error'> {
  switch (task.kind) {
    case 'load':
      return {
        state: {
          outputs: repository.list(),
          ended_orderly: repository.endedOrderly(),
          has_run: repository.hasRun(),
          alarms: alarms.list(),
          emergency_stop: emergencyStopRow.get(database),
        },
      };
    case 'save':
      repository.save(task.rows);
      return nothing;
    case 'remove':
      repository.remove(task.output_id);
      return nothing;
    case 'alarms':
      alarms.save(task.change);
      return nothing;
    case 'emergency_stop':
      emergencyStopRow.save(database, task.row);
      return nothing;
    case 'run':
      repository.markRun(task.ended_orderly);
      return nothing;
    case 'checks':
      return { state: null, checks: checks.list() };
    case 'save_check':
      checks.save(task.stored);
      return nothing;
    case 'remove_checks':
      checks.remove(task.check_ids);
      return nothing;
  }
}

function answer(task: ControlTask): ControlAnswer {
  try {
    return { ...run(task), error: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'write_failed';
    return { state: null, error: { code, message } };
  }
}

parentPort?.on('message', (task: ControlTask | 'close') => {
  if (task !== 'close') return parentPort?.postMessage(answer(task));
  database.close();
  parentPort?.close();
});
