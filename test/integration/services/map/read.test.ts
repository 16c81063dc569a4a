import { describe, expect, it } from 'vitest';
import { mostChanges, overlayChanges } from '../../../../server/contract/overlay.ts';
import { ann, drawn, parsed, refusalOf, testMaps } from '../../../support/maps.ts';

const idOf = (feature: { properties: { unique_id: string } }): string => feature.properties.unique_id;

describe('reading', () => {
  it('finds by type and by box, exactly and over the 180th meridian', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const at = (lng: number, lat: number) =>
      drawn({ type: 'label', geometry: { type: 'Point', coordinates: [lng, lat] } });
    const [seoul, fiji, samoa, site] = [at(127.0000001, 37), at(179.5, -17), at(-172, -13), drawn()];
    await maps.overlays.save({ geo_id, features: [seoul, fiji, samoa, site] }, ann);
    const found = async (query: { bbox?: string; type?: 'site' | 'label' }) =>
      (parsed(await maps.overlays.get({ geo_id, ...query })) as { features: unknown[] }).features;
    expect(await found({ type: 'label' })).toEqual([seoul, fiji, samoa]);
    expect(await found({ bbox: '126,36,128,38' })).toEqual([seoul, site]);
    expect(await found({ bbox: '126,36,128,38', type: 'site' })).toEqual([site]);
    expect(await found({ bbox: '126,36,127.00000005,38', type: 'label' })).toEqual([]);
    expect(await found({ bbox: '179,-20,-170,-10' })).toEqual([fiji, samoa]);
    const refusal = await refusalOf(maps.overlays.get({ geo_id, bbox: '0,10,1,5' }));
    expect(refusal).toMatchObject({ code: 'invalid_field', errors: [{ path: 'bbox' }] });
    expect(await found({ bbox: '0,0,1,1' })).toEqual([]);
    await maps.overlays.saveDelta(
      { geo_id, modified: [{ ...seoul, geometry: { type: 'Point', coordinates: [0.5, 0.5] } }] },
      ann,
    );
    expect(await found({ bbox: '0,0,1,1' })).toHaveLength(1);
  });

  it('tells what changed since a revision, and when the map must be read whole', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const start = (await maps.read(geo_id)).revision;
    const [one, two] = [drawn(), drawn()];
    await maps.overlays.save({ geo_id, features: [one, two] }, ann);
    const changes = async (since: number, design?: boolean) =>
      overlayChanges.parse(parsed(await maps.overlays.changes({ geo_id, since, design })));
    const told = { map_uuid: geo_id, revision: start + 1, read_whole: false };
    expect(await changes(start)).toEqual({ ...told, features: [one, two], deleted: [] });
    expect(await changes(start + 1)).toEqual({ ...told, features: [], deleted: [] });
    await maps.overlays.saveDelta({ geo_id, deleted: [idOf(one)] }, ann);
    await maps.overlays.saveDelta({ geo_id, added: [one], deleted: [idOf(two)] }, ann);
    const now = { ...told, revision: start + 3 };
    expect(await changes(start + 1)).toEqual({ ...now, features: [one], deleted: [idOf(two)] });
    const whole = { ...now, read_whole: true, features: [], deleted: [] };
    expect(await changes(start + 4)).toEqual(whole);
    await maps.overlays.saveDelta({ geo_id, added: Array.from({ length: mostChanges + 1 }, () => drawn()) }, ann);
    expect(await changes(start + 3)).toEqual({ ...whole, revision: start + 4 });
    await maps.designs.save({ map_uuid: geo_id, name: 'Other' }, ann);
    await maps.overlays.saveDelta({ geo_id, deleted: [idOf(one)] }, ann);
    const design = { name: 'Other', lat: 37, lng: 127, zoom: 18, layers: {} };
    const both = { ...told, revision: start + 6, features: [], deleted: [idOf(one)], design };
    expect(await changes(start + 4, true)).toEqual(both);
    expect(await changes(start + 5, true)).toEqual({ ...both, design: undefined });
    // A call that does not know of the map's fields in this answer would miss their change.
    expect(await changes(start + 4)).toEqual({ ...whole, revision: start + 6 });
    expect(await changes(start + 5)).toEqual({ ...both, design: undefined });
    expect(await refusalOf(maps.overlays.changes({ geo_id: idOf(one), since: 0 }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('tells nothing where a long history would have to be looked through', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const start = (await maps.read(geo_id)).revision;
    const changes = async (since: number) =>
      overlayChanges.parse(parsed(await maps.overlays.changes({ geo_id, since })));
    const added = Array.from({ length: mostChanges / 2 + 1 }, () => drawn());
    await maps.overlays.saveDelta({ geo_id, added }, ann);
    const modified = added.map((one) => ({ ...one, properties: { ...one.properties, name: 'again' } }));
    await maps.overlays.saveDelta({ geo_id, modified }, ann);
    const late = await changes(start + 1);
    expect([late.read_whole, late.features.length]).toEqual([false, added.length]);
    // Each of half as many shapes was changed twice.
    expect(await changes(start)).toMatchObject({ read_whole: true, features: [] });
    maps.db.prepare('UPDATE designs SET revision = ?').run(start + 2 + mostChanges);
    expect(await changes(start + 2)).toMatchObject({ read_whole: false, features: [] });
    expect(await changes(start + 1)).toMatchObject({ read_whole: true, features: [] });
  });

  it('pages through the features of all living maps', async () => {
    const maps = testMaps();
    const [one, two, gone] = [await maps.add(), await maps.add(), await maps.add()];
    const ids: string[] = [];
    for (const geo_id of [one, two, gone]) {
      ids.push(...(await maps.overlays.save({ geo_id, features: [drawn(), drawn()] }, ann)).features);
    }
    await maps.designs.remove(gone, ann);
    const page = async (cursor?: string) =>
      parsed(await maps.overlays.list({ limit: 3, cursor })) as {
        features: ReturnType<typeof drawn>[];
        next_cursor: string | null;
      };
    const first = await page();
    const second = await page(first.next_cursor ?? undefined);
    expect([...first.features, ...second.features].map(idOf)).toEqual(ids.slice(0, 4));
    expect([first.features.length, second.next_cursor]).toEqual([3, null]);
    for (const cursor of ['x', '1', '1-2', '1-2-3'])
      expect((await refusalOf(maps.overlays.list({ cursor }))).code).toBe('invalid_field');
  });

  it('pages past each feature once while a large save gives them other ids', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const features = Array.from({ length: 1001 }, () => drawn());
    await maps.overlays.save({ geo_id, features }, ann);
    const page = async (cursor?: string) =>
      parsed(await maps.overlays.list({ limit: 600, cursor })) as {
        features: ReturnType<typeof drawn>[];
        next_cursor: string | null;
      };
    const first = await page();
    const renamed = features.map((one) => ({ ...one, properties: { ...one.properties, name: 'renamed' } }));
    const body = Buffer.from(JSON.stringify({ geo_id, features: renamed, revision: 1 }));
    await maps.overlays.saveBytes(body, ann);
    const second = await page(first.next_cursor ?? undefined);
    expect([...first.features, ...second.features].map(idOf)).toEqual(features.map(idOf));
    expect(second.next_cursor).toBeNull();
  });

  it('has a tag that changes with each save', async () => {
    const maps = testMaps();
    const geo_id = await maps.add();
    const before = maps.overlays.entityTag(geo_id);
    await maps.overlays.save({ geo_id, features: [drawn()] }, ann);
    expect(maps.overlays.entityTag(geo_id)).not.toBe(before);
    expect(before).toMatch(/^"[!-~]+"$/);
  });
});
