import { expect, it } from 'vitest';
import { en } from '../../../renderer/i18n/en/index.ts';
import type { ErrorCode } from '../../../server/contract/errors.ts';
import type { Job } from '../../../server/contract/job.ts';
import type { ParcelRows } from '../../../server/contract/parcel.ts';
import { shapefileZip } from '../../support/parcel-files.ts';
import { pixel } from '../../support/providers.ts';
import type { TestAnswer } from '../../support/api.ts';
import type { Answering } from '../../support/upstream.ts';
import { testWholeApi, wholeKey, type WholeApi } from '../../support/whole-api.ts';

const key = wholeKey;
const boundary = 'part-of-the-form';
const rowCount = 10_000;

function upload(api: WholeApi, path: string, file: Buffer): Promise<TestAnswer> {
  const begin = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: text/csv\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(begin), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return api.request('POST', path, {
    key,
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

const address = (api: WholeApi) =>
  api.request('POST', '/api/geo/parcel/from_address', { key, body: { address: '12 Orchard Lane' } });
const weather = (api: WholeApi) => api.request('GET', '/api/geo/proxy/openweather?lat=37&lon=127', { key });
const tile = (api: WholeApi) => api.request('GET', '/api/geo/tile_proxy?layer=gsi.map&z=3&x=7&y=3', { key });
const says =
  (status: number, type: string, body: string | Buffer = ''): Answering =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
const half: Answering = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"coord":');
  setTimeout(() => response.destroy(), 5);
};

interface Case {
  what: string;
  /** What the outside service does meanwhile. */
  upstream?: Answering;
  ask: (api: WholeApi) => Promise<TestAnswer>;
  /** Work that goes on: told by its job. */
  isJob?: true;
  status: number;
  code: ErrorCode;
  /** What stands with the code, so that it can be put right. */
  more?: object;
}

const cases: Case[] = [
  {
    what: 'no provider configured',
    ask: address,
    status: 409,
    code: 'provider_not_configured',
    more: { setting: 'providers.vworld.enabled' },
  },
  { what: 'a refused key', upstream: says(401, 'application/json', '{}'), ask: weather, status: 502, code: 'provider_key_refused' }, // prettier-ignore
  { what: 'a spent quota', upstream: says(429, 'text/html'), ask: weather, status: 502, code: 'provider_quota_spent' },
  { what: 'a slow upstream', upstream: () => undefined, ask: weather, status: 504, code: 'provider_timeout' },
  { what: 'a wrong type', upstream: says(200, 'application/pdf', '%PDF'), ask: weather, status: 502, code: 'provider_answer_invalid' }, // prettier-ignore
  { what: 'half an answer that breaks off', upstream: half, ask: weather, status: 502, code: 'provider_unreachable' },
  { what: 'half an answer that ends', upstream: says(200, 'application/json', '{"coord":'), ask: weather, status: 502, code: 'provider_answer_invalid' }, // prettier-ignore
  { what: 'HTML instead of a picture', upstream: says(200, 'text/html', '<html>Log in</html>'), ask: tile, status: 502, code: 'provider_answer_invalid' }, // prettier-ignore
  { what: 'HTML that says that it is a picture', upstream: says(200, 'image/png', '<html>Log in</html>'), ask: tile, status: 502, code: 'provider_answer_invalid' }, // prettier-ignore
  {
    what: 'a shapefile without .prj',
    isJob: true,
    ask: (api) => upload(api, '/api/geo/cadastres?name=Village', shapefileZip([{ corner: [1e6, 2e6], side: 9, properties: {} }])), // prettier-ignore
    status: 400,
    code: 'unknown_crs',
  },
  {
    what: 'an MBTiles that is no database',
    ask: (api) => upload(api, '/api/geo/base_maps?name=farm.mbtiles&offset=0&total_bytes=70', pixel),
    status: 400,
    code: 'unreadable_file',
    more: { fault: 'no_database' },
  },
  {
    what: 'a CSV of one row too many',
    ask: (api) => upload(api, '/api/geo/parcel/from_csv?async=true', csvOf(rowCount + 1)),
    status: 400,
    code: 'invalid_field',
    more: { errors: [{ path: 'file', message: 'has more than 10000 rows' }] },
  },
];

function csvOf(rows: number): Buffer {
  const lines = Array.from({ length: rows }, (_, at) => `논 ${at},지번 없음 ${at}`);
  return Buffer.from(`\ufeffname,address\r\n${lines.join('\r\n')}\r\n`, 'utf16le');
}

async function ended(api: WholeApi, begun: TestAnswer): Promise<Job> {
  const { job_id } = begun.body as { job_id: string }; // a job that began
  const job = async (): Promise<Job> => (await api.request('GET', `/api/jobs/${job_id}`, { key })).body as Job;
  await expect.poll(async () => (await job()).status).not.toBe('running');
  return job();
}

async function storedIn(api: WholeApi): Promise<unknown[]> {
  const lists = ['/api/geo/cadastres', '/api/geo/base_maps', '/api/geo/base_map_downloads', '/api/geo/designs'];
  return Promise.all(lists.map(async (path) => (await api.request('GET', path, { key })).body));
}

it('has a clear code for each bad input of the map and its services, says what to do, and keeps nothing of it', async () => {
  const api = await testWholeApi();
  const body = { providers: { openweather: { enabled: true, key: 'k3y' }, gsi: { enabled: true } } };
  await api.request('POST', '/api/geo/settings', { key, body });
  const good = api.provider.answer;
  const before = await storedIn(api);
  for (const { what, upstream, ask, isJob, status, code, more = {} } of cases) {
    if (upstream !== undefined) api.provider.answer = upstream;
    const answer = await ask(api);
    const told = isJob ? (await ended(api, answer)).error : answer.body;
    expect([what, told]).toMatchObject([what, { code, ...(isJob ? {} : { status }), ...more }]);
    if (!isJob) expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(answer.text, what).not.toContain('k3y');
    expect([what, ...(await storedIn(api))]).toEqual([what, ...before]);
    // What is wrong, and what to do; a field says it itself.
    if (code !== 'invalid_field') expect(en.errors[code], what).toMatch(/[.?] .+[.?]$/);
  }
  api.provider.answer = good;
  for (const ask of [weather, tile]) expect((await ask(api)).headers['x-cache']).toBe('MISS'); // nothing of the bad ones was kept
  expect(api.faults).toEqual([]);
});

it('takes a CSV of 10,000 rows in UTF-16, with a result for each of them', async () => {
  const api = await testWholeApi();
  const begun = await upload(api, '/api/geo/parcel/from_csv?async=true', csvOf(rowCount));
  expect(begun.status).toBe(201);
  const { rows, counts } = (await ended(api, begun)).result as ParcelRows;
  expect(counts).toEqual({ ok: 0, not_found: 0, invalid: 0, error: rowCount });
  expect(rows.at(-1)).toEqual({
    line: rowCount + 1,
    address: `지번 없음 ${rowCount - 1}`,
    name: `논 ${rowCount - 1}`,
    status: 'error',
    code: 'provider_not_configured',
  });
});
