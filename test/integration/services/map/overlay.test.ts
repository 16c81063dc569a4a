import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ann, bob, drawn, parsed, refusalOf, square, testMaps } from '../../../support/maps.ts';

const idOf = (feature: { properties: { unique_id: string } }): string => feature.properties.unique_id;

function facilityOn(maps: ReturnType<typeof testMaps>, geoId: string, shapeId: string): void {
  maps.db
    .prepare(
      `INSERT INTO facilities (unique_id, name, shape_uuid, geo_id, preset, structure, bay_count, envelope, sensors,
         actuators, openings, curtains, fans, view_3d, notes, revision, created_at, updated_at)
       VALUES (?, 'House', ?, ?, 'greenhouse', 'single', 1, '{}', '[]', '[]', '[]', '[]', '[]', '{}', '', 1, '', '')`,
    )
    .run(randomUUID(), shapeId, geoId);
}

describe('full save', () => {
  it('makes the map hold exactly what was sent', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const [one, two] = [
      drawn({ colour: 'red' }),
      drawn({ type: 'label', geometry: { type: 'Point', coordinates: [127, 37, 5] } }),
    ];
    const first = await maps.overlays.save({ geo_id, features: [one, two] }, ann);
    expect(first).toEqual({
      map_uuid: geo_id,
      revision: 1,
      added: 2,
      modified: 0,
      deleted: 0,
      unchanged: 0,
      features: [idOf(one), idOf(two)],
      warnings: [],
    });
    const moved = { ...one, geometry: square(127.1, 37) };
    const second = await maps.overlays.save({ geo_id, features: [moved], revision: 1 }, ann);
    expect(second).toMatchObject({ revision: 2, added: 0, modified: 1, deleted: 1, unchanged: 0 });
    expect(await maps.read(geo_id)).toEqual({
      type: 'FeatureCollection',
      map_uuid: geo_id,
      revision: 2,
      features: [moved],
    });
  });

  it('gives an id where there is none, and an empty name', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const id = randomUUID();
    const unnamed = { type: 'Feature' as const, geometry: square(127, 37), properties: { type: 'site' as const } };
    const result = await maps.overlays.save({ geo_id, features: [drawn({ id }), unnamed] }, ann);
    expect(result.features[0]).toBe(id);
    const { features } = await maps.read(geo_id);
    expect(features.map((feature) => feature.properties.unique_id)).toEqual(result.features);
    expect(features[1]?.properties.name).toBe('');
  });

  it('counts what did not change as unchanged and makes no revision', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const feature = drawn({ nested: { a: 1, b: 2 } });
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    const { properties } = feature;
    const reordered = { ...feature, properties: { nested: { b: 2, a: 1 }, ...properties } };
    const again = await maps.overlays.save({ geo_id, features: [reordered] }, bob);
    expect(again).toMatchObject({ revision: 1, modified: 0, unchanged: 1 });
    expect(maps.designs.history(geo_id, {}).history).toHaveLength(1);
  });

  it('drops foreign members and says so once', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const features = [drawn(), drawn()].map((feature) => ({ ...feature, style: 'red', bbox: [0, 0, 1, 1] }));
    const { warnings } = await maps.overlays.save({ geo_id, features }, ann);
    expect(warnings.map((warning) => warning.message)).toEqual([
      expect.stringMatching(/^style of 2 features .* features\[0]/),
      expect.stringMatching(/^bbox of 2 features/),
    ]);
    expect((await maps.read(geo_id)).features[0]).not.toHaveProperty('style');
  });

  it('names feature, ring and position of each bad geometry and saves nothing', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const bowTie = { type: 'Polygon', coordinates: [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]] }; // prettier-ignore
    const point = { type: 'Point', coordinates: [200, 0] };
    const features = [drawn(), drawn({ geometry: bowTie }), drawn({ type: 'label', geometry: point })];
    const refusal = await refusalOf(maps.overlays.save({ geo_id, features }, ann));
    expect(refusal.code).toBe('invalid_geometry');
    expect(refusal.errors?.map(({ path }) => path)).toEqual([
      'features[1].geometry.coordinates[0][2]',
      'features[2].geometry.coordinates',
    ]);
    expect((await maps.read(geo_id)).features).toEqual([]);
  });

  it('refuses to empty a map in passing', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    await maps.overlays.save({ geo_id, features: [drawn()] }, ann);
    const refusal = await refusalOf(maps.overlays.save({ geo_id, features: [], revision: 1 }, ann));
    expect(refusal).toMatchObject({ code: 'empty_save_refused', members: { revision: 1, feature_count: 1 } });
    const emptied = await maps.overlays.save({ geo_id, features: [], revision: 1, allow_empty: true }, ann);
    expect(emptied).toMatchObject({ revision: 2, deleted: 1 });
    expect(await maps.overlays.save({ geo_id, features: [] }, ann)).toMatchObject({ revision: 2, deleted: 0 });
  });

  it('with an older revision is a conflict that says what changed', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const [one, two] = [drawn(), drawn()];
    await maps.overlays.save({ geo_id, features: [one] }, ann);
    maps.clock.ms += 1000;
    await maps.overlays.saveDelta({ geo_id, added: [two] }, bob);
    const refusal = await refusalOf(maps.overlays.save({ geo_id, features: [one], revision: 1 }, ann));
    expect(refusal.code).toBe('revision_conflict');
    expect(refusal.members).toEqual({
      revision: 2,
      changed: [{ unique_id: idOf(two), revision: 2, by: 'bob', at: '2026-03-01T06:00:01.000Z', kind: 'added' }],
    });
    expect((await refusalOf(maps.overlays.save({ geo_id, features: [one], revision: 9 }, ann))).code).toBe(
      'revision_conflict',
    );
  });

  it('without a revision removes only what the same user changed last', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const [own, foreign] = [drawn(), drawn()];
    await maps.overlays.save({ geo_id, features: [own] }, ann);
    await maps.overlays.saveDelta({ geo_id, added: [foreign] }, bob);
    const refusal = await refusalOf(maps.overlays.save({ geo_id, features: [own] }, ann));
    expect(refusal).toMatchObject({
      code: 'revision_conflict',
      members: { changed: [{ unique_id: idOf(foreign), by: 'bob', kind: 'added' }] },
    });
    expect(await maps.overlays.save({ geo_id, features: [foreign] }, ann)).toMatchObject({ deleted: 1 });
  });

  it('refuses one id twice, the id of another map and another type', async () => {
    const maps = testMaps();
    const [geo_id, other] = [await maps.add(), await maps.add()];
    const feature = drawn();
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    const twice = maps.overlays.save({ geo_id, features: [feature, drawn({ id: idOf(feature) })] }, ann);
    expect((await refusalOf(twice)).code).toBe('duplicate_feature');
    const elsewhere = await refusalOf(maps.overlays.save({ geo_id: other, features: [feature] }, ann));
    expect(elsewhere).toMatchObject({ code: 'feature_of_other_map', members: { map_uuid: geo_id } });
    const retyped = await refusalOf(
      maps.overlays.save({ geo_id, features: [drawn({ id: idOf(feature), type: 'zone' })] }, ann),
    );
    expect(retyped).toMatchObject({ code: 'type_immutable', errors: [{ path: 'features[0].properties.type' }] });
  });

  it('refuses a map that is not there or in the trash', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    await maps.designs.remove(geo_id, ann);
    expect((await refusalOf(maps.overlays.save({ geo_id, features: [] }, ann))).code).toBe('in_trash');
    expect((await refusalOf(maps.overlays.save({ geo_id: randomUUID(), features: [] }, ann))).code).toBe('not_found');
    expect((await refusalOf(maps.overlays.get({ geo_id }))).code).toBe('not_found');
  });

  it('takes back what the list of all features adds', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const feature = drawn();
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    const [listed] = (parsed(await maps.overlays.list({})) as { features: ReturnType<typeof drawn>[] }).features;
    expect(listed?.properties).toEqual({ ...feature.properties, map_uuid: geo_id });
    expect(await maps.overlays.save({ geo_id, features: listed ? [listed] : [] }, ann)).toMatchObject({ unchanged: 1 });
    const elsewhere = drawn({ map_uuid: randomUUID() });
    expect((await refusalOf(maps.overlays.save({ geo_id, features: [elsewhere] }, ann))).code).toBe('read_only_field');
  });
});

describe('shapes of facilities', () => {
  it('stay, and stay polygons', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const house = drawn({ type: 'facility' });
    await maps.overlays.save({ geo_id, features: [house, drawn()] }, ann);
    facilityOn(maps, geo_id, idOf(house));
    const calls = [
      maps.overlays.save({ geo_id, features: [], allow_empty: true }, ann),
      maps.overlays.saveDelta({ geo_id, deleted: [idOf(house)] }, ann),
      maps.overlays.saveDelta(
        { geo_id, modified: [{ ...house, geometry: { type: 'Point', coordinates: [127, 37] } }] },
        ann,
      ),
    ];
    for (const call of calls) {
      expect(await refusalOf(call)).toMatchObject({
        code: 'shape_in_use',
        members: { facilities: [{ shape_uuid: idOf(house) }] },
      });
    }
    expect(await maps.read(geo_id)).toMatchObject({ revision: 1, features: [{}, {}] });
  });
});

describe('placed devices', () => {
  const device = randomUUID();
  const placed = (lng: number, channel?: number) =>
    drawn({ type: 'device', device_id: device, channel, geometry: { type: 'Point', coordinates: [lng, 37] } });

  it('stand once a map, on any number of maps', async () => {
    const maps = testMaps([device]);
    const [geo_id, other] = [await maps.add(), await maps.add()];
    const first = placed(127);
    await maps.overlays.save({ geo_id, features: [first, placed(127, 1)] }, ann);
    await maps.overlays.save({ geo_id: other, features: [placed(127)] }, ann);
    const refusal = await refusalOf(maps.overlays.saveDelta({ geo_id, added: [placed(127.1)] }, ann));
    expect(refusal).toMatchObject({ code: 'already_placed', members: { device_id: device, channel: null } });
    const swapped = await maps.overlays.saveDelta({ geo_id, added: [placed(127.1)], deleted: [idOf(first)] }, ann);
    expect(swapped).toMatchObject({ added: 1, deleted: 1 });
  });

  it('must exist when they are placed, not for ever', async () => {
    const devices = [device];
    const maps = testMaps(devices);
    const geo_id = await maps.add();
    const feature = placed(127);
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    devices.length = 0;
    const moved = { ...feature, geometry: { type: 'Point', coordinates: [127.2, 37] } };
    expect(await maps.overlays.save({ geo_id, features: [moved] }, ann)).toMatchObject({ modified: 1 });
    const refusal = await refusalOf(maps.overlays.saveDelta({ geo_id, added: [drawn(), placed(1, 4)] }, ann));
    expect(refusal).toMatchObject({ code: 'unknown_reference', errors: [{ path: 'added[1].properties.device_id' }] });
  });
});

describe('a feature of type device', () => {
  const device = randomUUID();
  const point = { type: 'Point', coordinates: [127, 37] };
  const at = (properties: { device_id?: string; channel?: number }) =>
    drawn({ type: 'device', geometry: point, ...properties });

  it.each([
    ['no device', at({}), 'invalid_field', 'device_id'],
    ['a device that there is not', at({ device_id: randomUUID() }), 'unknown_reference', 'device_id'],
    ['a channel that it has not', at({ device_id: device, channel: 4 }), 'unknown_reference', 'channel'],
  ])('is refused with %s, before any conflict', async (_, feature, code, field) => {
    const maps = testMaps([device]);
    const geo_id = await maps.add();
    const other = drawn();
    await maps.overlays.save({ geo_id, features: [other] }, ann);
    const saves = [
      maps.overlays.save({ geo_id, features: [feature], revision: 0 }, ann),
      maps.overlays.save({ geo_id, features: [feature, feature] }, ann),
      maps.overlays.saveDelta({ geo_id, added: [feature, other], deleted: [idOf(other)] }, ann),
    ];
    for (const save of saves) {
      const { errors = [], ...refusal } = await refusalOf(save);
      expect(refusal.code).toBe(code);
      expect(errors[0]?.path).toMatch(new RegExp(`^(features|added)\\[0\\]\\.properties\\.${field}$`));
    }
    expect(await maps.read(geo_id)).toMatchObject({ revision: 1 });
  });
});

describe('the audit of saves', () => {
  it('tells none that changed nothing, nor a repeat', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const feature = drawn();
    const delta = { geo_id, added: [feature], save_id: randomUUID() };
    await maps.overlays.saveDelta(delta, ann);
    maps.clock.ms += 1;
    await maps.overlays.saveDelta(delta, ann);
    await maps.overlays.saveDelta({ geo_id }, ann);
    await maps.overlays.saveDelta({ geo_id, modified: [feature] }, ann);
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    expect(maps.audited.filter(({ kind }) => kind.startsWith('overlay'))).toMatchObject([
      { kind: 'overlay.delta', after: { revision: 1, added: 1 } },
    ]);
  });
});

describe('delta', () => {
  it('adds, modifies and deletes', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const [keep, change, drop, add] = [drawn(), drawn(), drawn(), drawn()];
    await maps.overlays.save({ geo_id, features: [keep, change, drop] }, ann);
    const changed = { ...change, geometry: square(128, 36) };
    const delta = { geo_id, added: [add], modified: [changed, keep], deleted: [idOf(drop)], revision: 1 };
    expect(await maps.overlays.saveDelta(delta, ann)).toMatchObject({
      revision: 2,
      added: 1,
      modified: 1,
      deleted: 1,
      unchanged: 1,
      features: [idOf(add), idOf(change), idOf(keep)],
    });
    expect((await maps.read(geo_id)).features).toEqual([keep, changed, add]);
  });

  it('succeeds on an older revision unless it touches what was changed since', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const [one, two, three] = [drawn(), drawn(), drawn()];
    await maps.overlays.save({ geo_id, features: [one, two, three] }, ann);
    const theirs = { ...two, geometry: square(1, 1) };
    await maps.overlays.saveDelta({ geo_id, modified: [theirs], deleted: [idOf(three)] }, bob);
    const mine = (feature: typeof one) => ({ geo_id, modified: [{ ...feature, geometry: square(2, 2) }], revision: 1 });
    expect(await maps.overlays.saveDelta(mine(one), ann)).toMatchObject({ revision: 3, modified: 1 });
    expect(await refusalOf(maps.overlays.saveDelta(mine(two), ann))).toMatchObject({
      code: 'revision_conflict',
      members: { revision: 3, changed: [{ unique_id: idOf(two), revision: 2, by: 'bob', kind: 'modified' }] },
    });
    expect(
      await refusalOf(maps.overlays.saveDelta({ geo_id, deleted: [idOf(three)], revision: 1 }, ann)),
    ).toMatchObject({
      code: 'revision_conflict',
      members: { changed: [{ unique_id: idOf(three), kind: 'deleted' }] },
    });
    expect(await maps.overlays.saveDelta({ geo_id, modified: [theirs], revision: 1 }, ann)).toMatchObject({
      unchanged: 1,
    });
  });

  it('refuses known ids in added, ids in two lists, unknown ids, ids of other maps, and saves nothing', async () => {
    const maps = testMaps();
    const [geo_id, other] = [await maps.add(), await maps.add()];
    const [known, foreign, fresh] = [drawn(), drawn(), drawn()];
    await maps.overlays.save({ geo_id, features: [known] }, ann);
    await maps.overlays.save({ geo_id: other, features: [foreign] }, ann);
    const code = async (lists: object) =>
      (await refusalOf(maps.overlays.saveDelta({ geo_id, added: [fresh], ...lists }, ann))).code;
    expect(await code({ added: [fresh, known] })).toBe('duplicate_feature');
    expect(await code({ modified: [known], deleted: [idOf(known)] })).toBe('duplicate_feature');
    expect(await code({ modified: [drawn()] })).toBe('not_found');
    expect(await code({ deleted: [randomUUID()] })).toBe('not_found');
    expect(await code({ deleted: [randomUUID()], revision: 0 })).toBe('not_found');
    expect(await code({ added: [foreign] })).toBe('feature_of_other_map');
    expect(await code({ modified: [foreign] })).toBe('feature_of_other_map');
    expect(await code({ deleted: [idOf(foreign)] })).toBe('feature_of_other_map');
    const { unique_id: _, ...unnamed } = known.properties;
    expect(await code({ modified: [{ ...known, properties: unnamed }] })).toBe('invalid_field');
    expect(await maps.read(geo_id)).toMatchObject({ revision: 1, features: [known] });
  });
});

describe('save_id', () => {
  it('gives the first answer again within a day and changes nothing', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const { properties, ...feature } = drawn();
    const { unique_id: _, ...unnamed } = properties;
    const body = { geo_id, added: [{ ...feature, properties: unnamed }], save_id: randomUUID() };
    const first = await maps.overlays.saveDelta(body, ann);
    await maps.overlays.saveDelta({ geo_id, added: [drawn()] }, bob);
    maps.clock.ms += 86_399_000;
    expect(await maps.overlays.saveDelta({ ...body, save_id: body.save_id }, ann)).toEqual(first);
    expect((await maps.read(geo_id)).features).toHaveLength(2);
    maps.clock.ms += 2000;
    expect(await maps.overlays.saveDelta(body, ann)).toMatchObject({ revision: 3, added: 1 });
  });

  it('of another body, call, map or user is a conflict, and changes nothing', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const save_id = randomUUID();
    const body = { geo_id, added: [drawn()], save_id };
    const first = await maps.overlays.saveDelta(body, ann);
    const other = await maps.add();
    const others = [
      maps.overlays.saveDelta({ ...body, added: [drawn()] }, ann),
      maps.overlays.saveDelta({ ...body, geo_id: other }, ann),
      maps.overlays.saveDelta({ ...body, revision: 0 }, ann),
      maps.overlays.saveDelta(body, bob),
      maps.overlays.save({ geo_id, features: body.added, save_id }, ann),
    ];
    for (const call of others) expect((await refusalOf(call)).code).toBe('save_id_reused');
    expect(await maps.overlays.saveDelta(body, ann)).toEqual(first);
    expect(await maps.read(geo_id)).toMatchObject({ revision: 1, features: [body.added[0]] });
  });

  it('of a refused save is free', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const save_id = randomUUID();
    await refusalOf(maps.overlays.saveDelta({ geo_id, deleted: [randomUUID()], save_id }, ann));
    expect(await maps.overlays.saveDelta({ geo_id, added: [drawn()], save_id }, ann)).toMatchObject({ added: 1 });
  });
});

it('writes an audit record for a save', async () => {
  const maps = testMaps();
  const geo_id = await maps.add();
  await maps.overlays.save({ geo_id, features: [drawn()] }, ann);
  expect(maps.audited.at(-1)).toEqual({
    kind: 'overlay.save',
    actor: ann,
    target: geo_id,
    after: { revision: 1, added: 1, modified: 0, deleted: 0 },
  });
});
