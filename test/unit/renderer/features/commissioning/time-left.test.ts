import { expect, it } from 'vitest';
import { minutesLeft, retestMinutes } from '../../../../../renderer/features/commissioning/time-left.ts';
import type { ItemResult } from '../../../../../server/contract/commissioning.ts';

const started = Date.parse('2026-03-01T06:00:00.000Z');

function left(results: ItemResult[], elapsed_s: number, status: 'running' | 'awaiting_verdict' = 'running') {
  const sensor = { kind: 'sensor', result: 'ok' } as const;
  const actuators = results.map((result) => ({ kind: 'actuator' as const, result }));
  const phase = elapsed_s < 30 ? 'sensors' : 'actuators';
  const check = { status, phase, started_at: new Date(started).toISOString(), items: [sensor, ...actuators] } as const;
  return minutesLeft(check, started + elapsed_s * 1000);
}

it('is what actuators take as a rule until two are tested', () => {
  expect(left(Array<ItemResult>(8).fill('pending'), 0)).toBe(7); // 30 s and 8 times 45 s
  expect(left(['ok', ...Array<ItemResult>(7).fill('pending')], 400)).toBe(6);
});

it('goes by the pace of the house from then on', () => {
  expect(left(['ok', 'fail', 'running', 'pending', 'pending', 'pending'], 30 + 240)).toBe(8); // 120 s each
  expect(left(['ok', 'ok', 'ok', 'running'], 30 + 60)).toBe(1);
});

it('is nothing where no check runs, or nothing is left to drive', () => {
  expect(left(['ok', 'ok'], 100)).toBeNull();
  expect(left(['pending'], 100, 'awaiting_verdict')).toBeNull();
  expect(left([], 10)).toBeNull();
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
