import { describe, expect, it } from 'vitest';
import { checkTime, retestMinutes } from '../../../../../renderer/features/commissioning/time-left.ts';

const startedMs = Date.parse('2026-03-01T06:00:00.000Z');
const at = (after_s: number): string => new Date(startedMs + 1000 * after_s).toISOString();

describe('the time of a check', () => {
  const running = { status: 'running', started_at: at(0), expected_end_at: at(300), items: [] } as const;

  it.each([
    [0, 5, 0],
    [60, 4, 0.2],
    [241, 1, 0.8],
    [400, 1, 1], // longer than was planned
    [-5, 6, 0], // a clock that is behind
  ])('after %i s has %i min left', (after_s, left_min, share) => {
    const time = checkTime(running, startedMs + 1000 * after_s);
    expect(time).toEqual({ left_min, share: expect.closeTo(share, 1) as number });
  });

  it('of a test again begins with it', () => {
    const retests = [{ at: at(1000) }] as never;
    const again = { ...running, expected_end_at: at(1400), items: [{ retests }] };
    expect(checkTime(again, startedMs + 1_100_000)).toEqual({ left_min: 5, share: 0.25 });
  });

  it('is nothing where none runs, or nothing is planned yet', () => {
    expect(checkTime({ ...running, status: 'completed' }, startedMs)).toBeNull();
    expect(checkTime({ ...running, expected_end_at: undefined }, startedMs)).toBeNull();
  });
});

it.each([
  [[['actuator', 'co2_supply']], 16],
  [[['actuator', 'roof_vent']], 11],
  [[['sensor', 'indoor_temp']], 18],
  [
    [
      ['actuator', 'fogger'],
      ['actuator', 'roof_vent'],
      ['actuator', 'side_vent'],
      ['actuator', 'exhaust_fan'],
    ],
    36,
  ],
] as const)('a test again of %j takes %i minutes', (items, minutes) => {
  expect(retestMinutes(items.map(([kind, role]) => ({ kind, role })))).toBe(minutes);
});
