import { expect, it } from 'vitest';
import type { ActuatorRole, SensorRole } from '../../../../server/contract/facility.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

const night = { heating_c: 16, ventilation_c: 19 };
const periods = [
  { name: 'Day', start: { event: 'sunrise' as const }, setpoints: { heating_c: 19, ventilation_c: 23, co2_ppm: 800 } },
  { name: 'Night', start: { event: 'sunset' as const }, setpoints: night },
];

/** A house with the simulated devices, of which it binds some. */
async function greenhouse() {
  const all = testDevices();
  const { inputs, outputs } = await all.presets.simulatedGreenhouse(grower, {});
  const [indoor, weather] = inputs;
  if (indoor === undefined || weather === undefined) throw new Error('the preset has them');
  const outputOf = (part: string) => outputs.find(({ options }) => options['part'] === part)?.unique_id ?? '';
  const sensor = (role: SensorRole, input: typeof indoor, measurement: string) => ({
    ...{ role, name: role, device_id: input.unique_id },
    measurement_id: input.channels.find((one) => one.measurement === measurement)?.measurement_id ?? '',
  });
  const thermometer = sensor('indoor_temp', indoor, 'temperature');
  const co2Sensor = sensor('indoor_co2', indoor, 'co2');
  const actuator = (role: ActuatorRole, part: string) => ({ role, name: part, device_id: outputOf(part) });
  const house = all.house({
    sensors: [thermometer, co2Sensor],
    actuators: [actuator('heater', 'heater'), actuator('roof_vent', 'roof_vent'), actuator('co2_supply', 'co2')],
  });
  const save = (body: object) => all.climates.save(grower, house.unique_id, { periods, ...body });
  return { ...all, house, save, outputOf, thermometer, actuator, pids: all.storedSettings.get('pid') };
}

it('is made of its periods alone, changed loop by loop, read by its house, and deleted', async () => {
  const { climates, house, save, audited } = await greenhouse();
  const { program, isMade } = await save({ is_activated: true });
  expect(isMade).toBe(true);
  expect(program).toMatchObject({
    name: 'House',
    facility_uuid: house.unique_id,
    heating: { is_on: true, gain_pct_per_k: 25 },
  });
  await save({ heating: { gain_pct_per_k: 10 } });
  const changed = await save({ ventilation: { pause_s: 600 } });
  expect(changed.isMade).toBe(false);
  expect(climates.ofHouse(house.unique_id)).toMatchObject({
    heating: { gain_pct_per_k: 10, integral_min: 60 },
    ventilation: { pause_s: 600, band_warm_k: 4 },
  });
  expect(climates.live(house.unique_id)).toMatchObject({ at: null, loops: [] });
  await climates.clear(grower, house.unique_id);
  expect(audited.map(({ kind }) => kind).filter((kind) => kind.startsWith('climate.'))).toEqual([
    ...['climate.create', 'climate.change', 'climate.change', 'climate.delete'],
  ]);
  expect(() => climates.ofHouse(house.unique_id)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
});

it('shows what a change would make before it is taken, and saves nothing of it', async () => {
  const { climates, house, save } = await greenhouse();
  const warmer = periods.map((one) => ({ ...one, setpoints: { ...one.setpoints, heating_c: 18, ventilation_c: 24 } }));
  const alone = climates.previewChanged(house.unique_id, { periods: warmer });
  expect(new Set(alone.setpoints.heating_c.values)).toEqual(new Set([18]));
  await save({});
  const now = climates.preview(house.unique_id, 24);
  expect([Math.min(...now.setpoints.heating_c.values.map(Number)), now.times.length]).toEqual([16, 289]);
  expect(climates.previewChanged(house.unique_id, { periods: warmer }).setpoints.heating_c.values[0]).toBe(18);
  expect(climates.preview(house.unique_id, 1).setpoints.heating_c.values).not.toContain(18);
});

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
    ...{ name: 'Other', shape_uuid: draw(), envelope: house.envelope, sensors: [thermometer] },
    actuators: [actuator('co2_supply', 'fogger')],
  }).facility;
  const blind = await refusalOf(climates.save(grower, other.unique_id, { periods }));
  expect(blind.errors).toMatchObject([{ path: 'co2' }]);
});
