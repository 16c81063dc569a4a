import { describe, expect, it } from 'vitest';
import type { ActuatorBinding } from '../../../../../server/contract/facility-binding.ts';
import { consumptionCsv, consumptionOf, sumOf, telling } from '../../../../../renderer/features/house/consumption.ts';

const id = '11111111-1111-4111-8111-111111111111';
const heater: ActuatorBinding = { role: 'heater', device_id: id, name: 'Boiler' };
const valve: ActuatorBinding = { ...heater, role: 'irrigation_valve', name: '=1+1' };
const meter = { device_id: id, measurement_id: id };

type Energy = NonNullable<Parameters<typeof consumptionOf>[1]['energy']>;
type StateTime = NonNullable<Parameters<typeof consumptionOf>[1]['states']>;

function energyOf(is: Partial<Energy>): Energy {
  const sums = { energy_kwh: 5, cost: null, metered: null, covered_s: 3_600 };
  const days = [{ date: '2026-06-01', ...sums }];
  return { time_zone: 'UTC', method: 'rating', rating_kw: 5, meter: null, ...sums, days, ...is };
}

function statesOf(full_load_s: number, known_s: number): StateTime {
  const times = { on_s: known_s, off_s: 0, unknown_s: 0, unrecorded_s: 0, full_load_s, starts: 1 };
  return { time_zone: 'UTC', ...times, days: [{ date: '2026-06-01', ...times }] };
}

describe('what an actuator took', () => {
  it('is told by a meter or a rating alone', () => {
    const rated = { ...heater, rating_kw: 5 };
    const metered = { ...heater, meter };
    const flow = { ...valve, rating_lph: 100 };
    expect(telling([heater, rated, metered, flow])).toEqual([
      { binding: rated, energy: true, states: false },
      { binding: metered, energy: true, states: false },
      { binding: flow, energy: false, states: true },
    ]);
  });

  it('is water where a valve counts a volume, and fuel where a heater does', () => {
    const counted = energyOf({
      meter: { ...meter, unit: 'm3', kwh_per_unit: 0, restarts: 0 },
      energy_kwh: 0,
      metered: 1.5,
    });
    expect(consumptionOf({ ...valve, meter }, { energy: counted, states: null })).toMatchObject({
      energy_kwh: null,
      water_m3: 1.5,
    });
    const gas = energyOf({
      meter: { ...meter, unit: 'm3', kwh_per_unit: 10, restarts: 0 },
      energy_kwh: 15,
      metered: 1.5,
    });
    expect(consumptionOf({ ...heater, meter }, { energy: gas, states: null })).toMatchObject({
      energy_kwh: 15,
      water_m3: null,
    });
  });

  it('is water by the rating and the time at full flow, and known as long as all that tells it', () => {
    const both = { energy: energyOf({ covered_s: 3_600 }), states: statesOf(1_800, 2_700) };
    expect(consumptionOf({ ...valve, rating_kw: 5, rating_lph: 200 }, both)).toEqual({
      role: 'irrigation_valve',
      name: '=1+1',
      restarts: 0,
      energy_kwh: 5,
      water_m3: 0.1,
      covered_s: 2_700,
      days: [{ date: '2026-06-01', energy_kwh: 5, water_m3: 0.1, covered_s: 2_700 }],
    });
  });

  it('says how often its counter began again', () => {
    const counted = energyOf({ meter: { ...meter, unit: 'kWh', kwh_per_unit: 1, restarts: 2 } });
    expect(consumptionOf({ ...heater, meter }, { energy: counted, states: null }).restarts).toBe(2);
  });

  it('is missing where nobody could tell it', () => {
    expect(consumptionOf({ ...heater, rating_kw: 5 }, { energy: null, states: null })).toEqual({
      role: 'heater',
      name: 'Boiler',
      restarts: 0,
      energy_kwh: null,
      water_m3: null,
      covered_s: 0,
      days: [],
    });
    const unheard = energyOf({ energy_kwh: 0, covered_s: 0 });
    const none = consumptionOf(
      { ...valve, rating_kw: 5, rating_lph: 200 },
      { energy: unheard, states: statesOf(0, 0) },
    );
    expect(none).toMatchObject({ energy_kwh: null, water_m3: null, covered_s: 0 });
    expect(sumOf([null, 2, null, 3])).toBe(5);
    expect(sumOf([null])).toBeNull();
  });

  it('is written by day, and no name runs as a formula', () => {
    const took = consumptionOf({ ...valve, rating_lph: 200 }, { energy: null, states: statesOf(1_800, 2_700) });
    expect(consumptionCsv([took]).split('\r\n')).toEqual([
      '\uFEFFdate,role,name,energy_kwh,water_m3,covered_s',
      "2026-06-01,irrigation_valve,'=1+1,,0.1,2700",
      '',
    ]);
  });
});
