import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { request as httpsRequest } from 'node:https';
import { beforeEach, describe, expect, it } from 'vitest';
import { mediaType } from '../../../server/contract/endpoint.ts';
import { drawn, square } from '../../support/maps.ts';
import { testWholeApi, wholeKey, type WholeApi } from '../../support/whole-api.ts';

let api: WholeApi;
let path: string;

beforeEach(async () => {
  api = await testWholeApi();
  const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
  const { map_uuid } = (await api.request('POST', '/api/geo/designs', { body: view })).body as { map_uuid: string }; // checked by the API
  const features = Array.from({ length: 200 }, (_, at) => drawn({ geometry: square(127 + at / 100, 37) }));
  await api.request('POST', '/api/geo/overlays', { body: { geo_id: map_uuid, features } });
  path = `/api/geo/overlays?geo_id=${map_uuid}`;
});

interface Bytes {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

function get(asked: string, headers: Record<string, string>): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const all = { accept: mediaType, 'x-api-key': wholeKey, ...headers };
    const sent = httpsRequest(`${api.url}${asked}`, { ca: api.ca, family: 4, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('long JSON', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('goes compressed to those who take %s', async (accepted, encoding, open) => {
    const plain = await get(path, {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.bytes.length).toBeGreaterThan(32_768);
    const short = await get(path, { 'accept-encoding': accepted });
    expect(short).toMatchObject({ status: 200, headers: { 'content-encoding': encoding, vary: 'Accept-Encoding' } });
    expect(short.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(open(short.bytes)).toEqual(plain.bytes);
    expect(short.headers['etag']).toBe(`W/${String(plain.headers['etag'])}`);
    const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': String(short.headers['etag']) });
    expect(again).toMatchObject({ status: 304, bytes: { length: 0 } });
  });

  it('goes as it is to those who take nothing, whatever they say', async () => {
    for (const accepted of ['identity', 'identity;q=0, *;q=0', 'nonsense', '']) {
      const { status, headers } = await get(path, { 'accept-encoding': accepted });
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    }
  });
});

it('short answers, refusals and what is no JSON go as they are', async () => {
  for (const asked of ['/api/geo/designs', '/api/nothing', '/api/audit.csv', '/ca.crt']) {
    expect((await get(asked, { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBeUndefined();
  }
});
