import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FacilitySave } from '../../../../server/contract/facility.ts';
import { envelope, grower, testDevices, type TestDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

async function refused(call: () => unknown): Promise<[string, string | undefined]> {
  const refusal = await refusalOf(call);
  return [refusal.code, refusal.errors?.[0]?.path];
}

const point = { type: 'Point', coordinates: [127, 37] };

describe('making a facility', () => {
  it('fills in what was left open and knows its map', () => {
    const { facilities, draw, mapId, audited } = testDevices();
    const shape_uuid = draw();
    const { facility, created } = facilities.save(grower, { name: ' House ', shape_uuid, envelope });
    expect(created).toBe(true);
    expect(facility).toMatchObject({
      name: 'House',
      shape_uuid,
      geo_id: mapId,
      preset: 'greenhouse',
      structure: 'single',
      bay_count: 1,
      envelope,
      sensors: [],
      actuators: [],
      openings: [],
      curtains: [],
      fans: [],
      notes: '',
      revision: 1,
    });
    expect(facilities.get(facility.unique_id)).toEqual(facility);
    expect(facilities.list({})).toEqual([facility]);
    expect(audited).toMatchObject([{ kind: 'facility.create', target: facility.unique_id, after: facility }]);
  });

  it('takes several bays as connected', () => {
    expect(testDevices().house({ bay_count: 3 }).structure).toBe('connected');
  });

  it('keeps an id that is new, in lower case', () => {
    const unique_id = randomUUID();
    expect(testDevices().house({ unique_id: unique_id }).unique_id).toBe(unique_id);
  });

  it.each<[string, (all: TestDevices) => FacilitySave, string, string | undefined]>([
    ['no name', ({ draw }) => ({ shape_uuid: draw(), envelope }), 'invalid_field', 'name'],
    ['no shape', () => ({ name: 'H', envelope }), 'invalid_field', 'shape_uuid'],
    ['no envelope', ({ draw }) => ({ name: 'H', shape_uuid: draw() }), 'invalid_field', 'envelope'],
    [
      'half an envelope',
      ({ draw }) => ({ name: 'H', shape_uuid: draw(), envelope: { ...envelope, length_m: undefined } }),
      'invalid_field',
      'envelope.length_m',
    ],
    ['an unknown shape', () => ({ name: 'H', shape_uuid: randomUUID(), envelope }), 'unknown_reference', 'shape_uuid'],
    [
      'a shape of another type',
      ({ draw }) => ({ name: 'H', shape_uuid: draw({ type: 'label' }), envelope }),
      'invalid_shape',
      'shape_uuid',
    ],
    [
      'a shape that is no area',
      ({ draw }) => ({ name: 'H', shape_uuid: draw({ geometry: point }), envelope }),
      'invalid_shape',
      'shape_uuid',
    ],
    [
      'a read-only field',
      ({ draw }) => ({ name: 'H', shape_uuid: draw(), envelope, revision: 1 }),
      'read_only_field',
      'revision',
    ],
    [
      'an unknown covering',
      ({ draw }) => ({ name: 'H', shape_uuid: draw(), envelope: { ...envelope, material: 'paper' } }),
      'unknown_material',
      'envelope.material',
    ],
  ])('with %s is refused and stores nothing', async (_, save, code, path) => {
    const all = testDevices();
    const sent = save(all);
    expect(await refused(() => all.facilities.save(grower, sent))).toEqual([code, path]);
    expect([all.facilities.list({}), all.audited]).toEqual([[], []]);
  });

  it('lists the coverings that there are', async () => {
    const { house } = testDevices();
    const refusal = await refusalOf(() => house({ envelope: { ...envelope, inner_material: 'paper' } }));
    expect(refusal.errors?.[0]?.path).toBe('envelope.inner_material');
    expect(refusal.members['materials']).toContain('vinyl_double');
  });

  it('is refused for what was sent before it is for what is there', async () => {
    const { facilities, house } = testDevices();
    const first = house();
    const wrong = { envelope: { ...envelope, material: 'paper' } };
    const other = house();
    const saves: FacilitySave[] = [
      { name: 'Second', shape_uuid: first.shape_uuid, ...wrong },
      { unique_id: other.unique_id, shape_uuid: first.shape_uuid, ...wrong },
      { unique_id: other.unique_id, revision: 7, ...wrong },
    ];
    for (const save of saves)
      expect((await refusalOf(() => facilities.save(grower, save))).code).toBe('unknown_material');
    facilities.remove(grower, other.unique_id);
    const trashed = { unique_id: other.unique_id, ...wrong };
    expect((await refusalOf(() => facilities.save(grower, trashed))).code).toBe('unknown_material');
  });

  it('binds a sensor to a role of its own quantity alone', async () => {
    const { house, inputs, facilities } = testDevices();
    const { unique_id: device_id, channels } = await inputs.create(grower, {
      name: 'Climate',
      driver: 'simulated',
      options: { part: 'indoor', house: randomUUID() },
    });
    const humidity = channels.find(({ measurement }) => measurement === 'humidity')?.measurement_id ?? '';
    const bind = (role: 'indoor_temp' | 'indoor_humidity' | 'outdoor_humidity') => () =>
      house({ sensors: [{ role, device_id, measurement_id: humidity, name: 'H' }] });
    const refusal = await refusalOf(bind('indoor_temp'));
    expect([refusal.code, refusal.message]).toEqual([
      'invalid_field',
      'sensors[0].measurement_id is humidity: indoor_temp takes temperature',
    ]);
    expect(facilities.list({})).toEqual([]);
    expect(bind('outdoor_humidity')().sensors).toHaveLength(1);
  });

  it('lists those of a map that there is', async () => {
    const { facilities, house, mapId, db } = testDevices();
    const first = house();
    expect(facilities.list({ geo_id: mapId })).toEqual([first]);
    expect((await refusalOf(() => facilities.list({ geo_id: randomUUID() }))).code).toBe('not_found');
    facilities.remove(grower, first.unique_id);
    db.exec("UPDATE designs SET deleted_at = '2026-03-01T00:00:00.000Z'");
    expect((await refusalOf(() => facilities.list({ geo_id: mapId }))).code).toBe('not_found');
    expect(facilities.list({ geo_id: mapId, trash: true })).toEqual([first]);
  });

  it('refuses a second one on a shape, naming the first', async () => {
    const { house } = testDevices();
    const first = house();
    const refusal = await refusalOf(() => house({ shape_uuid: first.shape_uuid }));
    expect([refusal.code, refusal.members['facility_uuid']]).toEqual(['shape_has_facility', first.unique_id]);
  });
});

describe('changing a facility', () => {
  it('changes what is named, merges objects, clears by null and counts a revision', () => {
    const { facilities, house, clock, audited } = testDevices();
    const before = house({
      design_conditions: { wind_factor: 1.1, heating_indoor_c: 18 },
      envelope: { ...envelope, roof_type: 'arch' },
    });
    clock.ms += 1000;
    const { facility, created } = facilities.save(grower, {
      unique_id: before.unique_id,
      envelope: { length_m: 60, roof_type: null },
      design_conditions: { wind_factor: null },
      view_3d: { orientation_deg: 0 },
      notes: 'new film',
    });
    expect(created).toBe(false);
    expect(facility).toEqual({
      ...before,
      envelope: { ...envelope, length_m: 60 },
      design_conditions: { heating_indoor_c: 18 },
      view_3d: { ...before.view_3d, orientation_deg: 0 },
      notes: 'new film',
      revision: 2,
      updated_at: '2026-03-01T06:00:01.000Z',
    });
    expect(audited.at(-1)).toMatchObject({ kind: 'facility.save', before, after: facility });
  });

  it('takes a whole facility back as it was answered, without a new revision', () => {
    const { facilities, house, clock } = testDevices();
    const before = house({ notes: 'as it is' });
    clock.ms += 1000;
    expect(facilities.save(grower, before).facility).toEqual(before);
  });

  it('refuses a save that is based on an older revision', async () => {
    const { facilities, house } = testDevices();
    const before = house();
    facilities.save(grower, { unique_id: before.unique_id, name: 'Theirs' });
    const refusal = await refusalOf(() => facilities.save(grower, { ...before, name: 'Mine' }));
    expect([refusal.code, refusal.members['revision']]).toEqual(['revision_conflict', 2]);
    expect(facilities.get(before.unique_id).name).toBe('Theirs');
  });

  it.each([
    ['geo_id', { geo_id: randomUUID() }],
    ['created_at', { created_at: '2020-01-01T00:00:00Z' }],
  ])('refuses another %s', async (field, sent) => {
    const { facilities, house } = testDevices();
    const { unique_id } = house();
    expect(await refused(() => facilities.save(grower, { unique_id, ...sent }))).toEqual(['read_only_field', field]);
  });

  it('moves to another shape', () => {
    const { facilities, house, draw } = testDevices();
    const { unique_id } = house();
    const shape_uuid = draw({ type: 'zone' });
    expect(facilities.save(grower, { unique_id, shape_uuid }).facility.shape_uuid).toBe(shape_uuid);
  });
});

describe('binding devices', () => {
  it('binds a sensor and an actuator', async () => {
    const all = testDevices();
    const input = await all.sensor();
    const output = await all.switch();
    const sensors = [binding(input.unique_id, input.channels[0]?.measurement_id)];
    const actuators = [{ role: 'heater' as const, device_id: output.unique_id, name: 'Heater' }];
    expect(all.house({ sensors, actuators })).toMatchObject({
      sensors,
      actuators: [{ role: 'heater', device_id: output.unique_id, name: 'Heater' }],
    });
  });

  it('refuses what does not exist, with its path', async () => {
    const all = testDevices();
    const [one, other] = [await all.sensor(), await all.sensor()];
    const { unique_id: output_id } = await all.switch();
    const heater = { role: 'heater', device_id: output_id, name: 'H' } as const;
    const good = binding(one.unique_id, one.channels[0]?.measurement_id);
    const opening = { id: 'a', name: 'A', face: 'left', area_m2: 2, centre_height_m: 1 } as const;
    const curtain = { kind: 'shade', position: 'ceiling', layers: 1 } as const;
    const cases: [FacilitySave, string, string][] = [
      [{ sensors: [good, binding(randomUUID())] }, 'unknown_reference', 'sensors[1].device_id'],
      [{ sensors: [binding(output_id)] }, 'unknown_reference', 'sensors[0].device_id'],
      [
        { sensors: [binding(one.unique_id, other.channels[0]?.measurement_id)] },
        'unknown_reference',
        'sensors[0].measurement_id',
      ],
      [{ sensors: [good, good] }, 'invalid_field', 'sensors[1]'],
      [{ actuators: [{ ...heater, device_id: one.unique_id }] }, 'unknown_reference', 'actuators[0].device_id'],
      [{ actuators: [{ ...heater, channel: 4 }] }, 'unknown_reference', 'actuators[0].channel'],
      [{ actuators: [heater, { ...heater, channel: 0 }] }, 'invalid_field', 'actuators[1]'],
      [
        { openings: [{ ...opening, actuator_device_id: one.unique_id }] },
        'unknown_reference',
        'openings[0].actuator_device_id',
      ],
      [
        { curtains: [{ ...curtain, actuator_device_id: randomUUID() }] },
        'unknown_reference',
        'curtains[0].actuator_device_id',
      ],
    ];
    for (const [save, code, path] of cases) expect(await refused(() => all.house(save))).toEqual([code, path]);
    expect(all.facilities.list({})).toEqual([]);
  });
});

describe('the trash of facilities', () => {
  it('takes and gives back, and frees the shape meanwhile', async () => {
    const { facilities, house, audited } = testDevices();
    const first = house();
    facilities.remove(grower, first.unique_id);
    expect(await refused(() => facilities.get(first.unique_id))).toEqual(['not_found', undefined]);
    expect([facilities.list({}), facilities.list({ trash: true })]).toEqual([[], [first]]);
    expect((await refusalOf(() => facilities.save(grower, { unique_id: first.unique_id, name: 'x' }))).code).toBe(
      'in_trash',
    );
    const second = house({ shape_uuid: first.shape_uuid });
    expect((await refused(() => facilities.restore(grower, first.unique_id)))[0]).toBe('shape_has_facility');
    facilities.remove(grower, second.unique_id);
    expect(facilities.restore(grower, first.unique_id)).toEqual(first);
    expect(facilities.list({})).toEqual([first]);
    expect((await refused(() => facilities.restore(grower, first.unique_id)))[0]).toBe('conflict');
    expect((await refused(() => facilities.restore(grower, randomUUID())))[0]).toBe('not_found');
    expect(audited.slice(-2).map((entry) => entry.kind)).toEqual(['facility.delete', 'facility.restore']);
  });

  it('gives nothing back whose shape is gone', async () => {
    const { facilities, house, db } = testDevices();
    const { unique_id } = house();
    facilities.remove(grower, unique_id);
    db.exec('DELETE FROM features');
    const refusal = await refusalOf(() => facilities.restore(grower, unique_id));
    expect(refusal).toMatchObject({ code: 'conflict', members: { fault: 'shape_gone' } });
    expect((await refused(() => facilities.restore(grower, randomUUID())))[0]).toBe('not_found');
  });

  it('is emptied of what lay in it for 30 days', () => {
    const { facilities, house, clock, audited } = testDevices();
    const { unique_id } = house();
    facilities.remove(grower, unique_id);
    clock.ms += 30 * 86_400_000;
    expect(facilities.purgeTrash()).toBe(0);
    clock.ms += 1;
    expect(facilities.purgeTrash()).toBe(1);
    expect(facilities.list({ trash: true })).toEqual([]);
    expect(audited.at(-1)).toMatchObject({ kind: 'facility.purge', after: { count: 1 } });
  });

  it('can give back a facility whose devices are gone, and lets the rest of it be changed', async () => {
    const all = testDevices();
    const { unique_id: device_id } = await all.switch();
    const { unique_id } = all.house({ actuators: [{ role: 'heater', device_id, name: 'H' }] });
    all.facilities.remove(grower, unique_id);
    await all.outputs.remove(grower, device_id);
    all.facilities.restore(grower, unique_id);
    expect(all.facilities.save(grower, { unique_id, name: 'Renamed' }).facility.name).toBe('Renamed');
  });
});

function binding(device_id: string, measurement_id: string = randomUUID()) {
  return { role: 'indoor_temp' as const, device_id, measurement_id, name: 'T' };
}

describe('the meter of an actuator', () => {
  const metered = async ({ inputs, switch: make, house }: TestDevices) => {
    const registers = [0, 1, 2].map((channel) => ({ channel, table: 'holding', address: channel }));
    const input = await inputs.create(grower, {
      name: 'Meter',
      driver: 'modbus',
      options: { host: '127.0.0.1', registers },
      channels: (['energy', 'volume', 'co2'] as const).map((measurement, channel) => ({ channel, measurement })),
    });
    const { unique_id: device_id } = await make();
    const bind = (channel: number, more: object = {}) => {
      const { measurement_id = '' } = input.channels[channel] ?? {};
      const meter = { device_id: input.unique_id, measurement_id, ...more };
      return house({ actuators: [{ role: 'heater', device_id, name: 'Heater', meter }] });
    };
    return { input, bind };
  };

  it.each([
    ['an unknown input', 0, { device_id: randomUUID() }, 'unknown_reference', 'device_id'],
    ['what that input does not measure', 0, { measurement_id: randomUUID() }, 'unknown_reference', 'measurement_id'],
    ['what meters nothing', 2, {}, 'invalid_field', 'measurement_id'],
    ['a volume of nobody knows what', 1, {}, 'invalid_field', 'kwh_per_unit'],
  ] as const)('is not %s', async (_, channel, more, code, field) => {
    const { bind } = await metered(testDevices());
    expect(await refused(() => bind(channel, more))).toEqual([code, `actuators[0].meter.${field}`]);
  });

  it('stays, with its series, while the house reads it', async () => {
    const all = testDevices();
    const { input, bind } = await metered(all);
    const { unique_id } = bind(1, { kwh_per_unit: 10 });
    const users = [{ kind: 'facility', unique_id, name: 'House' }];
    const only = { channels: [{ channel: 0 }] };
    expect((await refusalOf(all.inputs.change(grower, input.unique_id, only))).members['users']).toEqual(users);
    expect((await refusalOf(all.inputs.remove(grower, input.unique_id))).members['users']).toEqual(users);
    all.facilities.remove(grower, unique_id);
    await all.inputs.remove(grower, input.unique_id);
  });
});
