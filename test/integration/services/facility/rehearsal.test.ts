import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RehearsalRequest } from '../../../../server/contract/climate-rehearsal.ts';
import type { SensorRole } from '../../../../server/contract/facility-binding.ts';
import type { Input } from '../../../../server/contract/input.ts';
import { measurementsMigrations } from '../../../../server/db/migrations/measurements.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import type { Sample } from '../../../../server/measurement/store.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { samplesOf, writeHistory } from '../../../support/history.ts';
import { refusalOf } from '../../../support/refusal.ts';

const periods = [
  { name: 'Day', start: { event: 'sunrise' as const }, setpoints: { heating_c: 19, ventilation_c: 23 } },
  { name: 'Night', start: { event: 'sunset' as const }, setpoints: { heating_c: 16, ventilation_c: 20 } },
];
const cooler = periods.map((one) => ({ ...one, setpoints: { ...one.setpoints, heating_c: 12 } }));
const never = new AbortController().signal;

async function greenhouse(heater: object = { role: 'heater', rating_kw: 120 }, part = 'heater') {
  const all = testDevices();
  const { inputs, outputs } = await all.presets.simulatedGreenhouse(grower, {});
  const outputOf = (part: string) => outputs.find(({ options }) => options['part'] === part)?.unique_id ?? '';
  const { unique_id: indoor = '', channels = [] } = inputs[0] ?? {};
  const temperature = channels.find(({ measurement }) => measurement === 'temperature')?.measurement_id ?? '';
  const house = all.house({
    sensors: [{ role: 'pipe_temp', name: 'Pipe', device_id: indoor, measurement_id: temperature }],
    actuators: [
      { role: 'heater', name: 'Heater', device_id: outputOf(part), ...heater },
      { role: 'roof_vent', name: 'Roof', device_id: outputOf('roof_vent') },
    ],
    design_conditions: { fuel_price: 0.9, fuel_kwh_per_unit: 10 },
  });
  await all.climates.save(grower, house.unique_id, { periods, is_activated: false });
  onTestFinished(() => all.rehearsal.close());
  return { rehearsal: all.rehearsal, id: house.unique_id };
}

it('runs the program and a change beside it through days of winter, with what each costs', async () => {
  const { rehearsal, id } = await greenhouse();
  const { total, run } = rehearsal.begin(id, { changed: { periods: cooler }, from: '2026-01-10', days: 3 });
  expect(total).toBe(6);
  const { programs, assumed, unseen, calibration } = await run(() => undefined, never);
  expect(calibration).toBeNull(); // nothing is stored of this house
  expect([assumed, unseen]).toEqual([['vents'], []]);
  expect(programs.map(({ which }) => which)).toEqual(['present', 'changed']);
  const [present, changed] = programs;
  if (present === undefined || changed === undefined) throw new Error('two were asked for');
  expect(present.days.mean_c).toHaveLength(3);
  for (const mean_c of present.days.mean_c.slice(1)) expect(mean_c).toBeGreaterThan(15.5);
  expect(changed.heat_kwh_m2).toBeLessThan(0.85 * present.heat_kwh_m2);
  expect(present.heat_kwh_m2).toBeCloseTo(
    present.days.heat_kwh_m2.reduce<number>((sum, one) => sum + (one ?? NaN), 0),
    9,
  );
  expect(present.cost_heat).toBeCloseTo((present.heat_kwh_m2 * 0.9) / (10 * 0.9), 9);
  expect([present.cost_co2, present.co2_kg_m2]).toEqual([null, 0]);
  expect(present.moves.map(({ role }) => role)).toEqual(['heater', 'roof_vent']);
}, 60_000);

it('counts the water of the valves and what it costs', async () => {
  const all = testDevices();
  const { outputs, inputs } = await all.presets.simulatedGreenhouse(grower, {});
  const valve = outputs.find(({ options }) => options['part'] === 'fogger')?.unique_id ?? '';
  const { unique_id: indoor = '', channels = [] } = inputs[0] ?? {};
  const thermometer = channels.find(({ measurement }) => measurement === 'temperature')?.measurement_id ?? '';
  const house = all.house({
    sensors: [{ role: 'indoor_temp', name: 'Air', device_id: indoor, measurement_id: thermometer }],
    actuators: [{ role: 'irrigation_valve', name: 'Row 1', device_id: valve, rating_lph: 20_000 }],
    design_conditions: { water_price_m3: 1.5 },
  });
  const irrigation = { is_on: true, sum_j_cm2: null, most_rest_min: null, times: ['08:00', '12:00'], shot_ml_m2: 400 };
  await all.climates.save(grower, house.unique_id, { periods, irrigation, is_activated: false });
  onTestFinished(() => all.rehearsal.close());
  const { run } = all.rehearsal.begin(house.unique_id, { from: '2026-05-10', days: 3 });
  const [found] = (await run(() => undefined, never)).programs;
  expect(found?.water_l_m2).toBeCloseTo(3 * 2 * 0.4, 6);
  expect(found?.cost_water).toBeCloseTo((3 * 2 * 0.4 * 1.5) / 1000, 9);
}, 60_000);

it('runs a program that is as blind as its house: without an outdoor thermometer no heat is fed forward', async () => {
  const all = testDevices();
  const { outputs, inputs } = await all.presets.simulatedGreenhouse(grower, {});
  const heater = outputs.find(({ options }) => options['part'] === 'heater')?.unique_id ?? '';
  const { unique_id: indoor = '', channels = [] } = inputs[0] ?? {};
  const thermometer = channels.find(({ measurement }) => measurement === 'temperature')?.measurement_id ?? '';
  onTestFinished(() => all.rehearsal.close());
  const heat_kwh_m2 = async (...roles: SensorRole[]) => {
    const house = all.house({
      sensors: roles.map((role) => ({ role, name: role, device_id: indoor, measurement_id: thermometer })),
      actuators: [{ role: 'heater', name: 'Heater', device_id: heater, rating_kw: 120 }],
    });
    await all.climates.save(grower, house.unique_id, { periods, is_activated: false });
    const changed = { heating: { has_feed_forward: false } };
    const { run } = all.rehearsal.begin(house.unique_id, { changed, from: '2026-01-10', days: 1 });
    return (await run(() => undefined, never)).programs.map((one) => one.heat_kwh_m2);
  };
  const [blind, blindWithout] = await heat_kwh_m2('indoor_temp');
  expect(blind).toBe(blindWithout);
  const [seeing, seeingWithout] = await heat_kwh_m2('indoor_temp', 'outdoor_temp');
  expect(seeing).not.toBe(seeingWithout);
}, 60_000);

it('counts the heat of the pipes behind a mixing valve as that of a heater', async () => {
  const found = async (role: string) => {
    const { rehearsal, id } = await greenhouse({ role, rating_kw: 120, run_time_s: 240 }, 'roof_vent');
    const { run } = rehearsal.begin(id, { from: '2026-01-10', days: 2 });
    return (await run(() => undefined, never)).programs[0];
  };
  const [heated, piped] = [await found('heater'), await found('mixing_valve')];
  expect(piped?.heat_kwh_m2).toBeGreaterThan(0.8 * (heated?.heat_kwh_m2 ?? Infinity));
  expect(piped?.heat_kwh_m2).toBeLessThan(1.2 * (heated?.heat_kwh_m2 ?? 0));
  for (const mean_c of piped?.days.mean_c ?? []) expect(mean_c).toBeGreaterThan(15);
}, 60_000);

it('knows no more of the heat than the house says, and assumes a size for the model alone', async () => {
  const run = async (heater: object) => {
    const { rehearsal, id } = await greenhouse({ role: 'heater', ...heater });
    return rehearsal.begin(id, { from: '2026-01-10', days: 1 }).run(() => undefined, never);
  };
  const unrated = await run({});
  expect(unrated.assumed).toEqual(['heater', 'vents']);
  const blind = await greenhouse({ role: 'heater' });
  const changed = { heating: { has_feed_forward: false } };
  const { programs } = await blind.rehearsal
    .begin(blind.id, { changed, from: '2026-01-10', days: 1 })
    .run(() => undefined, never);
  // Without a rating there is nothing to feed forward: to ask for none changes nothing.
  expect(programs[1]?.heat_kwh_m2).toBe(programs[0]?.heat_kwh_m2);
}, 60_000);

it('prices heat by the site where the house says nothing, and lamps by the light that the program says', async () => {
  const all = testDevices();
  onTestFinished(() => all.rehearsal.close());
  const { inputs, outputs } = await all.presets.simulatedGreenhouse(grower, {});
  const outputOf = (part: string) => outputs.find(({ options }) => options['part'] === part)?.unique_id ?? '';
  const { unique_id: device_id = '', channels = [] } = inputs[1] ?? {};
  const measurement_id = channels.find(({ measurement }) => measurement === 'radiation')?.measurement_id ?? '';
  const house = all.house({
    sensors: [{ role: 'outdoor_solar', name: 'Sun', device_id, measurement_id }],
    actuators: [
      { role: 'heater', name: 'Heater', device_id: outputOf('heater'), rating_kw: 120 },
      { role: 'lighting', name: 'Lamps', device_id: outputOf('lighting') },
    ],
    design_conditions: { fuel_kwh_per_unit: 8 },
  });
  Object.assign(all.site.design_conditions, { fuel_price: 0.9, fuel_kwh_per_unit: 10, electricity_price: 0.2 });
  const lamps = { is_on: true, lamp_umol_m2_s: 180, sum_mol_m2: null };
  await all.climates.save(grower, house.unique_id, { periods, lamps, is_activated: false });
  const { run } = all.rehearsal.begin(house.unique_id, { from: '2026-01-10', days: 2 });
  const [found] = (await run(() => undefined, never)).programs;
  expect(found?.cost_heat).toBeCloseTo(((found?.heat_kwh_m2 ?? NaN) * 0.9) / (8 * 0.9), 9);
  const burnt_h = ((found?.lamps_kwh_m2 ?? NaN) * 1000) / 60; // the model's lamps give 60 W/m2
  expect(burnt_h).toBeGreaterThan(4);
  expect(found?.cost_lamps).toBeCloseTo((burnt_h * (180 / 2.7) * 0.2) / 1000, 9);
}, 60_000);

it('runs through the days that the house has stored, without one that was not measured whole', async () => {
  const all = testDevices();
  onTestFinished(() => all.rehearsal.close());
  const { inputs, outputs } = await all.presets.simulatedGreenhouse(grower, {});
  const [indoor, station] = inputs;
  if (indoor === undefined || station === undefined) throw new Error('the preset has them');
  const channelOf = (input: Input, name: string) => input.channels.findIndex(({ measurement }) => measurement === name);
  const bound = (role: SensorRole, input: Input, name: string) => ({
    role,
    name: role,
    device_id: input.unique_id,
    measurement_id: input.channels[channelOf(input, name)]?.measurement_id ?? '',
  });
  const heater = outputs.find(({ options }) => options['part'] === 'heater')?.unique_id ?? '';
  const sun = bound('outdoor_solar', station, 'radiation');
  const house = all.house({
    sensors: [bound('indoor_temp', indoor, 'temperature'), bound('outdoor_temp', station, 'temperature'), sun],
    actuators: [{ role: 'heater', name: 'Heater', device_id: heater, rating_kw: 120 }],
    design_conditions: { fuel_price: 0.9, fuel_kwh_per_unit: 10 },
  });
  await all.climates.save(grower, house.unique_id, { periods, is_activated: false });
  const midnight = (date: number) => Date.UTC(2026, 1, date, -9); // in Seoul
  const span = { from_ms: midnight(24), to_ms: midnight(27) };
  // The day in the middle has a silence of three hours; in February it is never that warm.
  const isSilent = ({ time_ms }: Sample) => time_ms >= midnight(25) && time_ms < midnight(25) + 3 * 3_600_000;
  const directory = dirname(all.db.name);
  openDatabase(join(directory, 'measurements.db'), { migrations: measurementsMigrations }).close();
  const samples = [
    ...samplesOf(station, channelOf(station, 'temperature'), span, () => 24),
    ...samplesOf(station, channelOf(station, 'radiation'), span, () => 0).filter((one) => !isSilent(one)),
    ...samplesOf(indoor, channelOf(indoor, 'temperature'), span, () => 21),
  ];
  await writeHistory(directory, samples, []);
  const asked = { changed: { periods: cooler }, from: '2026-02-24', days: 3 };
  const { run, total } = all.rehearsal.begin(house.unique_id, { ...asked, weather: 'stored' });
  const done: number[] = [];
  const found = await run((count) => void done.push(count), never);
  expect([total, found.weather]).toEqual([6, null]);
  expect(found.stored).toEqual({
    left_out: ['2026-02-25'],
    bridged_h: 0,
    measured_c: [21, 21, 21],
    typical: ['humidity_pct', 'wind_m_s', 'wind_dir_deg'].map((what) => ({ what, hours: 48 })),
  });
  expect(found.programs.map(({ days }) => days.mean_c[1])).toEqual([null, null]);
  for (const { days, heat_kwh_m2, cost_heat } of found.programs) {
    expect([days.mean_c[0] ?? 0, days.mean_c[2] ?? 0].every((mean_c) => mean_c > 20)).toBe(true);
    expect([heat_kwh_m2, cost_heat]).toEqual([0, 0]);
  }
  const { run: year } = all.rehearsal.begin(house.unique_id, asked);
  expect((await year(() => undefined, never)).programs[0]?.heat_kwh_m2).toBeGreaterThan(1);

  const refused = (body: Partial<RehearsalRequest>) => () =>
    all.rehearsal.begin(house.unique_id, { ...asked, weather: 'stored', ...body });
  expect(refused({ from: '2026-02-28', days: 2 })).toThrow(expect.objectContaining(faulty('days')) as Error);
  expect(refused({ weather_file: 'a.epw' })).toThrow(expect.objectContaining(faulty('weather_file')) as Error);
  const before = all.rehearsal.begin(house.unique_id, { ...asked, weather: 'stored', from: '2026-02-01' });
  expect(await refusalOf(before.run(() => undefined, never))).toMatchObject(faulty('from'));
  all.facilities.save(grower, { unique_id: house.unique_id, sensors: house.sensors.slice(0, 2) });
  expect(refused({})).toThrow(expect.objectContaining(faulty('weather')) as Error);
}, 60_000);

const faulty = (path: string) => ({
  code: 'invalid_field',
  errors: [expect.objectContaining({ path }) as object],
});

it('ends on demand, and names what cannot be', async () => {
  const { rehearsal, id } = await greenhouse();
  const cancel = new AbortController();
  const year = rehearsal.begin(id, { from: '2026-01-01', days: 365 });
  const ended = year.run((done) => done > 0 && cancel.abort(), cancel.signal);
  await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  const missing = rehearsal.begin(id, { from: '2026-01-01', days: 1, weather_file: 'none.epw' });
  expect(await refusalOf(missing.run(() => undefined, never))).toMatchObject({ code: 'unknown_reference' });
  const wrong = { periods: [{ ...cooler[0], setpoints: { heating_c: 20, ventilation_c: 10 } }] } as never;
  expect(() => rehearsal.begin(id, { changed: wrong, from: '2026-01-01', days: 1 })).toThrow(
    expect.objectContaining({ code: 'invalid_field' }) as Error,
  );
}, 60_000);
