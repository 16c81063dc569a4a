import { describe, expect, it } from 'vitest';
import type { SensorRole } from '../../../../server/contract/facility.ts';
import { indoorClimate, outdoorClimate } from '../../../../server/services/facility/climate.ts';

const reading = (role: SensorRole, value: number, weight = 1) => ({ role, value, weight, unit: null });

describe('the sun outdoors', () => {
  const sun = (value: number, unit: string | null) => ({ role: 'outdoor_solar' as const, value, weight: 1, unit });

  it.each([
    ['W/m2', 500, 500],
    ['umol/m2/s', 1028.25, 500],
    ['lx', 54 * 1028.25, 500],
  ])('in %s is told in W/m2', (unit, value, radiation_w_m2) => {
    expect(outdoorClimate([sun(value, unit)]).radiation_w_m2).toBeCloseTo(radiation_w_m2, 6);
  });

  it('is a mean of sensors in different units, and nothing of a unit that is none of light', () => {
    expect(outdoorClimate([sun(400, 'W/m2'), sun(2.0565 * 600, 'umol/m2/s')]).radiation_w_m2).toBeCloseTo(500, 6);
    expect(outdoorClimate([sun(400, 'V')]).radiation_w_m2).toBeNull();
  });
});

describe('indoorClimate', () => {
  it('is null where nothing is measured', () => {
    expect(indoorClimate([])).toEqual({
      temp_c: null,
      humidity_pct: null,
      co2_ppm: null,
      vpd_kpa: null,
      dew_point_c: null,
    });
  });

  it('weighs the sensors of a role', () => {
    const climate = indoorClimate([
      reading('indoor_temp', 20, 3),
      reading('indoor_temp', 24),
      reading('outdoor_temp', 0),
    ]);
    expect(climate.temp_c).toBe(21);
  });

  it('gives deficit and dew point of ASHRAE at 25 C and 60 %', () => {
    const climate = indoorClimate([reading('indoor_temp', 25), reading('indoor_humidity', 60)]);
    expect(climate.vpd_kpa).toBeCloseTo(1.2677, 3);
    expect(climate.dew_point_c).toBeCloseTo(16.701, 2);
  });

  it('has no deficit without a humidity', () => {
    expect(indoorClimate([reading('indoor_temp', 25)]).vpd_kpa).toBeNull();
  });
});

describe('outdoorClimate', () => {
  it('averages directions as vectors', () => {
    const climate = outdoorClimate([reading('outdoor_wind_dir', 350), reading('outdoor_wind_dir', 20)]);
    expect(climate.wind_dir_deg).toBeCloseTo(5, 6);
  });

  it('has no direction where they cancel', () => {
    const climate = outdoorClimate([reading('outdoor_wind_dir', 0), reading('outdoor_wind_dir', 180)]);
    expect(climate.wind_dir_deg).toBeNull();
  });
});
