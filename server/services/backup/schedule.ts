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
  /** Monotonic ms for the pauses between attempts, which setting the clock must not extend. */
  elapsed: () => number;
}

const lookEveryMs = 60_000;
/** After a start the machine is busy; a site that is never on at night makes its backup then. */
const firstLookMs = 10 * 60_000;
/** Pause after a failed attempt. */
const againAfterMs = 60 * 60_000;

/** Makes a daily backup when it is due, or as soon as the machine is on again. */
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

  /** Makes a backup if one is due; a failed one raises an alarm and is retried after an hour. */
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

  /**
   * Time of the latest scheduled backup, epoch ms by the machine's clock; null when this installation has none up to
   * now or the folder cannot be read.
   */
  async #lastMade(): Promise<number | null> {
    const { plans, directory, clock } = this.#options;
    try {
      // A backup dated in the future would postpone the next one until then.
      const of = { installation: installationOf(directory), reason: 'schedule', until_ms: clock() } as const;
      return await lastMade(plans.folder, of);
    } catch {
      return null;
    }
  }
}

/** The condition that the last backup failed or none can be made; none before the first one or when backups are off. */
export function backupConditions({
  plan,
  plan_fault,
  last_result,
}: Pick<BackupPlanService, 'plan' | 'plan_fault' | 'last_result'>): AlarmCondition[] {
  const fault = plan_fault ?? last_result?.fault;
  return fault == null || !plan.is_enabled ? [] : [storeFailed('backup', 'backup_failed', fault.message)];
}

/** The condition that this run of the service should have begun with a restore, and did not. */
export function restoreConditions(lastRestore: BackupResult | null): AlarmCondition[] {
  const fault = lastRestore?.fault;
  return fault == null ? [] : [storeFailed('backup', 'restore_failed', fault.message)];
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
