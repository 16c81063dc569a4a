import { expect, it } from 'vitest';
import type { ClimateFallback } from '../../../../server/contract/climate-live.ts';
import { climateDefaults } from '../../../../server/contract/climate-settings.ts';
import type { ClimateReadings } from '../../../../server/domain/climate-program/moment.ts';
import { greenhouse, night, periods } from '../../../support/climate-house.ts';
import { looking, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { modelHouse } from '../../../support/climate-run.ts';
import { grower } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

/* What a climate program refuses with its reason when it is saved, and below what it falls back on while it runs. */

it.each([
  [
    'periods that cross',
    { periods: [{ ...periods[1], start: { event: 'clock', at: '07:00' } }, periods[0]] },
    'periods',
  ],
  [
    'a minimum above a maximum',
    { periods: [{ ...periods[1], setpoints: { ...night, vent_min_pct: 50, vent_max_pct: 40 } }] },
    'periods[0].setpoints.vent_min_pct',
  ],
  [
    'ventilation below heating',
    { periods: [{ ...periods[1], setpoints: { heating_c: 20, ventilation_c: 19 } }] },
    'periods[0].setpoints.ventilation_c',
  ],
  [
    'an influence on a missing sensor',
    { influences: [{ on: 'heating_c', source: 'radiation', from_x: 0, to_x: 100, from_y: 0, to_y: 2 }] },
    'influences[0].source',
  ],
  [
    'an influence without width',
    { influences: [{ on: 'heating_c', source: 'humidity', from_x: 1, to_x: 1, from_y: 0, to_y: 2 }] },
    'influences[0].to_x',
  ],
  [
    'a minimum pipe above its maximum',
    { periods: [{ ...periods[1], setpoints: { ...night, pipe_min_c: 60, pipe_max_c: 50 } }] },
    'periods[0].setpoints.pipe_min_c',
  ],
  ['CO2 in full before it begins', { co2: { light_full_w_m2: 50 } }, 'co2.light_full_w_m2'],
  ['a band that is narrow in the cold', { ventilation: { band_warm_k: 20 } }, 'ventilation.band_cold_k'],
  [
    'a clock time without the clock',
    { periods: [{ ...periods[0], start: { event: 'sunrise', at: '07:00' } }] },
    'periods[0].start.at',
  ],
])('refuses %s, with the field', async (_name, body, path) => {
  const { save } = await greenhouse();
  const refused = await refusalOf(save(body));
  expect([refused.code, refused.errors]).toMatchObject(['invalid_field', [{ path }]]);
});

it('refuses CO2 without its sensor, actuators that another drives, and a second program', async () => {
  const { climates, facilities, house, save, outputOf, thermometer, actuator, pids, storedSettings, draw } =
    await greenhouse();
  const { device_id, measurement_id } = thermometer;
  const pid = {
    name: 'Old',
    measurement: { device_id, measurement_id, max_age_s: 60 },
    setpoint: 20,
    kp: 1,
    direction: 'raise',
  };
  const made = await pids?.create(grower, { ...pid, raise: { output_id: outputOf('heater'), kind: 'duration' } });
  expect(await refusalOf(save({}))).toMatchObject({
    code: 'output_driven',
    members: { owner: { kind: 'pid', name: 'Old' } },
  });
  await save({ heating: { is_on: false } }); // the PID may keep its heater
  expect(await refusalOf(save({ heating: { is_on: true } }))).toMatchObject({ code: 'output_driven' });
  await pids?.remove(grower, made?.unique_id ?? '');
  await save({ heating: { is_on: true } });
  const taken = pids?.create(grower, { ...pid, raise: { output_id: outputOf('heater'), kind: 'duration' } });
  expect(await refusalOf(taken ?? Promise.resolve())).toMatchObject({
    code: 'output_driven',
    members: { owner: { kind: 'climate' } },
  });
  const second = storedSettings
    .get('climate')
    ?.create(grower, { facility_uuid: house.unique_id, periods, is_activated: false });
  expect((await refusalOf(second ?? Promise.resolve())).errors).toMatchObject([{ path: 'facility_uuid' }]);
  const other = facilities.save(grower, {
    name: 'Other',
    shape_uuid: draw(),
    envelope: house.envelope,
    sensors: [thermometer],
    actuators: [actuator('co2_supply', 'fogger')],
  }).facility;
  const blind = await refusalOf(climates.save(grower, other.unique_id, { periods }));
  expect(blind.errors).toMatchObject([{ path: 'co2' }]);
});

it.each([
  ['a pump', 'irrigation_pump', { irrigation: { is_on: true, sum_j_cm2: null } }],
  ['a fan', 'exhaust_fan', {}],
  ['a roof vent', 'roof_vent', {}],
] as const)('refuses %s that the program of another house drives, and names that', async (_, role, loops) => {
  const { facilities, climates, house, actuator, thermometer, draw } = await greenhouse();
  const part = role === 'roof_vent' ? 'roof_vent' : 'fan';
  const plain = [{ ...periods[0], name: 'x', start: { event: 'noon' as const }, setpoints: night }];
  const valve = (own: string) => ({ ...actuator('irrigation_valve', own), rating_lph: 500 });
  const make = (name: string, own: string): string =>
    facilities.save(grower, {
      name,
      shape_uuid: draw(),
      envelope: house.envelope,
      sensors: [thermometer],
      actuators: [actuator(role, part), ...(role === 'irrigation_pump' ? [valve(own)] : [])],
    }).facility.unique_id;
  const [first, second] = [make('First', 'fogger'), make('Second', 'co2')];
  await climates.save(grower, first, { periods: plain, ...loops });
  expect(await refusalOf(climates.save(grower, second, { periods: plain, ...loops }))).toMatchObject({
    code: 'output_driven',
    members: { owner: { kind: 'climate', name: 'First' } },
  });
});

it('refuses irrigation of a valve whose flow nobody knows, and by a sensor that is not there', async () => {
  const { facilities, house, climates, actuator, thermometer, draw } = await greenhouse();
  const watered = (rating_lph?: number) =>
    facilities.save(grower, {
      name: `Watered ${rating_lph}`,
      shape_uuid: draw(),
      envelope: house.envelope,
      sensors: [thermometer],
      actuators: [{ ...actuator('irrigation_valve', 'fogger'), ...(rating_lph !== undefined && { rating_lph }) }],
    }).facility.unique_id;
  const save = (id: string, irrigation: object) =>
    refusalOf(
      climates.save(grower, id, {
        periods: [night].map((setpoints) => ({
          ...periods[0],
          name: 'x',
          start: { event: 'noon' as const },
          setpoints,
        })),
        irrigation,
      }),
    );
  const [unknown, known] = [watered(), watered(500)];
  expect((await save(unknown, { is_on: true })).errors).toMatchObject([{ path: 'irrigation.sum_j_cm2' }]);
  expect((await save(unknown, { is_on: true, sum_j_cm2: null })).errors).toMatchObject([{ path: 'irrigation' }]);
  expect((await save(known, { is_on: true, sum_j_cm2: null, drain_target_pct: 20 })).errors).toMatchObject([
    { path: 'irrigation.drain_target_pct' },
  ]);
});

it('refuses a mixing valve without its pipe, its run time, or a drive that can stand between its ends', async () => {
  const { facilities, house, climates, outputOf, thermometer, draw } = await greenhouse();
  const refused = async (
    part: string,
    binding: object,
    sensors: object[] = [{ ...thermometer, role: 'pipe_temp' }],
  ) => {
    const { facility } = facilities.save(grower, {
      name: 'Piped',
      shape_uuid: draw(),
      envelope: house.envelope,
      sensors: sensors as [],
      actuators: [{ role: 'mixing_valve', name: 'Mixing', device_id: outputOf(part), ...binding }],
    });
    const plain = [{ ...periods[0], name: 'x', start: { event: 'noon' as const }, setpoints: night }];
    return (await refusalOf(climates.save(grower, facility.unique_id, { periods: plain }))).errors?.[0];
  };
  const run_time_s = 240;
  const found = [
    await refused('roof_vent', { run_time_s }, []),
    await refused('fan', { run_time_s }),
    await refused('roof_vent', {}),
  ];
  expect(found).toMatchObject([
    { path: 'heating', message: expect.stringContaining('pipe_temp') as string },
    { path: 'heating', message: expect.stringContaining('dimmer for the valve "Mixing"') as string },
    { path: 'heating', message: expect.stringContaining('run time of the valve "Mixing"') as string },
  ]);
});

/*
 * What cannot be refused, for it comes while the program runs: the stated fall-back, by name for its alarm, and what
 * then becomes of the actuators.
 */
const wind = { temp_c: 27, outdoor_c: 20, wind_dir_deg: 90, wind_m_s: 4 };
const dark = { radiation_w_m2: 0 };
it.each<[string, Partial<ClimateReadings>, ClimateFallback | null, Record<string, number | null>]>([
  ['a station that falls silent', { ...wind, wind_m_s: null }, 'station_lost', { roof_vent: 0, side_vent: 0 }],
  ['a rain sensor that falls silent', { ...wind, rain: null }, 'no_rain', { roof_vent: 10, side_vent: 10 }],
  ['a pyrgeometer that falls silent', { ...wind, sky_w_m2: null }, 'no_sky', { roof_vent: 100 }],
  ['a thermometer that falls silent', { temp_c: null, temps_c: [] }, 'no_thermometer', { heater: null, roof_vent: 0 }],
  ['a CO2 sensor that falls silent', { co2_ppm: null }, 'no_co2', { co2: 0 }],
  ['a pyranometer that falls silent', { radiation_w_m2: null }, 'no_radiation', { shade: 0 }],
  ['a hygrometer that falls silent', { humidity_pct: null }, 'no_humidity', { fogger: 0 }],
  ['CO2 with a night without light', dark, null, { co2: 0 }],
  ['CO2 with lamps that are held off', { ...dark, stands_pct: { lighting: 0 } }, null, { co2: 0, lighting: 100 }],
  ['CO2 with a night of lamps', { ...dark, stands_pct: { lighting: 100 } }, null, { co2: 100, lighting: 100 }],
])('%s has a fall-back', (name, readings, fallback, expected) => {
  const house = {
    ...modelHouse,
    sensors: new Set([
      'indoor_co2',
      'indoor_humidity',
      'outdoor_wind',
      'outdoor_wind_dir',
      'outdoor_solar',
      'outdoor_longwave',
      'rain',
    ] as const),
  };
  const { settle } = looking({ lamps: { ...climateDefaults.lamps, is_on: name.includes('lamps') } }, house);
  settle(wind, 10);
  const step = settle(readings, 30);
  if (fallback !== null) expect(step.fallbacks).toContain(fallback);
  expect(Object.fromEntries(Object.keys(expected).map((key) => [key, pctOf(step, key) ?? null]))).toEqual(expected);
});

it.each<[string, object, Partial<ClimateReadings>, ClimateFallback]>([
  ['the CO2 sensor', {}, { co2_ppm: null }, 'no_co2'],
  [
    'the pyranometer of lamps',
    { lamps: { ...climateDefaults.lamps, is_on: true } },
    { radiation_w_m2: null },
    'no_radiation',
  ],
  [
    'the wind gauge of an influence',
    { influences: [{ on: 'heating_c', source: 'wind', from_x: 0, to_x: 10, from_y: 0, to_y: 1 }] },
    { wind_m_s: null },
    'no_influence',
  ],
])('%s is told as missing when a person unbinds it from a house that runs', (_, program, readings, fallback) => {
  const sensors = new Set(['indoor_temp', 'indoor_co2', 'outdoor_solar', 'outdoor_wind'] as const);
  const before = looking(program, { ...modelHouse, sensors });
  expect(before.settle({}, 5).fallbacks).toEqual([]);
  const after = looking(program, { ...modelHouse, sensors: new Set(['indoor_temp'] as const) });
  expect(after.settle(readings, 5).fallbacks).toContain(fallback);
});

it('vents without an anemometer are told, for no storm would shut them', () => {
  const house = { ...modelHouse, sensors: new Set(['indoor_temp'] as const) };
  expect(looking({}, house).settle({ temp_c: 27, wind_m_s: null }, 5).fallbacks).toEqual(['no_station']);
  const ventilation = { ...climateDefaults.ventilation, is_on: false };
  expect(looking({ ventilation }, house).settle({ wind_m_s: null }, 5).fallbacks).toEqual([]);
});

it('an outdoor thermometer that falls silent in a night of frost leaves its limit until the morning, by day none', () => {
  const house = { ...modelHouse, sensors: new Set(['indoor_temp', 'outdoor_wind', 'outdoor_temp'] as const) };
  const { look, settle } = looking({}, house);
  look({ temp_c: 27, outdoor_c: -8 }, 9 * 3600); // from noon into the night
  settle({ temp_c: 27, outdoor_c: -8 }, 5);
  const lost = settle({ temp_c: 30, outdoor_c: null }, 90);
  expect([pctOf(lost, 'roof_vent'), whyOf(lost, 'roof_vent')]).toEqual([
    climateDefaults.limits.frost_vent_most_pct,
    'frost_lost',
  ]);
  look({ temp_c: 30, outdoor_c: null }, 12 * 3600);
  expect(pctOf(settle({ temp_c: 30, outdoor_c: null }, 60), 'roof_vent')).toBe(100);
  const warm = looking({}, house);
  warm.settle({ temp_c: 27, outdoor_c: 20 }, 5);
  expect(pctOf(warm.settle({ temp_c: 30, outdoor_c: null }, 90), 'roof_vent')).toBe(100);
});

it('a wind vane that hours of wind do not turn is stuck: told, and no side is the wind side', () => {
  const { look, settle } = looking();
  expect(settle(wind, 5).fallbacks).toEqual([]);
  const stuck = settle(wind, 6 * 60 + 5);
  expect(stuck.fallbacks).toEqual(['vane_stuck']);
  expect(pctOf(stuck, 'side_vent')).toBe(pctOf(stuck, 'roof_vent'));
  expect(look({ ...wind, wind_dir_deg: 92 }).fallbacks).toEqual([]);
});

it('a wind vane that falls silent for long names no side any more', () => {
  const house = { ...modelHouse, sensors: new Set(['outdoor_wind', 'outdoor_wind_dir'] as const) };
  const { settle } = looking({ ventilation: { ...climateDefaults.ventilation, integral_min: null } }, house);
  const mild = { ...wind, temp_c: 25.5 };
  const sided = settle(mild, 10);
  expect(pctOf(sided, 'side_vent')).toBeLessThan(pctOf(sided, 'roof_vent') ?? 0);
  const brief = settle({ ...mild, wind_dir_deg: null }, 10);
  expect([brief.fallbacks, pctOf(brief, 'side_vent')]).toEqual([['no_vane'], pctOf(sided, 'side_vent')]);
  const long = settle({ ...mild, wind_dir_deg: null }, 20);
  expect(pctOf(long, 'side_vent')).toBe(pctOf(long, 'roof_vent'));
});

it('readings that swing about every limit at once move no vent, heater or screen to and fro', () => {
  const { look } = looking({ limits: { ...climateDefaults.limits, storm_m_s: 8 } });
  const moves: Record<string, number> = {};
  let before: Record<string, number | null> = {};
  const hours = 4;
  for (let minute = 0; minute < hours * 60; minute += 1) {
    const up = minute % 2 === 0;
    const step = look({
      temp_c: up ? 23.6 : 22.4,
      humidity_pct: up ? 90 : 86,
      wind_m_s: up ? 8.2 : 7.8,
      wind_dir_deg: up ? 80 : 100,
      outdoor_c: up ? 0.2 : -0.2,
      radiation_w_m2: up ? 420 : 380,
      rain: up ? 1 : 0,
    });
    const now = Object.fromEntries(step.demands.map(({ key, pct }) => [key, pct]));
    for (const [key, pct] of Object.entries(now)) if (before[key] !== pct) moves[key] = (moves[key] ?? 0) + 1;
    before = now;
  }
  for (const key of ['roof_vent', 'side_vent', 'shade', 'heater', 'fan'])
    expect(moves[key] ?? 0, key).toBeLessThanOrEqual(3 * hours);
});
