import { describe, expect, it } from 'vitest';
import type { ActuatorRole, SensorRole } from '../../../../server/contract/facility.ts';
import type { Column, Effect } from '../../../../server/domain/commissioning/effect.ts';
import type { Expected } from '../../../../server/domain/commissioning/expected-effect.ts';
import { isOff, isProven, levelsOf } from '../../../../server/domain/commissioning/level.ts';
import type { Quantity } from '../../../../server/domain/commissioning/quantity.ts';
import type { Series } from '../../../../server/domain/commissioning/series.ts';

function seriesOf(role: SensorRole, quantity: Quantity | null, unit: string): Series {
  const points = [0, 15, 30].map((time_s) => ({ time_s, value: 20 }));
  return { name: role, device_id: role, measurement_id: role, unit, role, quantity, period_s: 15, points };
}

const indoor = seriesOf('indoor_temp', 'temp', 'C');
const outdoor = seriesOf('outdoor_temp', null, 'C');
const gas = seriesOf('indoor_co2', 'co2', 'ppm');
const wind = seriesOf('outdoor_wind', null, 'm/s');

const exchange: Expected = { following: 'exchange', size: 1e-3, isRated: true };
const heat: Expected = { following: 'rate', size: 1e-2, isRated: true };

/** An effect of a share of what is expected, known to so much of it at one standard error. */
function effectOf(role: ActuatorRole, quantity: Quantity, [share, error]: readonly [number, number]): Effect {
  const expected = role === 'heater' ? heat : exchange;
  const driver = { name: role, role, signal: [], expected: { [quantity]: expected } };
  const size = { estimate: share * expected.size, error: error * expected.size };
  return { driver, quantity, expected, size, degrees: 20 };
}

function columnOf(series: Series, gap: number, effects: readonly Effect[]): Column {
  const fitted = { residual: 0.05, slope_per_s: null, degrees: 10, lag_s: 0, count: 23, left: 1 };
  return { ...fitted, series, quantity: series.quantity ?? 'temp', gap, effects };
}

const levels = (columns: readonly Column[], all: readonly Series[] = [indoor, outdoor, gas, wind]) =>
  levelsOf({ columns, drivers: [], strangers: [], latched: new Set(), turnings: [] }, all);

const heater = effectOf('heater', 'temp', [1, 0.05]);

describe('the level of a thermometer', () => {
  it('is proven where exchanges draw it as far as it says', () => {
    const [found] = levels([
      columnOf(indoor, -5, [
        heater,
        effectOf('exhaust_fan', 'temp', [1.1, 0.1]),
        effectOf('side_vent', 'temp', [0.95, 0.1]),
      ]),
    ]);
    expect(found).toMatchObject({ series: indoor, outside: outdoor, isRough: false });
    expect(found && isProven(found)).toBe(true);
    expect(found && isOff(found)).toBe(false);
  });

  // In truth 1 K warmer than outdoors and read as 6 K: exchanges do a sixth of what the reading promises.
  it('is off by as much as exchanges leave of the distance', () => {
    const sixth = [1 / 6, 0.05] as const;
    const [found] = levels([
      columnOf(indoor, -6, [heater, effectOf('exhaust_fan', 'temp', sixth), effectOf('side_vent', 'temp', sixth)]),
    ]);
    expect(found?.offset).toBeCloseTo(5, 1);
    expect(found && isOff(found)).toBe(true);
  });

  it('does not depend on what the house stores, where a heater shows it', () => {
    const half = [0.6, 0.03] as const;
    const columns = (share: number): Column[] => [
      columnOf(indoor, -6, [
        effectOf('heater', 'temp', [0.7 * share, 0.02]),
        effectOf('exhaust_fan', 'temp', [half[0] * share, half[1]]),
        effectOf('side_vent', 'temp', [half[0] * share, half[1]]),
      ]),
    ];
    expect(levels(columns(1))[0]?.offset).toBeCloseTo(levels(columns(1.4))[0]?.offset ?? NaN, 6);
  });

  it('is not refuted by one device that may be weak itself, unless gas shows its flow', () => {
    const weak = columnOf(indoor, -6, [heater, effectOf('exhaust_fan', 'temp', [0.3, 0.03])]);
    expect(levels([weak])[0]).toMatchObject({ isRough: true });
    const flow = columnOf(gas, 300, [effectOf('exhaust_fan', 'co2', [0.95, 0.05])]);
    const found = levels([weak, flow]).find(({ series }) => series === indoor);
    expect(found && isOff(found)).toBe(true);
  });

  it('is not proven of a sensor that nothing plainly moves, near as outdoors may seem', () => {
    const still = columnOf(indoor, -1.5, [effectOf('exhaust_fan', 'temp', [0.05, 0.1])]);
    const flow = columnOf(gas, 300, [effectOf('exhaust_fan', 'co2', [0.95, 0.05])]);
    const found = levels([still, flow]).find(({ series }) => series === indoor);
    expect(Math.abs(found?.offset ?? NaN) + (found?.margin ?? NaN)).toBeLessThan(4);
    expect(found && isProven(found)).toBe(false);
  });

  it('is open where devices contradict each other', () => {
    const [found] = levels([
      columnOf(indoor, -6, [
        heater,
        effectOf('exhaust_fan', 'temp', [1, 0.03]),
        effectOf('side_vent', 'temp', [0.2, 0.03]),
      ]),
    ]);
    expect(found && (isOff(found) || isProven(found))).toBe(false);
  });

  it('is not told by vents in a wind that nobody measures', () => {
    const blown = columnOf(indoor, -6, [heater, effectOf('side_vent', 'temp', [4, 0.1])]);
    expect(levels([blown], [indoor, outdoor, gas])).toEqual([]);
  });
});

it('the level of a gas sensor is held against the air outdoors', () => {
  // Read 1000 and in truth 600 ppm: a fan draws it by 180 of the 580 ppm that it seems to be apart.
  const seen = [180 / 580, 0.02] as const;
  const fan = effectOf('exhaust_fan', 'co2', seen);
  const [found] = levels([columnOf(gas, -580, [fan, effectOf('intake_fan', 'co2', seen)])]);
  expect(found?.outside).toBeNull();
  expect(found?.offset).toBeCloseTo(400, 0);
  expect(found && isOff(found)).toBe(true);
});
