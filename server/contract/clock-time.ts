import { z } from 'zod';

/** A time of day at the site. */
export const clockTime = z
  .string()
  .max(5, { abort: true })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day as HH:MM')
  .describe('By the clock of the site, HH:MM');

/** `06:30` for minute 390 of the day. */
export function clockOf(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The minute of the day for `06:30` or `06:30:15`; NaN for anything else. */
export function minuteOf(clock: string): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(clock) ?? [];
  return Number(hours) * 60 + Number(minutes);
}
