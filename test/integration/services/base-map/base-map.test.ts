import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gzipSync } from 'node:zlib';
import { TileType } from 'pmtiles';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { BaseMapService, faultOf } from '../../../../server/services/base-map/base-map.ts';
import { BaseMapUpload } from '../../../../server/services/base-map/upload.ts';
import { writeMbTiles } from '../../../support/mbtiles.ts';
import { pmTilesOf, writePmTiles } from '../../../support/pmtiles.ts';
import { pixel } from '../../../support/providers.ts';
import { canMount, smallDisk } from '../../../support/small-disk.ts';

function site(folder = mkdtempSync(join(tmpdir(), 'orangery-base-maps-'))) {
  const told: string[] = [];
  const audit = {
    record: ({ kind, target }: { kind: string; target?: string }) => void told.push(`${kind} ${target}`),
  };
  const maps = new BaseMapService({ folder, audit });
  const upload = new BaseMapUpload({ folder, audit, baseMaps: maps, now: Date.now });
  onTestFinished(() => {
    maps.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { maps, upload, told, at: (name: string) => join(folder, name) };
}

const faults = async (maps: BaseMapService) => (await maps.list()).map(({ file, fault }) => [file, fault]);
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(() => 'ok', (error: { code: string }) => error.code); // prettier-ignore

describe('a map file', () => {
  it('is there once it lies in the folder, with what it says of itself', async () => {
    const { maps, at } = site();
    writeMbTiles(at('farm.mbtiles'));
    expect(await maps.list()).toMatchObject([
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
    expect(await maps.tile('farm', { z: 2, x: 1, y: 3 })).toMatchObject({ body: pixel, type: 'image/png' });
  });

  it('has its rows counted from the south, and only the tiles that it has', async () => {
    const { maps, at } = site();
    writeMbTiles(at('a.mbtiles'), { tiles: [[0, 0, 0], [1, 0, 1], [1, 1, 0, Buffer.from('<html>')]] }); // prettier-ignore
    const places = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
      [1, 1, 1],
      [25, 5, 5],
    ];
    const found = places.map(([z = 0, x = 0, y = 0]) => codeOf(maps.tile('a', { z, x, y })));
    expect(await Promise.all(found)).toEqual(['ok', 'ok', 'not_found', 'not_found', 'not_found']);
    expect(await codeOf(maps.tile('b', { z: 0, x: 0, y: 0 }))).toBe('not_found');
  });

  it('that cannot be drawn says why, and holds up no other', async () => {
    const { maps, at } = site();
    writeFileSync(at('text.mbtiles'), 'this is no database, '.repeat(100));
    writeFileSync(at('notes.txt'), 'hello');
    mkdirSync(at('folder.mbtiles'));
    new Sqlite(at('empty.mbtiles')).exec('CREATE TABLE t (a)').close();
    new Sqlite(at('slow.mbtiles'))
      .exec(
        `CREATE TABLE metadata (name text, value text); CREATE TABLE n (i integer);
         CREATE VIEW tiles AS WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)
           SELECT i AS zoom_level, i AS tile_column, i AS tile_row, x'00' AS tile_data FROM c`,
      )
      .close();
    new Sqlite(at('view.mbtiles')).exec("CREATE VIEW metadata AS SELECT 'name' AS name, 'x' AS value").close();
    writeFileSync(at('half.pmtiles'), pmTilesOf({ tiles: [[0, 0, 0, pixel]] }).subarray(0, 140));
    writePmTiles(at('other.pmtiles'), { type: TileType.Avif, tiles: [[0, 0, 0, pixel]] });
    writeMbTiles(at('my farm.mbtiles'));
    writeMbTiles(at('whole.mbtiles'), { metadata: {} });
    expect(await faults(maps)).toEqual([
      ['empty.mbtiles', 'no_tiles'],
      ['half.pmtiles', 'no_archive'],
      ['my farm.mbtiles', 'name'],
      ['other.pmtiles', 'format'],
      ['slow.mbtiles', 'no_index'],
      ['text.mbtiles', 'no_database'],
      ['view.mbtiles', 'no_tiles'],
      ['whole.mbtiles', null],
    ]);
    expect((await maps.list()).at(-1)).toMatchObject({ name: 'whole', min_zoom: null });
    for (const id of ['text', 'empty', 'half', 'slow'])
      expect(await codeOf(maps.tile(id, { z: 0, x: 0, y: 0 }))).toBe('not_found');
  });

  it.each([
    [
      'an index of the zoom alone',
      'CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data); CREATE INDEX i ON tiles (zoom_level)',
      'no_index',
    ],
    [
      'pictures found one by one',
      'CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id, PRIMARY KEY (zoom_level, tile_column, tile_row)); CREATE TABLE images (tile_id, tile_data); CREATE VIEW tiles AS SELECT * FROM map JOIN images USING (tile_id)',
      'no_index',
    ],
    [
      'pictures that are kept once',
      'CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id); CREATE UNIQUE INDEX m ON map (zoom_level, tile_column, tile_row); CREATE TABLE images (tile_id, tile_data); CREATE UNIQUE INDEX i ON images (tile_id); CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images ON images.tile_id = map.tile_id',
      null,
    ],
    [
      'rows in the order of their places',
      'CREATE TABLE shallow (zoom_level integer, tile_column integer, tile_row integer, data_id integer, PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID; CREATE TABLE data (data_id integer PRIMARY KEY, tile_data blob); CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM shallow LEFT JOIN data ON data.data_id = shallow.data_id',
      null,
    ],
  ])('with %s is judged by what a tile costs', async (_, sql, fault) => {
    const { maps, at } = site();
    new Sqlite(at('a.mbtiles')).exec(`CREATE TABLE metadata (name text, value text); ${sql}`).close();
    expect(await faults(maps)).toEqual([['a.mbtiles', fault]]);
  });

  it('that cannot even be opened has a fault, as any other', async () => {
    expect(await faultOf('/nowhere/a.pmtiles')).toBe('no_archive');
    expect(await faultOf('/nowhere/a.mbtiles')).toBe('no_database');
  });

  it('has no tile, text or directory of any size', async () => {
    const { maps, at } = site();
    const long = 'n'.repeat(2_000_000);
    writeMbTiles(at('long.mbtiles'), {
      metadata: { name: long, [long]: 'x', format: 'png' },
      tiles: [[0, 0, 0, pixel], [1, 0, 0, Buffer.concat([pixel, Buffer.alloc(9_000_000)])]], // prettier-ignore
    });
    expect(await maps.list()).toMatchObject([{ name: 'long', fault: null }]);
    expect(await codeOf(maps.tile('long', { z: 0, x: 0, y: 0 }))).toBe('ok');
    expect(await codeOf(maps.tile('long', { z: 1, x: 0, y: 1 }))).toBe('not_found');
    const one = Buffer.from('x');
    for (const [length, fault] of [
      [200_000, null],
      [270_000, 'no_archive'],
    ] as const) {
      // prettier-ignore
      const tiles = Array.from({ length }, (_, index) => [10, index % 1024, Math.floor(index / 1024), one] as const);
      writePmTiles(at('wide.pmtiles'), { tiles });
      expect(await faultOf(at('wide.pmtiles'))).toBe(fault);
    }
  });

  it('is closed once what is being read has been', async () => {
    const { maps, at } = site();
    writePmTiles(at('farm.pmtiles'), { tiles: [[0, 0, 0, pixel]] });
    await maps.list();
    const read = maps.tile('farm', { z: 0, x: 0, y: 0 });
    maps.close();
    expect(await codeOf(read)).toMatch(/^(ok|not_found)$/);
  });

  it('that is replaced or taken away is seen at once', async () => {
    const { maps, at, told } = site();
    const tile = { z: 2, x: 1, y: 3 };
    writeMbTiles(at('farm.mbtiles'));
    const { etag } = await maps.tile('farm', tile);
    expect((await maps.tile('farm', tile)).etag).toBe(etag);
    rmSync(at('farm.mbtiles'));
    expect(await codeOf(maps.tile('farm', tile))).toBe('not_found');
    writeMbTiles(at('farm.mbtiles'));
    utimesSync(at('farm.mbtiles'), 1, 1);
    expect((await maps.tile('farm', tile)).etag).not.toBe(etag);
    expect(await maps.remove('farm', systemActor)).toEqual({ base_map_id: 'farm', deleted: true });
    expect([await codeOf(maps.tile('farm', tile)), told]).toEqual(['not_found', ['base_map.delete farm.mbtiles']]);
    await expect(maps.remove('farm', systemActor)).rejects.toThrow(/no such map file/);
  });

  it('of the same name with the other ending says so, and is not deleted with it', async () => {
    const { maps, upload, at } = site();
    writeMbTiles(at('farm.mbtiles'));
    writePmTiles(at('farm.pmtiles'), { tiles: [[0, 0, 0, pixel]] });
    expect((await maps.list()).map(({ base_map_id, fault }) => [base_map_id, fault])).toEqual([
      ['farm', null],
      [null, 'same_name'],
    ]);
    await maps.remove('farm', systemActor);
    expect([existsSync(at('farm.mbtiles')), await faults(maps)]).toEqual([false, [['farm.pmtiles', null]]]);
    const other = Buffer.from('SQLite format 3\0');
    const sent = upload.receive({ name: 'farm.mbtiles', offset: 0, total_bytes: 500 }, other, systemActor);
    await expect(sent).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('farm.pmtiles') as string,
    });
  });

  it('is none while the folder is not there', async () => {
    const maps = new BaseMapService({ folder: '/nowhere/base-maps', audit: { record: () => undefined } });
    expect([await maps.list(), await codeOf(maps.tile('a', { z: 0, x: 0, y: 0 }))]).toEqual([[], 'not_found']);
  });

  it('of PMTiles is served as one of MBTiles is', async () => {
    const { maps, at } = site();
    const metadata = { name: 'Valley', attribution: '<a href="https://a.example">&copy; Survey</a> &amp; sons' };
    const other = Buffer.concat([pixel, Buffer.from('more')]);
    writePmTiles(at('valley.pmtiles'), { metadata, tiles: [[3, 5, 6, pixel], [0, 0, 0, other]] }); // prettier-ignore
    expect(await maps.list()).toMatchObject([
      {
        base_map_id: 'valley',
        name: 'Valley',
        attribution: '© Survey & sons',
        kind: 'raster',
        min_zoom: 0,
        max_zoom: 3,
      },
    ]);
    expect(await maps.tile('valley', { z: 3, x: 5, y: 6 })).toMatchObject({ body: pixel, type: 'image/png' });
    expect(await maps.tile('valley', { z: 0, x: 0, y: 0 })).toMatchObject({ body: other });
    expect(await codeOf(maps.tile('valley', { z: 3, x: 5, y: 7 }))).toBe('not_found');
    expect(await codeOf(maps.vectorTile('valley', { z: 3, x: 5, y: 6 }))).toBe('not_found');
  });

  it('of vector tiles has them unpacked, empty where there is none, and no bomb', async () => {
    const { maps, at } = site();
    const json = JSON.stringify({ vector_layers: [{ id: 'water' }, { id: 'roads' }, 7] });
    const tile = Buffer.from('a tile');
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    writeMbTiles(at('roads.mbtiles'), {
      metadata: { format: 'pbf', json },
      tiles: [[0, 0, 0, gzipSync(tile)], [1, 0, 0, tile], [1, 1, 0, bomb]], // prettier-ignore
    });
    writePmTiles(at('lanes.pmtiles'), { type: TileType.Mvt, tiles: [[0, 0, 0, tile], [1, 1, 1, Buffer.alloc(50_000_000)]] }); // prettier-ignore
    expect((await maps.list()).map(({ kind, layers, fault }) => [kind, layers, fault])).toEqual([
      ['vector', [], null],
      ['vector', ['water', 'roads'], null],
    ]);
    const type = 'application/vnd.mapbox-vector-tile';
    for (const id of ['roads', 'lanes']) {
      expect(await maps.vectorTile(id, { z: 0, x: 0, y: 0 })).toMatchObject({ body: tile, type });
      expect((await maps.vectorTile(id, { z: 2, x: 0, y: 0 })).body).toHaveLength(0);
      expect(await codeOf(maps.vectorTile(id, { z: 1, x: 1, y: 1 }))).toBe('not_found');
      expect(await codeOf(maps.tile(id, { z: 0, x: 0, y: 0 }))).toBe('not_found');
    }
  });
});

describe('an uploaded map file', () => {
  const archive = pmTilesOf({ tiles: [[0, 0, 0, pixel], [1, 0, 0, pixel]] }); // prettier-ignore
  const total_bytes = archive.length;
  const name = 'farm.pmtiles';

  it('comes by parts, goes on where it broke off, and is a map with the last one', async () => {
    const { maps, upload, told } = site();
    const send = (from: number, to: number) =>
      upload.receive({ name, offset: from, total_bytes }, archive.subarray(from, to), systemActor);
    expect(await send(0, 100)).toEqual({ received_bytes: 100, base_map: null });
    expect(await maps.list()).toEqual([]);
    await expect(send(120, 150)).rejects.toMatchObject({ code: 'conflict', members: { received_bytes: 100 } });
    const both = await Promise.all([codeOf(send(100, 150)), codeOf(send(100, 150))]);
    expect(both.toSorted()).toEqual(['conflict', 'ok']);
    expect(await send(150, total_bytes)).toMatchObject({ base_map: { base_map_id: 'farm', fault: null } });
    expect((await maps.tile('farm', { z: 1, x: 0, y: 0 })).body).toEqual(pixel);
    expect(told).toEqual(['base_map.upload farm.pmtiles']);
    expect(await codeOf(send(0, 100))).toBe('already_exists');
  });

  it('begins anew where it is begun anew', async () => {
    const { upload } = site();
    const begin = (to: number) =>
      upload.receive({ name, offset: 0, total_bytes }, archive.subarray(0, to), systemActor);
    expect(await begin(200)).toEqual({ received_bytes: 200, base_map: null });
    expect(await begin(total_bytes)).toMatchObject({
      received_bytes: total_bytes,
      base_map: { base_map_id: 'farm', fault: null },
    });
  });

  it.each([
    ['no database', 'a.mbtiles', Buffer.from('this is no database'), 'no_database'],
    ['an archive by another name', 'a.mbtiles', archive, 'no_database'],
    ['half an archive', name, archive.subarray(0, 140), 'no_archive'],
    ['a picture', name, pixel, 'no_database'],
  ])('that is %s is refused with why, and nothing of it stays', async (_, file, bytes, fault) => {
    const { maps, upload, at } = site();
    const sent = upload.receive({ name: file, offset: 0, total_bytes: bytes.length }, bytes, systemActor);
    await expect(sent).rejects.toMatchObject({ code: 'unreadable_file', members: { fault } });
    expect([await maps.list(), existsSync(at(`uploads/${file}`))]).toEqual([[], false]);
  });

  it('for which there is no room, or of more bytes than it said, is refused', async () => {
    const { upload } = site();
    const part = archive.subarray(0, 100);
    expect(await codeOf(upload.receive({ name, offset: 0, total_bytes: 1e12 }, part, systemActor))).toBe(
      'storage_failed',
    );
    expect(await codeOf(upload.receive({ name, offset: 0, total_bytes: 99 }, part, systemActor))).toBe('invalid_field');
  });

  it.skipIf(!canMount)('leaves the rest of the program its room, also where that went while it came', async () => {
    const { folder } = smallDisk(260); // 4 MiB more than is left free
    const { upload } = site(folder);
    const send = (from: number, to: number) =>
      codeOf(upload.receive({ name, offset: from, total_bytes }, archive.subarray(from, to), systemActor));
    expect(await send(0, 100)).toBe('ok');
    writeFileSync(join(folder, 'measured'), Buffer.alloc(5 * 1024 * 1024));
    expect(await send(100, 200)).toBe('storage_failed');
    rmSync(join(folder, 'measured'));
    expect(await send(100, 200)).toBe('ok');
  });

  it('is not held up by another that ended while the folder was looked through', async () => {
    const { upload, at } = site();
    mkdirSync(at('uploads'));
    symlinkSync('/nowhere/at/all', at('uploads/gone.pmtiles')); // listed, and not there
    expect(await codeOf(upload.receive({ name, offset: 0, total_bytes }, archive, systemActor))).toBe('ok');
  });
});
