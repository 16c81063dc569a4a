import { expect, it } from 'vitest';
import { dayOf, midnightsOf } from '../../../../server/domain/rehearsal/days.ts';

const hourMs = 3_600_000;

it.each([
  ['on which clocks go forward', '2026-03-28', [24, 23, 24]],
  ['on which clocks go back', '2026-10-24', [24, 25, 24]],
  ['of winter', '2026-01-30', [24, 24, 24]],
])('days %s last from midnight to midnight', (_name, from, hours) => {
  const midnights_ms = midnightsOf(from, 3, 'Europe/Amsterdam');
  const lengths = hours.map((_, day) => ((midnights_ms[day + 1] ?? NaN) - (midnights_ms[day] ?? NaN)) / hourMs);
  expect(lengths).toEqual(hours);
  for (const [day, atMs] of midnights_ms.entries())
    expect([dayOf(midnights_ms, atMs - 1), dayOf(midnights_ms, atMs)]).toEqual([day - 1, day]);
});

it('a year has no moment without its day', () => {
  const midnights_ms = midnightsOf('2026-01-01', 365, 'America/Santiago'); // clocks change at midnight
  for (const [day, atMs] of midnights_ms.entries())
    expect([dayOf(midnights_ms, atMs - 1), dayOf(midnights_ms, atMs)]).toEqual([day - 1, day]);
});
