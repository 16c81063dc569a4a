import type { Backup, BackupPlanSettings } from '../contract/backup.ts';

type Kept = Pick<BackupPlanSettings, 'keep_days' | 'keep_weeks' | 'keep_months'>;

const dayMs = 24 * 3_600_000;
/** 1970-01-05, a Monday. */
const firstMondayMs = 4 * dayMs;

const periods: { count: keyof Kept; of: (date: string) => string }[] = [
  { count: 'keep_days', of: (date) => date },
  { count: 'keep_weeks', of: (date) => String(Math.floor((Date.parse(date) - firstMondayMs) / (7 * dayMs))) },
  { count: 'keep_months', of: (date) => date.slice(0, 7) },
];

/**
 * The automatic backups that the plan no longer keeps. The latest automatic one of each of the last days, weeks (from
 * Monday) and months that have one stays; so do those not checked yet and those of a newer program. Those made by hand
 * always stay, and never stand for a day: the morning's backup is what undoes what was saved before one by hand.
 * `dateOf` returns the site's date of a moment, as YYYY-MM-DD.
 */
export function surplus(backups: readonly Backup[], plan: Kept, dateOf: (created_at: string) => string): Backup[] {
  const latestFirst = backups
    .filter(({ reason }) => reason === 'schedule')
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const sound = latestFirst.filter(({ check }) => check !== null && check.fault === null);
  const keeping = new Set<Backup>();
  for (const { count, of } of periods) {
    const firstOfEach = new Map<string, Backup>();
    for (const one of sound) {
      const period = of(dateOf(one.created_at));
      if (!firstOfEach.has(period)) firstOfEach.set(period, one);
    }
    for (const one of [...firstOfEach.values()].slice(0, plan[count])) keeping.add(one);
  }
  return latestFirst.filter((one) => isJudged(one) && !keeping.has(one));
}

function isJudged({ check }: Backup): boolean {
  return check !== null && (check.fault === null || check.fault.code === 'damaged');
}
