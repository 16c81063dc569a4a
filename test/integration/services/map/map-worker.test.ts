import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../server/contract/errors.ts';
import type { OverlaySave } from '../../../../server/contract/overlay.ts';
import { mapTasks } from '../../../../server/services/map/tasks.ts';
import { ann, bob, drawn, refusalOf, square, testMaps, type TestMaps } from '../../../support/maps.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    drawn({ geometry: square(127 + (index % 100) * 0.01, 37 + index * 1e-5) }),
  );

describe('large maps', () => {
  it('are saved and read by the worker with the answers of the direct way', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const features = many(5001);
    const saved = await maps.overlays.save({ geo_id, features }, ann);
    expect(saved).toMatchObject({
      revision: 1,
      added: 5001,
      features: features.map((one) => one.properties.unique_id),
    });
    const json = await maps.overlays.get({ geo_id });
    expect(json).toBeInstanceOf(Buffer);
    expect(json.toString()).toBe(mapTasks.readOverlays(maps.runner.store, { geo_id }).toString());
    expect((await maps.read(geo_id)).features).toEqual(features);
    expect(await maps.overlays.save({ geo_id, features, revision: 1 }, ann)).toMatchObject({ unchanged: 5001 });
  });

  it('leave the server free for other work while they are saved', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await maps.overlays.save({ geo_id, features: many(3000) }, ann);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });

  it.each([
    ['read already', (body: object) => body],
    ['as it arrived', (body: object) => Buffer.from(JSON.stringify(body))],
  ])('are not saved at all once that was cancelled: %s', async (_name, form) => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const body = form({ geo_id, features: many(2001) });
    const signal = AbortSignal.abort();
    const saved =
      body instanceof Uint8Array
        ? maps.overlays.saveBytes(body, ann, signal)
        : maps.overlays.save(body as OverlaySave, ann, signal); // as made above
    await expect(saved).rejects.toMatchObject({ code: 'cancelled' });
    expect(await maps.read(geo_id)).toMatchObject({ revision: 0, features: [] });
  });

  it('refuse as small ones do', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const features = many(2001);
    await maps.overlays.save({ geo_id, features }, ann);
    await maps.overlays.saveDelta({ geo_id, added: [drawn()] }, bob);
    const refusal = await refusalOf(maps.overlays.save({ geo_id, features, revision: 1 }, ann));
    expect(isRefusal(refusal)).toBe(true);
    expect(refusal).toMatchObject({
      code: 'revision_conflict',
      status: 409,
      members: { revision: 2, changed: [{ by: 'bob', kind: 'added' }] },
    });
    const [first] = features;
    const flat = {
      type: 'Feature' as const,
      geometry: { type: 'Polygon', coordinates: [] },
      properties: { type: 'site' as const },
    };
    const bad = await refusalOf(
      maps.overlays.save({ geo_id, features: [...(first ? [first] : []), ...many(2000), flat] }, ann),
    );
    expect(bad).toMatchObject({ code: 'invalid_geometry', errors: [{ path: 'features[2001].geometry.coordinates' }] });
  });

  it('of few features with many positions go to the worker as well', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const ring = Array.from({ length: 5001 }, (_, index) => {
      const angle = (index / 5000) * 2 * Math.PI;
      return [127 + Math.cos(angle) / 100, 37 + Math.sin(angle) / 100];
    });
    ring[5000] = ring[0] ?? [];
    const saving = maps.overlays.saveDelta(
      { geo_id, added: [drawn({ geometry: { type: 'Polygon', coordinates: [ring] } })] },
      ann,
    );
    const order: string[] = [];
    const small = maps.overlays.saveDelta({ geo_id, added: [drawn()] }, bob).then(() => order.push('small'));
    expect(await saving.then((saved) => order.push('large') && saved)).toMatchObject({ revision: 2, added: 1 });
    await small;
    expect(order).toEqual(['small', 'large']);
  });

  it('that lose most of their features go to the worker too, however little is sent', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    await maps.overlays.save({ geo_id, features: many(2001) }, ann);
    await maps.runner.close();
    const emptied = maps.overlays.save({ geo_id, features: [], allow_empty: true, revision: 1 }, ann);
    await expect(emptied).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('while a large save is written', () => {
  it('everybody else writes, what is of the same map waits for it, and readers see the map as it was', async () => {
    const maps = testMaps();
    const [geo_id, other] = [await maps.add(), await maps.add('Other')];
    await maps.overlays.save({ geo_id, features: [drawn({ name: 'before' })] }, ann);
    const order: string[] = [];
    const saving = maps.overlays.save({ geo_id, features: many(6000), revision: 1 }, ann).then((saved) => {
      order.push('large');
      return saved;
    });
    await expect.poll(() => isBeingSaved(maps, geo_id), { interval: 1 }).toBe(true);
    const renaming = maps.designs.save({ map_uuid: geo_id, name: 'Renamed' }, bob).then(() => order.push('renamed'));
    await maps.overlays.saveDelta({ geo_id: other, added: [drawn()] }, bob);
    order.push('elsewhere');
    expect(await maps.read(geo_id)).toMatchObject({ revision: 1, features: [{ properties: { name: 'before' } }] });
    expect(maps.designs.history(geo_id, {}).history).toHaveLength(1);
    expect(await saving).toMatchObject({ revision: 2, added: 6000, deleted: 1 });
    await renaming;
    expect(order).toEqual(['elsewhere', 'large', 'renamed']);
    expect(await maps.readDesign(geo_id)).toMatchObject({ name: 'Renamed', revision: 3 });
    await maps.runner.tidy();
    expect(maps.db.prepare('SELECT count(*) FROM features').pluck().get()).toBe(6001);
  });
});

describe('while a large map is removed for good', () => {
  const monthMs = 31 * 24 * 60 * 60 * 1000;

  it('everybody else writes, and nobody sees it or brings it back', async () => {
    const maps = testMaps();
    const [geo_id, other] = [await maps.add(), await maps.add('Other')];
    await maps.overlays.save({ geo_id, features: many(6000) }, ann);
    await maps.designs.remove(geo_id, ann);
    maps.clock.ms += monthMs;
    const order: string[] = [];
    const purging = maps.designs.purge().then((ids) => order.push('purged') && ids);
    await expect.poll(() => featuresOf(maps, geo_id), { interval: 1 }).toBeLessThan(6000);
    await maps.overlays.saveDelta({ geo_id: other, added: [drawn()] }, bob);
    order.push('elsewhere');
    expect(maps.designs.list({ trash: true })).toEqual([]);
    expect((await refusalOf(maps.designs.restore(geo_id, bob))).code).toBe('not_found');
    expect((await refusalOf(maps.designs.save({ map_uuid: geo_id, name: 'Mine' }, bob))).code).toBe('in_trash');
    expect(await purging).toEqual([geo_id]);
    expect(order).toEqual(['elsewhere', 'purged']);
    expect(featuresOf(maps, geo_id)).toBe(0);
    expect(await maps.designs.purge()).toEqual([]);
  });

  it('the rest goes at the next look where the service died meanwhile', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    await maps.overlays.save({ geo_id, features: many(60) }, ann);
    await maps.designs.remove(geo_id, ann);
    maps.runner.store.designs.markPurged(geo_id, new Date(maps.clock.ms).toISOString());
    maps.runner.store.designs.purgeSome(geo_id);
    expect(featuresOf(maps, geo_id)).toBe(10);
    expect(await maps.designs.purge()).toEqual([geo_id]);
    expect(maps.runner.store.designs.get(geo_id)).toBeUndefined();
  });
});

function featuresOf({ db }: TestMaps, geoId: string): unknown {
  return db.prepare('SELECT count(*) FROM features WHERE map_uuid = ?').pluck().get(geoId);
}

it('small saves of a map that wait for a large one keep their order, also behind a large one of another map', async () => {
  const maps = testMaps();
  const [geo_id, other] = [await maps.add(), await maps.add('Other')];
  const large = maps.overlays.save({ geo_id, features: many(2001) }, ann);
  const elsewhere = maps.overlays.save({ geo_id: other, features: many(2001) }, ann);
  await expect.poll(() => isBeingSaved(maps, geo_id), { interval: 1 }).toBe(true);
  const first = maps.designs.save({ map_uuid: geo_id, name: 'First' }, ann);
  await large;
  await maps.designs.save({ map_uuid: geo_id, name: 'Second' }, bob);
  await Promise.all([first, elsewhere]);
  expect((await maps.readDesign(geo_id)).name).toBe('Second');
});

/** Whether rows are there that come with a revision which the map does not have yet. */
function isBeingSaved({ db }: TestMaps, geoId: string): boolean {
  const coming = db.prepare(`SELECT 1 FROM features JOIN designs USING (map_uuid)
    WHERE map_uuid = ? AND changed_revision > revision LIMIT 1`);
  return coming.get(geoId) !== undefined;
}

describe('the worker', () => {
  it('is not started for small maps, and refuses work when closed', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    await maps.overlays.save({ geo_id, features: [drawn()] }, ann);
    await maps.runner.close();
    await expect(maps.overlays.save({ geo_id, features: many(2001) }, ann)).rejects.toMatchObject({ code: 'closed' });
    expect((await maps.read(geo_id)).features).toHaveLength(1);
  });

  it('finishes what it was given before it ends', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const saving = maps.overlays.save({ geo_id, features: many(2001), save_id: randomUUID() }, ann);
    await maps.runner.close();
    expect(await saving).toMatchObject({ added: 2001 });
    expect((await maps.read(geo_id)).features).toHaveLength(2001);
  });
});
