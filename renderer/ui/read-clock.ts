import { clockOf } from '../../server/contract/clock-time.ts';

/**
 * The time of day, HH:MM, that somebody typed as `6`, `630`, `6:30`, `6.30` or in full-width digits; null for anything
 * else.
 */
export function readClock(typed: string): string | null {
  const [, hours = '', minutes = '0'] = /^(\d{1,2})(?:[:.h]?(\d\d))?$/.exec(typed.normalize('NFKC').trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null;
  return clockOf(Number(hours) * 60 + Number(minutes));
}
