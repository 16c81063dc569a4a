import { expect, it } from 'vitest';
import { judgeSensor } from '../../../../server/domain/commissioning/sensor-judgement.ts';

/** The check of a thermometer that reads 21.37 C each 10 s, so many times, then once something else if it moves. */
function flatLineOf({ count, moves }: { count: number; moves: boolean }) {
  const points = Array.from({ length: count }, (_, at) => ({ time_s: 10 * at, value: 21.37 }));
  if (moves) points.push({ time_s: 10 * count, value: 21.38 });
  const { checks } = judgeSensor({
    series: {
      name: 'Thermometer',
      device_id: 'a',
      measurement_id: 'b',
      unit: 'C',
      role: 'indoor_temp',
      quantity: null,
      period_s: 10,
      points,
    },
    role: 'indoor_temp',
    plausibility: [],
    balances: [],
    column: null,
    fault: null,
    isLevelProven: false,
    sun_w_m2: null,
    isBright: false,
    awaited: [],
    accused: [],
    weak: [],
  });
  return checks.find(({ code }) => code === 'flat_line');
}

it('a finely resolved sensor may repeat itself for the time of eleven readings, by chance, and no longer', () => {
  expect(flatLineOf({ count: 12, moves: false })).toMatchObject({ passed: false, measured: 110, expected: '<= 100' });
  expect(flatLineOf({ count: 12, moves: true })).toMatchObject({ passed: true, measured: 0, expected: '<= 100' });
});
