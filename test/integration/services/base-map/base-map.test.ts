import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BaseMapService } from '../../../../server/services/base-map/base-map.ts';
import { writeMbTiles } from '../../../support/mbtiles.ts';
import { pixel } from '../../../support/providers.ts';

function site() {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-base-maps-'));
  const maps = new BaseMapService(folder);
  onTestFinished(() => {
    maps.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { maps, at: (name: string) => join(folder, name) };
}

const faults = (maps: BaseMapService) => maps.list().map(({ file, fault }) => [file, fault]);
const codeOf = (call: () => unknown): unknown => {
  try {
    return call() && 'ok';
  } catch (error) {
    return (error as { code: string }).code; // a refusal
  }
};

describe('a map file', () => {
  it('is there once it lies in the folder, with what it says of itself', () => {
    const { maps, at } = site();
    writeMbTiles(at('farm.mbtiles'));
    expect(maps.list()).toMatchObject([
      {
        file: 'farm.mbtiles',
        base_map_id: 'farm',
        name: 'Farm',
        attribution: 'Survey',
        min_zoom: 2,
        max_zoom: 2,
        fault: null,
      },
    ]);
    expect(maps.tile('farm', { z: 2, x: 1, y: 3 })).toMatchObject({ body: pixel, type: 'image/png' });
  });

  it('has its rows counted from the south, and only the tiles that it has', () => {
    const { maps, at } = site();
    writeMbTiles(at('a.mbtiles'), { tiles: [[0, 0, 0], [1, 0, 1], [1, 1, 0, Buffer.from('<html>')]] }); // prettier-ignore
    const found = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
      [1, 1, 1],
      [25, 5, 5],
    ].map(([z = 0, x = 0, y = 0]) =>
      // prettier-ignore
      codeOf(() => maps.tile('a', { z, x, y })),
    );
    expect(found).toEqual(['ok', 'ok', 'not_found', 'not_found', 'not_found']);
    expect(codeOf(() => maps.tile('b', { z: 0, x: 0, y: 0 }))).toBe('not_found');
  });

  it('that cannot be drawn says why, and holds up no other', () => {
    const { maps, at } = site();
    writeFileSync(at('text.mbtiles'), 'this is no database, '.repeat(100));
    writeFileSync(at('notes.txt'), 'hello');
    mkdirSync(at('folder.mbtiles'));
    new Sqlite(at('empty.mbtiles')).exec('CREATE TABLE t (a)').close();
    writeMbTiles(at('roads.mbtiles'), { metadata: { format: 'pbf' } });
    writeMbTiles(at('my farm.mbtiles'));
    writeMbTiles(at('whole.mbtiles'), { metadata: {} });
    expect(faults(maps)).toEqual([
      ['empty.mbtiles', 'no_tiles'],
      ['my farm.mbtiles', 'name'],
      ['roads.mbtiles', 'vector'],
      ['text.mbtiles', 'no_database'],
      ['whole.mbtiles', null],
    ]);
    expect(maps.list().at(-1)).toMatchObject({ name: 'whole', min_zoom: null });
    for (const id of ['text', 'empty']) expect(codeOf(() => maps.tile(id, { z: 0, x: 0, y: 0 }))).toBe('not_found');
  });

  it('that is replaced or taken away is seen at once', () => {
    const { maps, at } = site();
    const tile = { z: 2, x: 1, y: 3 };
    writeMbTiles(at('farm.mbtiles'));
    const { etag } = maps.tile('farm', tile);
    expect(maps.tile('farm', tile).etag).toBe(etag);
    rmSync(at('farm.mbtiles'));
    expect(codeOf(() => maps.tile('farm', tile))).toBe('not_found');
    writeMbTiles(at('farm.mbtiles'));
    utimesSync(at('farm.mbtiles'), 1, 1);
    expect(maps.tile('farm', tile).etag).not.toBe(etag);
  });

  it('is none while the folder is not there', () => {
    const maps = new BaseMapService('/nowhere/base-maps');
    expect([maps.list(), codeOf(() => maps.tile('a', { z: 0, x: 0, y: 0 }))]).toEqual([[], 'not_found']);
  });
});
