import type { Now } from '../../auth/now.ts';
import { systemActor } from '../../auth/system-actor.ts';
import { installationOf, lastMade } from '../../backup/folder.ts';
import type { AlarmCondition } from '../../contract/alarm.ts';
import type { BackupResult } from '../../contract/backup.ts';
import { isRefusal } from '../../contract/errors.ts';
import type { Settings } from '../../contract/setting.ts';
import { nextDue } from '../../domain/control/triggers/schedule.ts';
import { storeFailed } from '../alarm/reported-conditions.ts';
import { periodically } from '../record/periodic.ts';
import type { BackupService } from './backup.ts';
import type { BackupPlanService } from './plan.ts';

interface ScheduleOptions {
  /** The data directory. */
  directory: string;
  plans: BackupPlanService;
  backups: Pick<BackupService, 'makeDue'>;
  settings: () => Pick<Settings, 'time_zone' | 'lat' | 'lng'>;
  clock: Now;
  /** Monotonic ms, by which tries are spaced: a clock that is set must not put them off. */
  elapsed: () => number;
}

const lookEveryMs = 60_000;
/** After a start the machine has other things to do; a site that is never on at night has its backup then. */
const firstLookMs = 10 * 60_000;
/** Between tries of one that failed. */
const againAfterMs = 60 * 60_000;

/** Makes a backup every day when it is due, or as soon as the machine is on again. */
export class BackupSchedule {
  readonly #options: ScheduleOptions;
  #triedMs = -Infinity;
  #end: (() => void) | undefined;
  #first: NodeJS.Timeout | undefined;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  start(onFault: (error: unknown) => void): void {
    this.#first = setTimeout(() => {
      this.#end = periodically(() => this.look(), { everyMs: lookEveryMs, onFault });
    }, firstLookMs).unref();
  }

  stop(): void {
    clearTimeout(this.#first);
    this.#end?.();
  }

  /** Makes a backup where one is due; one that fails is an alarm and is tried again after an hour. */
  async look(): Promise<void> {
    const { backups, elapsed } = this.#options;
    if (elapsed() - this.#triedMs < againAfterMs || !(await this.isDue())) return;
    this.#triedMs = elapsed();
    try {
      await backups.makeDue(systemActor);
    } catch (error) {
      if (!isRefusal(error)) throw error; // a refusal is kept as the last result
    }
  }

  async isDue(): Promise<boolean> {
    const { plans, settings, clock } = this.#options;
    const { is_enabled, at_min } = plans.plan;
    if (!is_enabled) return false;
    const last = await this.#lastMade();
    if (last === null) return true;
    const at = `${twoDigits(Math.floor(at_min / 60))}:${twoDigits(at_min % 60)}`;
    const { time_zone, lat, lng } = settings();
    const due = nextDue({ kind: 'time_point', at }, last, { time_zone, lat, lng });
    return due !== null && due <= clock();
  }

  /** By the clock of the machine, epoch ms; null where there is none of this installation until now or the folder cannot be read. */
  async #lastMade(): Promise<number | null> {
    const { plans, directory, clock } = this.#options;
    try {
      // One of a clock that was ahead would put off the next until then.
      const of = { installation: installationOf(directory), reason: 'schedule', until_ms: clock() } as const;
      return await lastMade(plans.folder, of);
    } catch {
      return null;
    }
  }
}

/** That the last backup failed or none can be made; nothing where there was none yet or backups are turned off. */
export function backupConditions({
  plan,
  plan_fault,
  last_result,
}: Pick<BackupPlanService, 'plan' | 'plan_fault' | 'last_result'>): AlarmCondition[] {
  const fault = plan_fault ?? last_result?.fault;
  return fault == null || !plan.is_enabled ? [] : [storeFailed('backup', 'backup_failed', fault.message)];
}

/** That this run of the service was to begin with a restore, and did not. */
export function restoreConditions(lastRestore: BackupResult | null): AlarmCondition[] {
  const fault = lastRestore?.fault;
  return fault == null ? [] : [storeFailed('backup', 'restore_failed', fault.message)];
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
