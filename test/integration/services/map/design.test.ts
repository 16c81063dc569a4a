import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { design } from '../../../../server/contract/design.ts';
import { ann, bob, drawn, mapsStart, parsed, refusalOf, square, testMaps } from '../../../support/maps.ts';

const dayMs = 24 * 60 * 60 * 1000;
const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
const idOf = (feature: { properties: { unique_id: string } }): string => feature.properties.unique_id;

function facilityOn(maps: ReturnType<typeof testMaps>, geoId: string): string {
  const id = randomUUID();
  maps.db
    .prepare(
      `INSERT INTO facilities (unique_id, name, shape_uuid, geo_id, preset, structure, bay_count, envelope, sensors,
         actuators, openings, curtains, fans, view_3d, notes, revision, created_at, updated_at)
       VALUES (?, 'House', ?, ?, 'greenhouse', 'single', 1, '{}', '[]', '[]', '[]', '[]', '[]', '{}', '', 1, '', '')`,
    )
    .run(id, randomUUID(), geoId);
  return id;
}

describe('init', () => {
  it('makes an empty map at the start view of the site', async () => {
    const maps = testMaps();
    const { map_uuid } = await maps.designs.init(ann);
    expect(await maps.readDesign(map_uuid)).toEqual({
      map_uuid,
      name: 'New map',
      lat: 37.5665,
      lng: 126.978,
      zoom: 13,
      layers: {},
      features: { type: 'FeatureCollection', map_uuid, revision: 0, features: [] },
      revision: 0,
      created_at: '2026-03-01T06:00:00.000Z',
      updated_at: '2026-03-01T06:00:00.000Z',
    });
  });

  it('is removed after a day unless it was saved or drawn on', async () => {
    const maps = testMaps();
    const made = [await maps.designs.init(ann), await maps.designs.init(ann), await maps.designs.init(ann)];
    const [empty, saved, drawnOn] = made.map((map) => map.map_uuid);
    await maps.designs.save({ map_uuid: saved, name: 'New map' }, ann);
    await maps.overlays.save({ geo_id: drawnOn ?? '', features: [drawn()] }, ann);
    maps.clock.ms += dayMs - 1;
    expect(await maps.designs.purge()).toEqual([]);
    maps.clock.ms += 1;
    expect(await maps.designs.purge()).toEqual([empty]);
    expect(maps.purged.facilities).toBe(2);
    expect(maps.designs.list({ trash: false }).map((map) => map.map_uuid)).toEqual([saved, drawnOn]);
  });
});

describe('save', () => {
  it('makes a map with or without an id of the client', async () => {
    const maps = testMaps();
    const id = randomUUID();
    const layers = { base: 'natural-earth', overlays: [{ id: 'rain', visible: true, opacity: 0.5 }] };
    const made = await maps.designs.save({ ...view, map_uuid: id, layers }, ann);
    expect(made).toMatchObject({ isNew: true, map_uuid: id });
    expect(design.parse(await maps.readDesign(id))).toMatchObject({ ...view, layers, map_uuid: id, revision: 0 });
    expect((await maps.designs.save(view, ann)).isNew).toBe(true);
  });

  it('changes only the sent fields, as a revision, and none where nothing differs', async () => {
    const maps = testMaps();
    const map_uuid = await maps.add();
    await maps.designs.save({ map_uuid, layers: { base: 'osm' } }, ann);
    maps.clock.ms += 60_000;
    const { isNew } = await maps.designs.save({ map_uuid, zoom: 20, layers: { overlays: [] } }, bob);
    expect(isNew).toBe(false);
    expect(await maps.readDesign(map_uuid)).toMatchObject({
      ...view,
      zoom: 20,
      layers: { base: 'osm', overlays: [] },
      revision: 2,
      updated_at: '2026-03-01T06:01:00.000Z',
    });
    await maps.designs.save({ map_uuid, layers: { base: null, overlays: null } }, bob);
    expect(await maps.readDesign(map_uuid)).toMatchObject({ layers: {}, revision: 3 });
    await maps.designs.save({ map_uuid, layers: { base: 'osm' } }, bob);
    await maps.designs.save({ map_uuid, zoom: 20 }, bob);
    expect(await maps.readDesign(map_uuid)).toMatchObject({ revision: 4 });
    const [change] = maps.audited.filter(({ after }) => JSON.stringify(after).includes('"zoom":20'));
    expect(change).toMatchObject({ kind: 'design.save', before: { zoom: 18 }, after: { zoom: 20 } });
  });

  it('notes no save and no restoring that changes nothing', async () => {
    const maps = testMaps();
    const map_uuid = await maps.add();
    await maps.designs.save({ map_uuid, zoom: 20 }, bob);
    const noted = maps.audited.length;
    const { revision } = await maps.readDesign(map_uuid);
    await maps.designs.save({ map_uuid, zoom: 20 }, bob);
    await maps.designs.restoreRevision(map_uuid, revision, bob);
    expect([maps.audited.length, (await maps.readDesign(map_uuid)).revision]).toEqual([noted, revision]);
    await maps.designs.restoreRevision(map_uuid, revision - 1, bob);
    expect(maps.audited.at(-1)).toMatchObject({ kind: 'design.restore_revision', after: { revision: revision - 1 } });
  });

  it('names what a new map lacks', async () => {
    const refusal = await refusalOf(testMaps().designs.save({ lat: 1, lng: 2 }, ann));
    expect(refusal).toMatchObject({ code: 'invalid_field', errors: [{ path: 'name' }, { path: 'zoom' }] });
  });

  it('takes a map back whole, and refuses changed read-only fields', async () => {
    const maps = testMaps();
    const map_uuid = await maps.add();
    await maps.overlays.save({ geo_id: map_uuid, features: [drawn()] }, ann);
    const whole = await maps.readDesign(map_uuid);
    const changed = { ...whole, name: 'Renamed' };
    await maps.designs.save(changed, ann);
    expect(await maps.readDesign(map_uuid)).toMatchObject({ name: 'Renamed', revision: 2 });
    const current = await maps.readDesign(map_uuid);
    const refused = [
      { ...current, created_at: '2020-01-01T00:00:00.000Z' },
      { ...current, features: { ...current.features, features: [] } },
      { ...view, created_at: current.created_at },
    ];
    for (const body of refused) {
      expect((await refusalOf(maps.designs.save(body, ann))).code).toBe('read_only_field');
    }
    await maps.overlays.saveDelta({ geo_id: map_uuid, added: [drawn()] }, bob);
    expect((await refusalOf(maps.designs.save(current, ann))).code).toBe('revision_conflict');
  });

  it('on an older revision stands against drawing, not against another change of the map', async () => {
    const maps = testMaps();
    const map_uuid = await maps.add();
    await maps.overlays.save({ geo_id: map_uuid, features: [drawn()] }, bob);
    await maps.designs.save({ map_uuid, zoom: 3, revision: 0 }, ann);
    const refusal = await refusalOf(maps.designs.save({ map_uuid, zoom: 4, revision: 1 }, bob));
    expect(refusal).toMatchObject({
      code: 'revision_conflict',
      members: { revision: 2, changed: [{ unique_id: map_uuid, revision: 2, by: 'ann', kind: 'design' }] },
    });
  });
});

describe('trash', () => {
  it('takes the map and its facilities, and gives them back whole', async () => {
    const maps = testMaps();
    const map_uuid = await maps.add();
    const features = [drawn(), drawn()];
    await maps.overlays.save({ geo_id: map_uuid, features }, ann);
    const house = facilityOn(maps, map_uuid);
    expect(maps.designs.list({ trash: false })).toMatchObject([{ map_uuid, feature_count: 2, facility_count: 1 }]);
    const before = await maps.readDesign(map_uuid);
    expect(await maps.designs.remove(map_uuid, ann)).toEqual({
      map_uuid,
      deleted: true,
      deleted_facilities: [house],
    });
    expect((await refusalOf(maps.designs.get(map_uuid))).code).toBe('not_found');
    expect((await refusalOf(maps.designs.remove(map_uuid, ann))).code).toBe('not_found');
    expect((await refusalOf(maps.designs.save({ map_uuid, zoom: 1 }, ann))).code).toBe('in_trash');
    expect(maps.designs.list({ trash: false })).toEqual([]);
    expect(maps.designs.list({ trash: true })).toMatchObject([{ map_uuid, deleted_at: '2026-03-01T06:00:00.000Z' }]);
    expect(parsed(await maps.designs.restore(map_uuid, ann))).toEqual(before);
    expect(maps.designs.list({ trash: false })).toMatchObject([{ facility_count: 1 }]);
    expect((await refusalOf(maps.designs.restore(map_uuid, ann))).code).toBe('conflict');
    expect((await refusalOf(maps.designs.restore(randomUUID(), ann))).code).toBe('not_found');
  });

  it('is emptied after 30 days, with everything that belongs to a map', async () => {
    const maps = testMaps();
    const [map_uuid, kept] = [await maps.add(), await maps.add()];
    await maps.overlays.save({ geo_id: map_uuid, features: [drawn()], save_id: randomUUID() }, ann);
    facilityOn(maps, map_uuid);
    await maps.designs.remove(map_uuid, ann);
    maps.clock.ms += 30 * dayMs - 1;
    expect(await maps.designs.purge()).toEqual([]);
    maps.clock.ms += 1;
    expect(await maps.designs.purge()).toEqual([map_uuid]);
    const tables = ['features', 'feature_rtree', 'map_history', 'feature_history', 'save_answers', 'facilities'];
    for (const table of tables) {
      expect(maps.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
    }
    expect(maps.designs.list({ trash: false })).toMatchObject([{ map_uuid: kept }]);
  });

  it('is looked through at the start and every hour', async () => {
    vi.useFakeTimers();
    try {
      const maps = testMaps();
      const purge = vi.spyOn(maps.designs, 'purge');
      const faults: unknown[] = [];
      maps.designs.start((fault) => faults.push(fault));
      // The next time is counted from the end of the last.
      purge.mockResolvedValue([]);
      await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1000);
      maps.designs.stop();
      await vi.advanceTimersByTimeAsync(dayMs);
      expect(purge).toHaveBeenCalledTimes(3);
      expect(faults).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('history', () => {
  it('lists the saves newest first, in pages', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const feature = drawn();
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    maps.clock.ms += 1000;
    await maps.overlays.saveDelta({ geo_id, added: [drawn()], deleted: [idOf(feature)] }, bob);
    await maps.designs.save({ map_uuid: geo_id, zoom: 1 }, ann);
    const first = maps.designs.history(geo_id, { limit: 2 });
    expect(first.history.map(({ revision, kind }) => [revision, kind])).toEqual([
      [3, 'design'],
      [2, 'delta'],
    ]);
    expect(first.history[1]).toEqual({
      revision: 2,
      kind: 'delta',
      user_id: bob.user_id,
      username: 'bob',
      at: new Date(mapsStart + 1000).toISOString(),
      added: 1,
      modified: 0,
      deleted: 1,
    });
    const second = maps.designs.history(geo_id, { limit: 2, cursor: first.next_cursor ?? '' });
    expect(second).toMatchObject({ history: [{ revision: 1, kind: 'full' }], next_cursor: null });
  });

  it('shows any revision and brings it back as a new one, features and view, with their ids', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const [one, two, three] = [drawn(), drawn(), drawn()];
    const states = [await maps.readDesign(geo_id)];
    const keep = async (saved: Promise<unknown>): Promise<void> => {
      await saved;
      states.push(await maps.readDesign(geo_id));
    };
    await keep(maps.overlays.save({ geo_id, features: [one, two] }, ann));
    const moved = { ...one, geometry: square(1, 1) };
    await keep(maps.overlays.saveDelta({ geo_id, modified: [moved], deleted: [idOf(two)], added: [three] }, bob));
    await keep(maps.designs.save({ map_uuid: geo_id, name: 'Renamed', zoom: 2 }, ann));
    await keep(maps.overlays.save({ geo_id, features: [], allow_empty: true, revision: 3 }, bob));
    for (const [revision, then] of states.entries()) {
      const shown = design.parse(parsed(await maps.designs.revision(geo_id, revision)));
      expect({ ...shown, ...content(shown) }, `revision ${revision}`).toEqual({ ...then, ...content(then) });
    }
    for (const revision of [1, 2, 0, 4, 3, 1]) {
      const before = await maps.readDesign(geo_id);
      const restored = design.parse(parsed(await maps.designs.restoreRevision(geo_id, revision, ann)));
      const then = states[revision];
      expect(content(restored), `revision ${revision}`).toEqual(then && content(then));
      expect(restored.revision).toBe(before.revision + 1);
    }
    expect(maps.designs.history(geo_id, { limit: 1 }).history).toMatchObject([{ kind: 'restore', username: 'ann' }]);
    expect((await refusalOf(maps.designs.restoreRevision(geo_id, 99, ann))).code).toBe('not_found');
    expect((await refusalOf(maps.designs.revision(geo_id, 99))).code).toBe('not_found');
  });

  it('does not bring back what now belongs to another map', async () => {
    const maps = testMaps();
    const [geo_id, other] = [await maps.add(), await maps.add()];
    const feature = drawn();
    await maps.overlays.save({ geo_id, features: [feature] }, ann);
    await maps.overlays.saveDelta({ geo_id, deleted: [idOf(feature)] }, ann);
    await maps.overlays.save({ geo_id: other, features: [feature] }, ann);
    expect((await refusalOf(maps.designs.restoreRevision(geo_id, 1, ann))).code).toBe('feature_of_other_map');
    await maps.designs.restoreRevision(geo_id, 0, ann);
    expect((await maps.read(other)).features).toEqual([feature]);
  });
});

/** Name, view and features, which stand in the order in which they were drawn or brought back. */
function content({
  name,
  lat,
  lng,
  zoom,
  layers,
  features,
}: Awaited<ReturnType<ReturnType<typeof testMaps>['readDesign']>>) {
  const sorted = features.features.toSorted((a, b) => idOf(a).localeCompare(idOf(b)));
  return { name, lat, lng, zoom, layers, features: sorted };
}
