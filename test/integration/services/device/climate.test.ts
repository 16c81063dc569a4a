import { expect, it } from 'vitest';
import type { ActuatorRole, SensorRole } from '../../../../server/contract/facility.ts';
import { AuditRepository } from '../../../../server/db/repositories/audit.ts';
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
    heating: { is_on: true, gain_pct_per_k: 15 },
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
  const now = climates.preview(house.unique_id, { hours: 24 });
  expect([Math.min(...now.setpoints.heating_c.values.map(Number)), now.times.length]).toEqual([16, 289]);
  expect(climates.previewChanged(house.unique_id, { periods: warmer }).setpoints.heating_c.values[0]).toBe(18);
  expect(climates.preview(house.unique_id, { hours: 1 }).setpoints.heating_c.values).not.toContain(18);
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
      ...{ name, shape_uuid: draw(), envelope: house.envelope, sensors: [thermometer] },
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
      ...{ name: `Watered ${rating_lph}`, shape_uuid: draw(), envelope: house.envelope, sensors: [thermometer] },
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
      ...{ name: 'Piped', shape_uuid: draw(), envelope: house.envelope, sensors: sensors as [] },
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

it('tells its changes field by field, and brings back what was before one of them', async () => {
  const { climates, house, save, audited, db } = await greenhouse();
  await save({});
  await save({ heating: { gain_pct_per_k: 10 } });
  await save({ is_activated: false, ventilation: { pause_s: 600 } });
  const records = new AuditRepository(db);
  for (const { kind, target, before, after } of audited)
    records.insert({
      ...{ at: new Date().toISOString(), kind, user_id: null, username: 'kim', key_id: null, address: null },
      ...{ target: target ?? null, before: JSON.stringify(before ?? null), after: JSON.stringify(after ?? null) },
      ...{ previous_hash: Buffer.alloc(32), hash: Buffer.alloc(32) },
    });
  const ofAnother = records.list({ limit: 1 })[0];
  if (ofAnother === undefined) throw new Error('there are records');
  for (let at = 0; at < 1_100; at += 1) {
    const { id: _id, key_name: _key, target_name: _name, ...record } = ofAnother;
    records.insert({ ...record, at: new Date().toISOString(), kind: 'climate.change', target: 'a busier house' });
  }
  const [last, first] = climates.history(house.unique_id);
  expect(first).toMatchObject({
    username: 'kim',
    fields: [{ path: 'heating.gain_pct_per_k', before: 15, after: 10 }],
  });
  expect(last?.fields.map(({ path }) => path)).toEqual(['is_activated', 'ventilation.pause_s']);
  const back = await climates.undo(grower, house.unique_id, first?.id ?? 0);
  expect([back.heating.gain_pct_per_k, back.ventilation.pause_s, back.is_activated]).toEqual([15, 300, false]);
  expect((await refusalOf(climates.undo(grower, house.unique_id, 9999))).code).toBe('not_found');
});

it('holds a setpoint for a while, shown on the preview, and refuses what it cannot hold', async () => {
  const { climates, house, save, clock } = await greenhouse();
  const until = new Date(clock.ms + 2 * 3_600_000).toISOString();
  await save({ overrides: [{ on: 'heating_c', value: 22, until, why: 'visitors' }] });
  const { times, setpoints } = climates.preview(house.unique_id, { hours: 4 });
  const at = (hour: number) =>
    setpoints.heating_c.values[times.findIndex((time) => time > clock.ms + hour * 3_600_000)];
  expect([at(1), at(3)]).toEqual([22, expect.toSatisfy((value: number) => value < 20)]);
  expect((await refusalOf(save({ overrides: [{ on: 'humidity_pct', value: 10, until }] }))).errors).toMatchObject([
    { path: 'overrides[0].value' },
  ]);
  const twice = [1, 2].map((n) => ({ on: 'heating_c' as const, value: 20 + n, until }));
  expect((await refusalOf(save({ overrides: twice }))).errors).toMatchObject([{ path: 'overrides[1].on' }]);
});

it('has presets that it takes as they are, with who says each of their numbers', async () => {
  const { climates, save } = await greenhouse();
  const presets = climates.presets();
  expect(presets.map(({ crop }) => crop)).toEqual(['tomato', 'cucumber', 'strawberry', 'lettuce', 'orchid']);
  for (const { program, sources } of presets) {
    const numbers = numbersOf(program);
    expect(sources.map(({ path }) => path).toSorted()).toEqual(numbers.toSorted());
    const taken = await save(program);
    expect(taken.program).toMatchObject(program);
  }
});

/** The paths of all numbers of a value. */
function numbersOf(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) =>
    numbersOf(one, isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
}

it('refuses a pump that the program of another house drives, with its owner', async () => {
  const { facilities, house, climates, actuator, thermometer, draw } = await greenhouse();
  const plain = [{ ...periods[0], name: 'x', start: { event: 'noon' as const }, setpoints: night }];
  const irrigation = { is_on: true, sum_j_cm2: null };
  const watered = (name: string, part: string) =>
    facilities.save(grower, {
      ...{ name, shape_uuid: draw(), envelope: house.envelope, sensors: [thermometer] },
      actuators: [{ ...actuator('irrigation_valve', part), rating_lph: 500 }, actuator('irrigation_pump', 'lighting')],
    }).facility.unique_id;
  await climates.save(grower, watered('North', 'fogger'), { name: 'North', periods: plain, irrigation });
  const second = climates.save(grower, watered('South', 'co2'), { name: 'South', periods: plain, irrigation });
  expect(await refusalOf(second)).toMatchObject({
    code: 'output_driven',
    members: { owner: { kind: 'climate', name: 'North' } },
  });
});

it('reads a program that an earlier version stored, with what has come since as by default', async () => {
  const { climates, house, save, db } = await greenhouse();
  await save({ heating: { gain_pct_per_k: 10 } });
  db.prepare(
    `UPDATE controllers SET settings = json_remove(settings, '$.heating.dead_band_k') WHERE kind = 'climate'`,
  ).run();
  expect(climates.ofHouse(house.unique_id).heating).toMatchObject({ gain_pct_per_k: 10, dead_band_k: 0.2 });
});
