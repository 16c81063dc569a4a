import type { NotificationTarget } from '../../contract/notification-target.ts';

/** Whether it is night for a target, by the site's local time. Hours that end before they begin go past midnight. */
export function isQuiet(
  hours: NotificationTarget['quiet_hours'],
  { nowMs, time_zone }: { nowMs: number; time_zone: string },
): boolean {
  if (hours === null) return false;
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: time_zone } as const;
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en', options).format(nowMs).split(':').map(Number);
  const now_min = hour * 60 + minute;
  const { from_min, to_min } = hours;
  return from_min <= to_min ? now_min >= from_min && now_min < to_min : now_min >= from_min || now_min < to_min;
}
