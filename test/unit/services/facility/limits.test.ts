import { describe, expect, it } from 'vitest';
import type { AlarmLimits } from '../../../../server/contract/alarm-limits.ts';
import type { SensorQuality, SensorRole } from '../../../../server/contract/facility.ts';
import { AlertOnsets } from '../../../../server/services/facility/alert-onsets.ts';
import { limitAlerts } from '../../../../server/services/facility/limits.ts';
import type { Sensed } from '../../../../server/services/facility/readings.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';

const limits = defaultSettings('UTC').alarm_limits;
const indoor = { temp_c: 20, humidity_pct: 60, co2_ppm: 600, vpd_kpa: null, dew_point_c: null };
const outdoor = { temp_c: 5, humidity_pct: 60, wind_m_s: 2, wind_dir_deg: 0, radiation_w_m2: 100, rain: 0 };

interface Case {
  indoor?: Partial<typeof indoor>;
  outdoor?: Partial<typeof outdoor>;
  limits?: Partial<AlarmLimits>;
  sensors?: Sensed[];
  isRaised?: boolean;
}

function found(facts: Case) {
  return limitAlerts({
    indoor: { ...indoor, ...facts.indoor },
    outdoor: { ...outdoor, ...facts.outdoor },
    limits: { ...limits, ...facts.limits },
    sensors: facts.sensors ?? [],
    isRaised: () => facts.isRaised ?? false,
  });
}

function sensor(role: SensorRole, value: number, quality: SensorQuality = 'good'): Sensed {
  const ids = { device_id: 'd', measurement_id: 'm', name: role };
  return {
    reading: { role, ...ids, value, unit: 'C', time: null, age_s: null, quality },
    input: undefined,
    staleAtMs: null,
  };
}

describe('limitAlerts', () => {
  // The limit, what is just beyond it, what holds it, and what ends it.
  const air = (temp_c: number): Case => ({ indoor: { temp_c }, limits: { frost_c: null, over_temperature_c: null } });
  const extreme = (temp_c: number): Case => ({
    indoor: { temp_c },
    limits: { indoor_temp_low_c: null, indoor_temp_high_c: null },
  });
  const humid = (humidity_pct: number): Case => ({ indoor: { humidity_pct } });
  const co2 = (co2_ppm: number): Case => ({ indoor: { co2_ppm }, limits: { indoor_co2_low_ppm: 300 } });
  const wind = (wind_m_s: number): Case => ({ outdoor: { wind_m_s } });
  const apart = (role: SensorRole, by: number): Case => ({ sensors: [sensor(role, 20), sensor(role, 20 + by)] });
  it.each<[string, (value: number) => Case, [beyond: number, held: number, over: number]]>([
    ['cold air, 0.5 K', air, [7.9, 8.4, 8.6]],
    ['warm air, 0.5 K', air, [35.1, 34.6, 34.4]],
    ['frost, as the gate 1 K', extreme, [1.9, 2.9, 3.1]],
    ['heat, as the gate 1 K', extreme, [42.1, 41.1, 40.9]],
    ['dry air, 2 %', humid, [29, 31.9, 32.1]],
    ['wet air, 2 %', humid, [95.1, 93.1, 92.9]],
    ['little CO2, 50 ppm', co2, [299, 349, 351]],
    ['much CO2, 50 ppm', co2, [2001, 1951, 1949]],
    ['wind, as the gate a tenth of the limit', wind, [10.9, 9.8, 9.7]],
    ['thermometers apart, 0.5 K', (by) => apart('indoor_temp', by), [3.1, 2.6, 2.4]],
    ['hygrometers apart, 2 %', (by) => apart('indoor_humidity', by), [15.1, 13.1, 12.9]],
  ])('holds an alert until its reading is back: %s', (_, facts, [beyond, held, over]) => {
    const count = (value: number, isRaised: boolean) => found({ ...facts(value), isRaised }).length;
    expect([count(beyond, false), count(held, false), count(held, true), count(over, true)]).toEqual([1, 0, 1, 0]);
  });

  it('holds an alert by the dead band of its own side alone, and says that the reading is back', () => {
    const facts = (humidity_pct: number) => ({
      indoor: { ...indoor, humidity_pct },
      outdoor,
      limits,
      sensors: [],
      isRaised: ({ name }: { name?: string | undefined }) => name === 'above',
    });
    expect(limitAlerts(facts(94))[0]?.message).toBe('The humidity inside is at 94 %, only just below 95 %');
    expect(limitAlerts(facts(31))).toEqual([]);
  });

  it('lets sensors agree again however little they may differ', () => {
    const spread = { ...apart('indoor_temp', 0.1), limits: { disagree_temp_k: 0.3 }, isRaised: true };
    expect(found(spread)).toEqual([]);
  });

  it('finds nothing in a house that is well', () => expect(found({})).toEqual([]));

  it.each<[string, Case, string[]]>([
    ['the air just on its limit', { indoor: { temp_c: 8 } }, []],
    ['air below the band', { indoor: { temp_c: 7.9 } }, ['out_of_band warning indoor_temp 7.9 8']],
    ['frost, and not the band as well', { indoor: { temp_c: 1.96 } }, ['frost emergency indoor_temp 2 2']],
    ['air above the band', { indoor: { temp_c: 36 } }, ['out_of_band warning indoor_temp 36 35']],
    ['heat', { indoor: { temp_c: 43 } }, ['over_temperature emergency indoor_temp 43 42']],
    ['dry air', { indoor: { humidity_pct: 20 } }, ['out_of_band warning indoor_humidity 20 30']],
    ['wet air', { indoor: { humidity_pct: 99 } }, ['out_of_band warning indoor_humidity 99 95']],
    [
      'CO2 that is used up',
      { indoor: { co2_ppm: 150 }, limits: { indoor_co2_low_ppm: 200 } },
      ['out_of_band warning indoor_co2 150 200'],
    ],
    ['too much CO2', { indoor: { co2_ppm: 2500 } }, ['out_of_band warning indoor_co2 2500 2000']],
    ['wind', { outdoor: { wind_m_s: 11 } }, ['wind warning outdoor_wind 11 10.8']],
    ['rain', { outdoor: { rain: 0.4 } }, ['rain info rain 0.4 0']],
    ['a limit that nobody watches', { indoor: { temp_c: 1 }, limits: { frost_c: null, indoor_temp_low_c: null } }, []],
    [
      'a band that is left without frost being watched',
      { indoor: { temp_c: 1 }, limits: { frost_c: null } },
      ['out_of_band warning indoor_temp 1 8'],
    ],
    [
      'thermometers apart',
      { sensors: [sensor('indoor_temp', 20), sensor('indoor_temp', 23.5)] },
      ['sensor_disagree warning indoor_temp 3.5 3'],
    ],
    [
      'thermometers of which one is bad',
      { sensors: [sensor('indoor_temp', 20), sensor('indoor_temp', 60, 'bad')] },
      [],
    ],
    [
      'hygrometers apart',
      { sensors: [sensor('indoor_humidity', 50), sensor('indoor_humidity', 70)] },
      ['sensor_disagree warning indoor_humidity 20 15'],
    ],
  ])('%s', (_, facts, expected) => {
    const told = found(facts).map(({ code, severity, role, value, limit }) =>
      [code, severity, role, value, limit].join(' '),
    );
    expect(told).toEqual(expected);
  });

  it('says the value, the limit and their unit', () => {
    expect(found({ indoor: { temp_c: 1 } })[0]?.message).toBe('The air inside is at 1 C, below 2 C');
  });
});

describe('AlertOnsets', () => {
  it('keeps since when an alert is there, until it ends', () => {
    const onsets = new AlertOnsets();
    const frost = found({ indoor: { temp_c: 1 } });
    const seen = (alerts: typeof frost, at: number) =>
      onsets.since('house', alerts, at).map(({ since }) => Date.parse(since));
    expect(seen(frost, 1000)).toEqual([1000]);
    expect(seen(frost, 5000)).toEqual([1000]);
    expect(onsets.since('other', frost, 5000)[0]?.since).toBe('1970-01-01T00:00:05.000Z');
    expect(seen([], 6000)).toEqual([]);
    expect(seen(frost, 7000)).toEqual([7000]);
  });
});
