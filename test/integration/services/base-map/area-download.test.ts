import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditSink } from '../../../../server/auth/actor.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { Refusal, type ErrorCode } from '../../../../server/contract/errors.ts';
import { UpstreamError } from '../../../../server/outbound/outbound-error.ts';
import { AreaDownloads } from '../../../../server/services/base-map/area-download.ts';
import { BaseMapService } from '../../../../server/services/base-map/base-map.ts';
import type { TileSource } from '../../../../server/services/proxy/tile-sources.ts';
import { AreaFile } from '../../../../server/tiles/area-file.ts';
import { pixel } from '../../../support/providers.ts';

const absent = new Refusal('provider_refused', 'it answered 404', {
  cause: new UpstreamError('absent', 'it answered 404'),
});

const farm = { layer: 'ours', bbox: [-0.001, -0.001, 0.001, 0.001] as [number, number, number, number] };
const area = { ...farm, min_zoom: 0, max_zoom: 2, name: '우리 농장' }; // 1 + 4 + 4 tiles

function site(folder = mkdtempSync(join(tmpdir(), 'orangery-areas-'))) {
  const asked: string[] = [];
  const audited: string[] = [];
  const sink: AuditSink = { record: ({ kind }) => void audited.push(kind) };
  const waited: number[] = [];
  const world: { may_download: boolean; answer: (at: number) => ErrorCode | 'absent' | 'hangs' | null } = {
    may_download: true,
    answer: () => null,
  };
  const source = (): TileSource => ({
    name: 'Ours',
    attribution: 'Survey',
    max_zoom: 18,
    may_download: world.may_download,
    per_minute: 600,
    question: ({ z, x, y }) => ({
      upstream: { id: 'ours', origin: 'https://localhost', policy: 'lan', perMinute: 1 },
      path: `/${z}/${x}/${y}`,
      expects: 'picture',
      fresh_ms: 1,
      keep_ms: 1,
    }),
  });
  const maps = new BaseMapService({ folder, audit: sink });
  const downloads = new AreaDownloads({
    folder,
    maps,
    audit: sink,
    sourceOf: source,
    pause: async (ms, signal) => {
      waited.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
    relay: {
      ask: async ({ path }, options) => {
        expect(options).toEqual({ takesStale: false });
        asked.push(path);
        const code = world.answer(asked.length);
        if (code === 'hangs') await new Promise(() => undefined);
        if (code === 'absent') throw absent;
        if (code !== null && code !== 'hangs') throw new Refusal(code, 'no');
        return { body: pixel, type: 'image/png', etag: '"a"', stored_at_ms: 0, age_s: 0, fresh_s: 0, source: 'asked' };
      },
    },
  });
  onTestFinished(async () => {
    maps.close();
    await downloads.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  downloads.start();
  return { folder, downloads, maps, asked, audited, waited, world };
}

type Site = ReturnType<typeof site>;

async function settled({ downloads }: Site, isSo: (list: ReturnType<AreaDownloads['list']>) => boolean): Promise<void> {
  while (!isSo(downloads.list())) await new Promise((resolve) => setImmediate(resolve));
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(() => 'ok', (error: { code: string }) => error.code); // prettier-ignore

function dropTables(folder: string): void {
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.mbtiles'));
  const db = new Sqlite(join(folder, name));
  db.exec('DROP TABLE tiles; DROP TABLE metadata');
  db.close();
}

describe('an area that is stored', () => {
  it('becomes a map file with every tile of it, at half the pace of the service', async () => {
    const here = site();
    expect(here.downloads.estimate(area)).toEqual({ tiles: 9, bytes: 180_000, duration_s: 2, most_tiles: 20_000 });
    const begun = await here.downloads.begin(area, systemActor);
    expect(begun).toMatchObject({ name: '우리 농장', status: 'running', code: null, done: 0, total: 9 });
    await settled(here, (list) => list.length === 0);
    expect(new Set(here.asked).size).toBe(9);
    expect(here.waited).toEqual(Array(9).fill(200));
    expect(await here.maps.list()).toMatchObject([
      {
        base_map_id: begun.base_map_id,
        name: '우리 농장',
        attribution: 'Survey',
        kind: 'raster',
        fault: null,
        min_zoom: 0,
        max_zoom: 2,
        missing_tiles: 0,
      },
    ]);
    expect(await here.maps.tile(begun.base_map_id, { z: 2, x: 2, y: 1 })).toMatchObject({ body: pixel });
    expect(await codeOf(here.maps.tile(begun.base_map_id, { z: 2, x: 0, y: 0 }))).toBe('not_found');
    expect(readdirSync(join(here.folder, 'downloads'))).toEqual([]);
  });

  it('is paused and goes on where it stopped; one at a time works', async () => {
    const here = site();
    here.world.answer = (at) => (at === 4 ? 'provider_quota_spent' : null);
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    await settled(here, ([one]) => one?.done === 3);
    expect(await codeOf(here.downloads.begin(area, systemActor))).toBe('conflict');
    expect(await here.downloads.pause(base_map_id, systemActor)).toMatchObject({
      status: 'paused',
      code: null,
      done: 3,
    });
    const other = await here.downloads.begin({ ...area, max_zoom: 0 }, systemActor);
    expect(await codeOf(Promise.resolve().then(() => here.downloads.resume(base_map_id, systemActor)))).toBe(
      'conflict',
    );
    await settled(here, (list) => list.every(({ base_map_id: id }) => id !== other.base_map_id));
    expect(here.downloads.resume(base_map_id, systemActor)).toMatchObject({ status: 'running', done: 3 });
    await settled(here, (list) => list.length === 0);
    expect((await here.maps.list()).map(({ fault }) => fault)).toEqual([null, null]);
    const kinds = ['download', 'download_pause', 'download', 'download_resume'].map((kind) => `base_map.${kind}`);
    expect(here.audited).toEqual(kinds);
  });

  it('is paused at once while the service is silent', async () => {
    const here = site();
    here.world.answer = (at) => (at === 4 ? 'hangs' : null);
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    await settled(here, ([one]) => one?.done === 3);
    expect(await here.downloads.pause(base_map_id, systemActor)).toMatchObject({ status: 'paused', done: 3 });
  });

  it('goes on after a restart, asking for nothing twice', async () => {
    const first = site();
    first.world.answer = (at) => (at > 4 ? 'provider_unreachable' : null);
    const { base_map_id } = await first.downloads.begin(area, systemActor);
    await settled(first, ([one]) => one?.done === 4);
    await first.downloads.stop();
    expect(first.downloads.list()).toEqual([]);
    const again = site(first.folder);
    expect(again.downloads.list()).toMatchObject([{ base_map_id, status: 'running', done: 4, total: 9 }]);
    await settled(again, (list) => list.length === 0);
    expect(again.asked).toHaveLength(5);
    expect(await again.maps.list()).toMatchObject([{ base_map_id, fault: null }]);
  });

  it('waits for a service that is not there, and then for a person', async () => {
    const here = site();
    here.world.answer = (at) => (at > 2 ? 'provider_unreachable' : null);
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    await settled(here, ([one]) => one?.status === 'paused');
    expect(here.downloads.list()).toMatchObject([{ status: 'paused', code: 'provider_unreachable', done: 2 }]);
    expect(here.waited.slice(2)).toEqual([2_000, 10_000, 30_000, 60_000]);
    here.world.answer = () => null;
    here.downloads.resume(base_map_id, systemActor);
    await settled(here, (list) => list.length === 0);
  });

  it('does without tiles that the service has not, but not without all', async () => {
    const here = site();
    here.world.answer = (at) => (at === 2 ? 'absent' : null);
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    await settled(here, ([one]) => (one?.done ?? 0) >= 4);
    expect(here.downloads.list()).toMatchObject([{ missing: 1 }]);
    await settled(here, (list) => list.length === 0);
    expect(await here.maps.list()).toMatchObject([{ base_map_id, fault: null, missing_tiles: 1 }]);
    here.world.answer = () => 'absent';
    await here.downloads.begin(area, systemActor);
    await settled(here, ([one]) => one?.status === 'paused');
    expect(here.downloads.list()).toMatchObject([{ code: 'provider_refused', done: 9, missing: 9 }]);
  });

  it.each(['provider_answer_invalid', 'provider_refused'] as const)(
    'leaves out a tile with %s, and stops at a row of them, which is asked for anew',
    async (code) => {
      const here = site();
      const larger = { ...area, max_zoom: 4 }; // 17 tiles
      here.world.answer = (at) => (at === 2 || at > 4 ? code : null);
      const { base_map_id } = await here.downloads.begin(larger, systemActor);
      await settled(here, ([one]) => one?.status === 'paused');
      expect(here.asked).toHaveLength(14 + 1); // one that it gave before, and it does not
      expect(here.asked.at(-1)).toBe(here.asked[3]);
      expect(here.downloads.list()).toMatchObject([{ code, done: 4, missing: 1 }]);
      here.world.answer = () => null;
      here.downloads.resume(base_map_id, systemActor);
      await settled(here, (list) => list.length === 0);
      expect(here.asked).toHaveLength(15 + 13);
      expect(await here.maps.list()).toMatchObject([{ base_map_id, missing_tiles: 1 }]);
    },
  );

  it('goes on after a row of pages that are no pictures, while the service still gives what it gave before', async () => {
    const here = site();
    const first = new Set<string>();
    here.world.answer = (at) => {
      const path = here.asked[at - 1] ?? '';
      if (at <= 3) first.add(path);
      return first.has(path) ? null : 'provider_answer_invalid';
    };
    const { base_map_id } = await here.downloads.begin({ ...area, max_zoom: 5 }, systemActor); // 21 tiles
    await settled(here, (list) => list.length === 0);
    expect(here.asked).toHaveLength(21 + 1);
    expect(await here.maps.list()).toMatchObject([{ base_map_id, missing_tiles: 18 }]);
  });

  it('is asked again for what it misses, and serves meanwhile', async () => {
    const here = site();
    here.world.answer = (at) => (at === 2 || at === 5 ? 'absent' : null);
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    await settled(here, (list) => list.length === 0);
    const missed = [here.asked[1], here.asked[4]];
    expect(await here.maps.list()).toMatchObject([{ missing_tiles: 2, area: { layer: 'ours', bbox: area.bbox } }]);
    here.asked.length = 0;
    here.world.answer = (at) => (at === 2 ? 'hangs' : null);
    const begun = await here.downloads.complete(base_map_id, systemActor);
    expect(begun).toMatchObject({ base_map_id, name: '우리 농장', status: 'running', total: 9, missing: 0 });
    await settled(here, ([one]) => (one?.done ?? 0) >= 4 && here.asked.length === 2);
    expect(await codeOf(here.downloads.complete(base_map_id, systemActor))).toBe('conflict');
    expect(await here.maps.tile(base_map_id, { z: 0, x: 0, y: 0 })).toMatchObject({ body: pixel });
    await here.downloads.stop();
    const again = site(here.folder);
    await settled(again, (list) => list.length === 0);
    expect([here.asked, again.asked]).toEqual([missed, [missed[1]]]);
    expect(await again.maps.list()).toMatchObject([{ base_map_id, fault: null, missing_tiles: 0 }]);
    expect(await codeOf(again.downloads.complete(base_map_id, systemActor))).toBe('conflict');
    expect(await codeOf(again.downloads.complete('nowhere', systemActor))).toBe('not_found');
    expect(here.audited).toEqual(['base_map.download', 'base_map.download_complete']);
  });

  it('stays as it is when asking again for what it misses is cancelled', async () => {
    const here = site();
    here.world.answer = (at) => (at === 2 ? 'absent' : null);
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    await settled(here, (list) => list.length === 0);
    here.world.answer = () => 'hangs';
    await here.downloads.complete(base_map_id, systemActor);
    writeFileSync(join(here.folder, 'downloads', 'area-cut.mbtiles.copy'), 'half a copy');
    await here.downloads.cancel(base_map_id, systemActor);
    expect(await here.maps.list()).toMatchObject([{ base_map_id, fault: null, missing_tiles: 1 }]);
    const again = site(here.folder);
    expect(again.downloads.list()).toEqual([]);
    expect(readdirSync(join(here.folder, 'downloads'))).toEqual([]);
  });

  it('is gone when it is cancelled, and a damaged file of one holds nothing up', async () => {
    const here = site();
    const { base_map_id } = await here.downloads.begin(area, systemActor);
    expect(await here.downloads.cancel(base_map_id, systemActor)).toEqual({ base_map_id, deleted: true });
    expect(readdirSync(join(here.folder, 'downloads'))).toEqual([]);
    expect(await codeOf(here.downloads.cancel(base_map_id, systemActor))).toBe('not_found');
    writeFileSync(join(here.folder, 'downloads', 'area-broken.mbtiles'), 'no database');
    const again = site(here.folder);
    expect(again.downloads.list()).toEqual([]);
    expect(existsSync(join(here.folder, 'downloads', 'area-broken.mbtiles'))).toBe(true);
  });

  it('counts no tile that the disk did not take', async () => {
    const here = site();
    here.world.answer = (at) => {
      if (at === 3) dropTables(join(here.folder, 'downloads'));
      return null;
    };
    await here.downloads.begin(area, systemActor);
    await settled(here, ([one]) => one?.status === 'paused');
    expect(here.downloads.list()).toMatchObject([{ code: 'storage_failed', done: 2 }]);
  });

  it('is among the maps after a restart where its last step was to be moved there', async () => {
    const { folder } = site();
    mkdirSync(join(folder, 'downloads'));
    const path = join(folder, 'downloads', 'area-whole.mbtiles');
    const file = new AreaFile(path, { ...area, attribution: 'Survey' });
    file.put({ z: 0, x: 0, y: 0 }, { body: pixel, type: 'image/png' }, 'last');
    file.finish(0);
    file.close();
    const again = site(folder);
    expect(again.downloads.list()).toEqual([]);
    expect(await again.maps.list()).toMatchObject([{ base_map_id: 'area-whole', fault: null }]);
  });

  it.each([
    ['too large', { max_zoom: 18, bbox: [0, 0, 1, 1] }, true, 'payload_too_large'],
    ['nothing', { bbox: [1, 0, 1, 1] }, true, 'invalid_field'],
    ['upside down', { min_zoom: 3 }, true, 'invalid_field'],
    ['deeper than the service', { max_zoom: 19 }, true, 'invalid_field'],
    ['of a service that forbids it', {}, false, 'provider_refused'],
  ] as const)('is refused before anything is asked: %s', async (_, change, may_download, code) => {
    const here = site();
    here.world.may_download = may_download;
    expect(await codeOf(here.downloads.begin({ ...area, ...change } as typeof area, systemActor))).toBe(code);
    expect(here.asked).toEqual([]);
    expect(existsSync(join(here.folder, 'downloads'))).toBe(false);
  });
});
