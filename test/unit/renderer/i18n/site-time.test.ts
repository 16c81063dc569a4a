import { expect, it } from 'vitest';
import { dateAfter, dayStartIn, momentIn } from '../../../../renderer/i18n/site-time.ts';

it.each([
  ['Asia/Seoul', '2026-06-01T15:00', '2026-06-01T06:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['Asia/Seoul', '', null],
  ['Asia/Seoul', '2026-06-', null],
])('reads a time of day of the site: %s %s', (zone, written, moment) => {
  expect(momentIn(zone, written)).toBe(moment);
});

it.each([
  ['Asia/Seoul', '2026-06-01T14:59:59Z', 0, '2026-05-31T15:00:00Z'],
  ['Asia/Seoul', '2026-06-01T15:00:00Z', 6, '2026-05-26T15:00:00Z'],
  ['Europe/Berlin', '2026-03-29T12:00:00Z', 1, '2026-03-27T23:00:00Z'],
  ['Europe/Berlin', '2026-03-30T12:00:00Z', 1, '2026-03-28T23:00:00Z'],
])('knows when a day of the site began: %s %s, %d days before', (zone, now, daysAgo, start) => {
  expect(new Date(dayStartIn(zone, Date.parse(now), daysAgo)).toISOString()).toBe(new Date(start).toISOString());
});

it.each([
  ['2026-03-29', 1, '2026-03-30'],
  ['2026-01-01', -1, '2025-12-31'],
  ['2028-02-28', 2, '2028-03-01'],
])('counts dates: %s and %d days', (date, days, after) => {
  expect(dateAfter(date, days)).toBe(after);
});
