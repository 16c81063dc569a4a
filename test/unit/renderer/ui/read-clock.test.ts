import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { clockOf } from '../../../../server/contract/clock-time.ts';
import { readClock } from '../../../../renderer/ui/read-clock.ts';

describe('A time of day that somebody types', () => {
  it.each([
    ['6', '06:00'],
    ['17', '17:00'],
    ['630', '06:30'],
    ['0630', '06:30'],
    ['6:30', '06:30'],
    [' 06.30 ', '06:30'],
    ['18h05', '18:05'],
    ['１８：０５', '18:05'],
    ['23:59', '23:59'],
  ])('%s is %s', (typed, clock) => expect(readClock(typed)).toBe(clock));

  it.each(['', ':', '24', '24:00', '6:3', '0660', '6:300', '12345', 'noon', '-1', '6:30 pm'])('%s is none', (typed) =>
    expect(readClock(typed)).toBeNull(),
  );

  it('is the same when it was written out', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 24 * 60 - 1 }), (minute) => {
        expect(readClock(clockOf(minute))).toBe(clockOf(minute));
      }),
    ));
});
