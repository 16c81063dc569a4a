import { describe, expect, it } from 'vitest';
import type { ParcelRows } from '../../../../server/contract/parcel.ts';
import { Refusal } from '../../../../server/contract/errors.ts';
import { cadastreMigrations } from '../../../../server/db/migrations/cadastre.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { CadastreRepository } from '../../../../server/db/repositories/cadastre.ts';
import { lookUpRows } from '../../../../server/services/parcel/batch.ts';
import { ParcelService } from '../../../../server/services/parcel/parcel.ts';
import { LocalParcels } from '../../../../server/services/parcel/local.ts';
import { allProviders, parcelRing } from '../../../support/providers.ts';
import { testWholeApi, wholeKey, type WholeApi } from '../../../support/whole-api.ts';

const key = wholeKey;
const boundary = '------------------------d74496d66958873e';
const json = { 'content-type': 'application/json' };

async function site(): Promise<WholeApi & { csv: (file: Buffer | string, more?: CsvOptions) => Promise<Answer> }> {
  const api = await testWholeApi();
  await api.request('POST', '/api/geo/settings', {
    key,
    body: { providers: { vworld: { enabled: true, key: 'k3y', domain: 'farm.kr' } } },
  });
  const csv = async (file: Buffer | string, { name = 'file', query = '' }: CsvOptions = {}): Promise<Answer> => {
    const begin = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(begin), Buffer.from(file), Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const answer = await api.request('POST', `/api/geo/parcel/from_csv${query}`, { key, body, headers });
    return { status: answer.status, body: answer.body as Answer['body'] }; // as the call declares
  };
  return { ...api, csv };
}

interface CsvOptions {
  name?: string;
  query?: string;
}
interface Answer {
  status: number;
  body: ParcelRows & { code?: string; job_id?: string; errors?: { path: string; message: string }[] };
}

const shortOf = ({ body: { rows } }: Answer) =>
  rows.map(({ line, address, name, status, code }) => [line, address, name, status, code ?? '']);

/** Answers `/req/address` by the address, everything else as it is. */
function knows(api: WholeApi, addresses: Record<string, object>): void {
  api.provider.answer = (request, response) => {
    const url = new URL(request.url ?? '', 'https://localhost');
    const told = addresses[url.searchParams.get('address') ?? ''];
    if (url.pathname !== '/req/address' || told === undefined) allProviders(request, response);
    else response.writeHead(200, json).end(JSON.stringify({ response: told }));
  };
}

describe('the parcel of an address', () => {
  it('is found by its place, with the key and nowhere the key', async () => {
    const api = await site();
    const { status, body, text } = await api.request('POST', '/api/geo/parcel/from_address', {
      key,
      body: { address: '과수원로 12' },
    });
    const parcel = {
      address: 'Orchard Lane 12',
      parcel_id: '4111113400100120000',
      provider: 'vworld',
      attribution: 'VWorld (vworld.kr)',
    };
    expect([status, body]).toMatchObject([200, { parcel, candidates: [parcel] }]);
    expect((body as { parcel: { area_m2: number } }).parcel.area_m2).toBeCloseTo(1975.5, 0); // 89.0 m by 22.2 m
    const [place, land] = api.provider.asked.map((path) => new URL(path, 'https://localhost'));
    expect(Object.fromEntries(place?.searchParams ?? [])).toMatchObject({
      address: '과수원로 12',
      type: 'parcel',
      key: 'k3y',
    });
    expect(Object.fromEntries(land?.searchParams ?? [])).toMatchObject({
      geomFilter: 'POINT(127.0005 37.0001)',
      domain: 'farm.kr',
    });
    expect(text).not.toContain('k3y');
    expect(JSON.stringify(api.log)).not.toContain('k3y');
  });

  it('is told as what VWorld says that it is', async () => {
    const api = await site();
    const faults = [
      [{ status: 'NOT_FOUND' }, 404, 'parcel_not_found'],
      [{ status: 'ERROR', error: { code: 'INCORRECT_KEY' } }, 502, 'provider_key_refused'],
      [{ status: 'ERROR', error: { code: 'OVER_REQUEST_LIMIT' } }, 502, 'provider_quota_spent'],
      [{ status: 'ERROR', error: { code: 'INVALID_TYPE' } }, 502, 'provider_refused'],
      [{ status: 'MAYBE' }, 502, 'provider_answer_invalid'],
    ] as const;
    for (const [told, status, code] of faults) {
      knows(api, { there: told });
      const answer = await api.request('POST', '/api/geo/parcel/from_address', { key, body: { address: 'there' } });
      expect([answer.status, answer.body]).toMatchObject([status, { code }]);
    }
  });

  it('is not waited for longer than a call may take, whoever is silent', async () => {
    const silent = { find: () => new Promise<never>(() => undefined), at: () => new Promise<never>(() => undefined) };
    const overlays = { get: async () => Buffer.alloc(0), saveDelta: async () => Promise.reject(new Error('no save')) };
    const parcels = new ParcelService({ overlays, provider: () => silent, imported: silent, limitMs: 20 });
    for (const asked of [parcels.fromAddress('there'), parcels.at({ lat: 37, lng: 127 })])
      await expect(asked).rejects.toMatchObject({ code: 'provider_timeout' });
  });

  it('is asked of nobody while no cadastre is set up', async () => {
    const api = await testWholeApi();
    const answer = await api.request('POST', '/api/geo/parcel/from_address', { key, body: { address: 'there' } });
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'provider_not_configured', setting: 'providers.vworld.enabled' },
    ]);
    expect(api.provider.asked).toEqual([]);
  });
});

describe('a table of addresses', () => {
  it('has a result for each row, and a bad one spoils no other', async () => {
    const api = await site();
    knows(api, { nowhere: { status: 'NOT_FOUND' }, refused: { status: 'ERROR', error: { code: 'X' } } });
    const ring = JSON.stringify({ type: 'Polygon', coordinates: [parcelRing] }).replaceAll('"', '""');
    const lines = ['name,address,geometry', 'North,12 Orchard Lane,', 'None,,', 'Lost,nowhere,', 'Odd,refused,'];
    const answer = await api.csv(
      [...lines, `Drawn,,"${ring}"`, 'Bent,,{"type":1}', `${'x'.repeat(600)},${'y'.repeat(600)},`].join('\n'),
    );
    expect(shortOf(answer)).toEqual([
      [2, '12 Orchard Lane', 'North', 'ok', ''],
      [3, '', 'None', 'invalid', 'no_address'],
      [4, 'nowhere', 'Lost', 'not_found', 'parcel_not_found'],
      [5, 'refused', 'Odd', 'error', 'provider_refused'],
      [6, '', 'Drawn', 'ok', ''],
      [7, '', 'Bent', 'invalid', 'invalid_geometry'],
      [8, 'y'.repeat(500), 'x'.repeat(200), 'invalid', 'too_long'],
    ]);
    expect(answer.body.counts).toEqual({ ok: 2, not_found: 1, invalid: 3, error: 1 });
  });

  it('may have places instead of addresses, with what is no place marked', async () => {
    const api = await site();
    const answer = await api.csv('name,address,lat,lng\nHere,,"37,0001",127.0005\nFar,there,95,127\nHalf,,37,\n');
    expect(shortOf(answer)).toEqual([
      [2, '', 'Here', 'ok', ''],
      [3, 'there', 'Far', 'invalid', 'invalid_place'],
      [4, '', 'Half', 'invalid', 'invalid_place'],
    ]);
    expect(answer.body.rows[0]?.parcel).toMatchObject({ address: 'Orchard Lane 12', provider: 'vworld' });
    expect(answer.body.rows.map(({ place }) => place)).toEqual([{ lat: 37.0001, lng: 127.0005 }, undefined, undefined]);
    expect(api.provider.asked).toHaveLength(1);
    expect(api.provider.asked[0]).toContain('POINT%28127.0005+37.0001%29');
  });

  it('gives up on a provider that is not there, also where none is set up', async () => {
    const api = await site();
    api.provider.cut();
    const rows = Array.from({ length: 50 }, (_, index) => `place ${index},n`).join('\n');
    const { body } = await api.csv(rows);
    expect([body.counts.error, new Set(body.rows.map(({ code }) => code))]).toEqual([
      50,
      new Set(['provider_unreachable']),
    ]);
    await api.request('POST', '/api/geo/settings', { key, body: { providers: { vworld: { enabled: false } } } });
    expect(shortOf(await api.csv('a,b\nc,d')).map((row) => row[4])).toEqual([
      'provider_not_configured',
      'provider_not_configured',
    ]);
  });

  it('finds what was imported, although nobody outside is there', async () => {
    const db = openDatabase(':memory:', { migrations: cadastreMigrations });
    const store = new CadastreRepository(db);
    const geometry = { type: 'Polygon' as const, coordinates: [parcelRing] };
    const made = { unique_id: 'a', name: 'Village', attribution: '', crs: '', parcel_count: 1, skipped_count: 0 };
    store.add([{ address: 'Mill Road 60', parcel_id: '', geometry }], () => ({ ...made, imported_at: '' }));
    const away = async () => Promise.reject(new Refusal('provider_unreachable', 'gone'));
    const rows = Array.from({ length: 60 }, (_, at) => ({
      line: at + 1,
      address: `Mill Road ${at + 1}`,
      name: '',
      lat: '',
      lng: '',
      geometry: '',
    }));
    const asking = {
      provider: () => ({ find: away, at: away }),
      imported: new LocalParcels({
        search: async (...given) => store.search(...given),
        at: async (...given) => store.at(...given),
      }),
      pause: async () => undefined,
    };
    const { counts, rows: told } = await lookUpRows({ rows, ...asking });
    expect([counts, told.at(-1)?.parcel?.provider]).toEqual([
      { ok: 1, not_found: 0, invalid: 0, error: 59 },
      'cadastre',
    ]);
  });

  it('of many rows is a job', async () => {
    const api = await site();
    const rows = Array.from({ length: 101 }, (_, index) => `place ${index},n`).join('\n');
    expect(await api.csv(rows)).toMatchObject({ status: 400, body: { errors: [{ path: 'async' }] } });
    const { status, body } = await api.csv(rows, { query: '?async=true' });
    const job = () => api.request('GET', `/api/jobs/${body.job_id}`, { key });
    expect(status).toBe(201);
    await expect
      .poll(async () => (await job()).body)
      .toMatchObject({ status: 'done', done: 101, result: { counts: { ok: 101 } } });
  });

  it('comes in one part named file', async () => {
    const api = await site();
    expect(await api.csv('a,b', { name: 'other' })).toMatchObject({ status: 400, body: { code: 'invalid_field' } });
    const headers = { 'content-type': 'multipart/form-data; boundary=c' };
    const broken = await api.request('POST', '/api/geo/parcel/from_csv', { key, body: '--b\r\n', headers });
    expect([broken.status, broken.body]).toMatchObject([400, { errors: [{ path: 'file' }] }]);
    const large = await api.request('POST', '/api/geo/parcel/from_csv', {
      key,
      body: Buffer.alloc(6_000_000),
      headers,
    });
    expect([large.status, large.body]).toMatchObject([413, { code: 'payload_too_large' }]);
  });
});

describe('a parcel saved as a site', () => {
  it('is one feature, and the same outline no second one, however it is written', async () => {
    const api = await site();
    const made = await api.request('POST', '/api/geo/designs', {
      key,
      body: { name: 'Farm', lat: 37, lng: 127, zoom: 18 },
    });
    const geo_id = (made.body as { map_uuid: string }).map_uuid;
    const save = (geometry: object, more: object = {}) =>
      api.request('POST', '/api/geo/parcel/save_as_site', { key, body: { geo_id, geometry, name: 'North', ...more } });
    const ring = parcelRing.map(([x = 0, y = 0]) => [x + 4e-7, y]);
    const first = { type: 'Polygon', coordinates: [parcelRing] };
    const [one, two] = await Promise.all([
      save(first),
      save({ type: 'MultiPolygon', coordinates: [[ring.toReversed()]] }),
    ]);
    expect([one.status, one.body]).toMatchObject([
      201,
      { type: 'Feature', geometry: first, properties: { type: 'site', name: 'North' } },
    ]);
    const { unique_id } = (one.body as { properties: { unique_id: string } }).properties;
    expect([two.status, two.body]).toMatchObject([409, { code: 'duplicate_site', unique_id }]);
    const moved = { type: 'Polygon', coordinates: [parcelRing.map(([x = 0, y = 0]) => [x + 0.01, y])] };
    expect((await save(moved)).status).toBe(201);
    expect((await save({ type: 'Polygon', coordinates: [[[1, 1]]] })).body).toMatchObject({ code: 'invalid_geometry' });
    expect((await save({ type: 'Point', coordinates: [1, 1] })).body).toMatchObject({
      code: 'invalid_geometry',
      errors: [{ path: 'geometry.type' }],
    });
    const sites = await api.request('GET', `/api/geo/overlays?geo_id=${geo_id}&type=site`, { key });
    expect((sites.body as { features: unknown[] }).features).toHaveLength(2);
  });
});
