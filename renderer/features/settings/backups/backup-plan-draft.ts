import type { BackupPlan, BackupPlanPatch } from '../../../../server/contract/backup.ts';
import { clockOf, minuteOf } from '../../../../server/contract/clock-time.ts';

/** The plan as form values; texts are empty when unset. */
export interface PlanDraft {
  is_enabled: boolean;
  /** HH:MM */
  at: string;
  folder: string;
  measurement_days: string | number;
  keep_days: number;
  keep_weeks: number;
  keep_months: number;
}

export function planDraftOf({
  at_min,
  folder,
  measurement_days,
  passphrase: _secret,
  ...plain
}: BackupPlan): PlanDraft {
  return { ...plain, at: clockOf(at_min), folder: folder ?? '', measurement_days: measurement_days ?? '' };
}

/** The plan as entered, without its passphrase. */
export function enteredPlan({ at, folder, measurement_days, ...plain }: PlanDraft) {
  return {
    ...plain,
    at_min: minuteOf(at),
    folder: folder.trim() === '' ? null : folder.trim(),
    measurement_days: measurement_days === '' ? null : Number(measurement_days),
  };
}

/** The differences from the stored plan. */
export function changedPlan(plan: BackupPlan, draft: PlanDraft): BackupPlanPatch {
  const entered = enteredPlan(draft);
  const changed = Object.entries(entered).filter(([key, value]) => plan[key as keyof typeof entered] !== value);
  return Object.fromEntries(changed); // each under its name in the plan
}
