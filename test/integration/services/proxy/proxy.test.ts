import { deflateSync } from 'node:zlib';
import { decode, encode } from 'fast-png';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProviderId, TileTemplate } from '../../../../server/contract/provider.ts';
import { settings, type Settings } from '../../../../server/contract/setting.ts';
import type { WmsLayer } from '../../../../server/contract/wms-layer.ts';
import { composeProxies } from '../../../../server/composition/proxies.ts';
import type { WmsProxy } from '../../../../server/services/proxy/wms.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';
import { mergeByKey, type Fields } from '../../../../server/services/setting/merge-by-key.ts';
import { enlargedPart } from '../../../../server/tiles/over-zoom.ts';
import { RecentPictures } from '../../../../server/tiles/recent-pictures.ts';
import { forecastQuestion } from '../../../../server/upstream/openmeteo.ts';
import { FakeClock } from '../../../support/accounts.ts';
import { allProviders, frameTime, pixel, startProviders } from '../../../support/providers.ts';

const place = { latitude: 37.5, longitude: 127.1, hourly: 'temperature_2m' };
const [minute, day] = [60_000, 86_400_000];

interface Kept {
  providers?: { [Id in ProviderId]?: { enabled?: boolean; key?: string; templates?: TileTemplate[] } };
  wms_layers?: (Omit<WmsLayer, 'password'> & { password?: string })[];
}

/** The settings that the service reads, with what is saved over what is delivered. */
function settingsOf() {
  const kept: Kept = {};
  return {
    save: (changes: Kept) => void Object.assign(kept, mergeByKey({ ...kept }, { ...changes })),
    get: (): Settings =>
      settings.parse(
        JSON.parse(
          JSON.stringify(mergeByKey(defaultSettings('UTC') as object as Fields, { ...kept })),
          (name, value: unknown) => (name === 'key' || name === 'password' ? { set: true } : value),
        ),
      ),
    providerKey: (id: ProviderId) => kept.providers?.[id]?.key,
    wmsPassword: (id: string) => kept.wms_layers?.find(({ unique_id }) => unique_id === id)?.password,
  };
}

async function site(changes: Kept = {}, timeoutMs = 30_000) {
  const { save, ...stored } = settingsOf();
  save(changes);
  const clock = new FakeClock();
  const { provider, outside } = await startProviders();
  const begun = new AsyncDisposableStack();
  const warned: string[] = [];
  onTestFinished(() => begun.disposeAsync());
  const { proxies, wms, asking } = composeProxies({
    settings: stored.get,
    keys: stored,
    clock: clock.now,
    outside: { ...outside, timeoutMs },
    relayCacheFile: ':memory:',
    begun,
    log: { warn: (message) => void warned.push(message) },
  });
  return { proxies, wms, asking, provider, save, clock, warned };
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(() => 'ok', (error: { code: string }) => error.code); // prettier-ignore

describe('an outside service', () => {
  it('is asked once for however many ask the same, and again when the answer is old', async () => {
    const { proxies, provider, clock } = await site();
    const all = await Promise.all([1, 2, 3].map(() => proxies.forecast(place)));
    expect(new Set(all.map(({ body }) => body.toString())).size).toBe(1);
    expect(provider.asked).toEqual(['/v1/forecast?latitude=37.5&longitude=127.1&hourly=temperature_2m']);
    clock.forward(14 * minute);
    expect(await proxies.forecast(place)).toMatchObject({ source: 'kept', age_s: 840, fresh_s: 60 });
    clock.forward(minute);
    expect(await proxies.forecast(place)).toMatchObject({ source: 'asked', age_s: 0 });
    expect(provider.asked).toHaveLength(2);
  });

  it('that cannot be reached leaves its last good answer, while that is worth something', async () => {
    const { proxies, asking, provider, clock } = await site();
    await proxies.forecast(place);
    provider.cut();
    clock.forward(2 * day);
    expect(await proxies.forecast(place)).toMatchObject({ source: 'stale', age_s: 172_800, fresh_s: 0 });
    const anew = asking.relay.ask(forecastQuestion(asking.upstreams, place, undefined), { takesStale: false });
    expect(await codeOf(anew)).toBe('provider_unreachable');
    clock.forward(day);
    expect(await codeOf(proxies.forecast(place))).toBe('provider_unreachable');
  });

  it.each([
    ['a page instead of JSON', 200, 'text/html', '<html>Log in to the hotel</html>', 'provider_answer_invalid'],
    ['half of the JSON', 200, 'application/json', '{"latitude":37', 'provider_answer_invalid'],
    ['other JSON', 200, 'application/json', '{"hello":1}', 'provider_answer_invalid'],
    ['too much', 200, 'application/json', ' '.repeat(3_000_000), 'provider_answer_invalid'],
    ['no such thing', 400, 'application/json', '{"error":true}', 'provider_refused'],
    ['a refused key', 401, 'application/json', '{}', 'provider_key_refused'],
    ['a spent quota', 429, 'application/json', '{}', 'provider_quota_spent'],
    ['a fault of its own', 500, 'text/html', '', 'provider_failed'],
  ])('that answers %s is told as such, and logged once', async (_, status, type, body, code) => {
    const { proxies, provider, clock, warned } = await site();
    provider.answer = (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body);
    for (const _time of [1, 2]) expect(await codeOf(proxies.forecast(place))).toBe(code);
    expect(warned).toHaveLength(1);
    provider.answer = allProviders;
    await proxies.forecast(place);
    clock.forward(day);
    provider.answer = (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body);
    const isCovered = !['provider_key_refused', 'provider_refused'].includes(code);
    expect(await codeOf(proxies.forecast(place))).toBe(isCovered ? 'ok' : code);
  });

  it('that does not answer in time is told as such', async () => {
    const { proxies, provider } = await site({}, 150);
    provider.answer = () => undefined;
    expect(await codeOf(proxies.forecast(place))).toBe('provider_timeout');
  });

  it('that is switched off or lacks its key is not asked, and the refusal says what to set', async () => {
    const { proxies, provider, save } = await site({ providers: { openmeteo: { enabled: false } } });
    const settings = async (asked: Promise<unknown>) =>
      asked.catch((error: { code: string; members: object }) => [error.code, error.members]);
    const refused = (setting: string) => ['provider_not_configured', { setting }];
    expect(await settings(proxies.forecast(place))).toEqual(refused('providers.openmeteo.enabled'));
    expect(await settings(proxies.weather({ lat: 1, lon: 2 }))).toEqual(refused('providers.openweather.enabled'));
    save({ providers: { openweather: { enabled: true } } });
    expect(await settings(proxies.weather({ lat: 1, lon: 2 }))).toEqual(refused('providers.openweather.key'));
    expect(provider.asked).toEqual([]);
  });

  it('gets its key, which is in nothing that is kept or said', async () => {
    const { proxies, provider, save } = await site({ providers: { openmeteo: { key: 'k3y-one' } } });
    save({ providers: { openweather: { enabled: true, key: 'k3y-two' } } });
    await proxies.forecast(place);
    const weather = await proxies.weather({ lat: 1, lon: 2, units: 'metric' });
    await proxies.weatherTile({ layer: 'wind_new', z: 1, x: 1, y: 0 });
    expect(provider.asked).toEqual([
      '/v1/forecast?latitude=37.5&longitude=127.1&hourly=temperature_2m&apikey=k3y-one',
      '/data/2.5/weather?lat=1&lon=2&units=metric&appid=k3y-two',
      '/map/wind_new/1/1/0.png?appid=k3y-two',
    ]);
    expect(weather.body.toString()).not.toContain('k3y');
    provider.answer = (_, response) => void response.writeHead(401).end();
    const refusal: unknown = await proxies.weather({ lat: 3, lon: 2 }).catch((error: unknown) => error);
    expect(`${String(refusal)}${JSON.stringify(refusal)}`).not.toContain('k3y');
  });
});

describe('the rain radar', () => {
  it('has the tiles of the frames that it lists, and no other', async () => {
    const { proxies, provider } = await site();
    const tile = { time: frameTime + 600, z: 6, x: 54, y: 24 };
    expect(await proxies.radarTile(tile)).toMatchObject({ body: pixel, type: 'image/png' });
    expect(provider.asked).toEqual(['/public/weather-maps.json', '/v2/radar/a1b2c3/512/6/54/24/2/1_1.png']);
    expect(await codeOf(proxies.radarTile({ ...tile, time: frameTime + 1 }))).toBe('not_found');
    expect(await codeOf(proxies.radarTile({ ...tile, x: 64 }))).toBe('not_found');
  });

  it('goes deeper than the provider by enlarging a part of its deepest picture, once for all parts', async () => {
    const { proxies, provider } = await site();
    const whole = Buffer.from(encode({ width: 2, height: 2, channels: 1, data: new Uint8Array([10, 20, 30, 40]) }));
    provider.answer = (request, response) =>
      request.url?.endsWith('.png') === true
        ? void response.writeHead(200, { 'content-type': 'image/png' }).end(whole)
        : allProviders(request, response);
    const at = { time: frameTime + 600, z: 9, y: 4 * 48 };
    const shown = [];
    for (const x of [4 * 109, 4 * 109 + 3]) {
      const { body, etag } = await proxies.radarTile({ ...at, x });
      shown.push({ values: [...decode(body).data], etag });
    }
    expect(shown.map(({ values }) => values)).toEqual([Array(4).fill(10), Array(4).fill(20)]);
    expect(new Set(shown.map(({ etag }) => etag)).size).toBe(2);
    const [first, again] = await Promise.all([1, 2].map(() => proxies.radarTile({ ...at, x: 4 * 109 })));
    expect(again?.body).toBe(first?.body);
    const isHeld = (etag: string) => etag === first?.etag;
    expect(await proxies.radarTile({ ...at, x: 4 * 109 }, isHeld)).toMatchObject({ etag: first?.etag, body: Buffer.alloc(0) }); // prettier-ignore
    expect((await proxies.radarTile({ ...at, x: 4 * 109 + 3 }, isHeld)).body.length).toBeGreaterThan(0);
    expect(provider.asked).toEqual(['/public/weather-maps.json', '/v2/radar/a1b2c3/512/7/109/48/2/1_1.png']);
  });

  it('tells a picture that cannot be enlarged as a wrong answer', async () => {
    const { proxies, provider } = await site();
    const huge = Buffer.from(pixel);
    huge.writeUInt32BE(40_000, 16);
    for (const [x, body] of [huge, pixel.subarray(0, 40), Buffer.from('GIF89a')].entries()) {
      provider.answer = (request, response) =>
        request.url?.endsWith('.png') === true
          ? void response.writeHead(200, { 'content-type': 'image/png' }).end(body)
          : allProviders(request, response);
      const tile = { time: frameTime, z: 8, x: 2 * x, y: 0 };
      expect(await codeOf(proxies.radarTile(tile))).toBe('provider_answer_invalid');
    }
  });

  it('keeps the pictures that were last used, up to their budget', () => {
    const recent = new RecentPictures(5);
    for (const etag of ['a', 'b', 'a', 'c']) recent.put(etag, Buffer.alloc(2));
    expect(['a', 'b', 'c'].map((etag) => recent.get(etag)?.length)).toEqual([2, undefined, 2]);
    recent.put('d', Buffer.alloc(9));
    expect(['a', 'c', 'd'].map((etag) => recent.get(etag))).toEqual([undefined, undefined, undefined]);
  });

  it('unpacks no picture to more than its sides have room for', () => {
    const chunk = (name: string, data: Buffer): Buffer => {
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length);
      return Buffer.concat([length, Buffer.from(name, 'latin1'), data, sum]);
    };
    const part = { levels: 1, column: 0, row: 0 };
    const sound = Buffer.from(encode({ width: 2, height: 2, channels: 1, data: new Uint8Array([1, 2, 3, 4]) }));
    const [head, end] = [sound.subarray(0, 33), chunk('IEND', Buffer.alloc(0))];
    const rows = Buffer.from([0, 1, 2, 0, 3, 4]);
    const png = (...chunks: Buffer[]) => enlargedPart(Buffer.concat([head, ...chunks, end]), part);
    const profile = Buffer.concat([Buffer.from('p\0\0'), Buffer.from('no zlib')]);
    expect(decode(png(chunk('iCCP', profile), chunk('IDAT', deflateSync(rows))) ?? sound).data).toEqual(
      new Uint8Array([1, 1, 1, 1]),
    );
    expect(png(chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))))).toBeNull();
    expect(png(chunk('IDAT', deflateSync(rows)), head.subarray(8))).toBeNull();
  });

  it('does not follow a frame to where it may not', async () => {
    const { proxies, provider } = await site();
    const past = [
      { time: frameTime, path: '//elsewhere.example/v2/radar/1' },
      { time: frameTime + 1, path: '/v2/radar/../x' },
    ];
    provider.answer = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ generated: frameTime, radar: { past } }));
    for (const { time } of past) expect(await codeOf(proxies.radarTile({ time, z: 0, x: 0, y: 0 }))).toBe('not_found');
  });
});

describe('a picture', () => {
  const templates = (origin: string) => [{ id: 'ours', name: 'Ours', url: `${origin}/t/{z}/{y}/{x}.png?style=a.b` }];

  async function tiles() {
    const { provider, save, proxies } = await site();
    save({ providers: { tiles: { templates: templates(provider.origin) } } });
    return { provider, proxies };
  }

  it('is one by its content, whatever it says that it is', async () => {
    const { proxies, provider } = await tiles();
    const answers: [type: string, body: Buffer | string][] = [
      ['image/png', '<html>'],
      ['image/svg+xml', '<svg/>'],
      ['image/png', ''],
      ['text/html', pixel],
    ];
    for (const [x, [type, body]] of answers.entries()) {
      provider.answer = (_, response) => void response.writeHead(200, { 'content-type': type }).end(body);
      expect(await codeOf(proxies.tile({ layer: 'ours', z: 5, x, y: 1 }))).toBe('provider_answer_invalid');
    }
    provider.answer = (_, response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(pixel);
    expect((await proxies.tile({ layer: 'ours', z: 5, x: 9, y: 1 })).type).toBe('image/png');
  });

  it('of a service of the list comes once it is turned on, and is kept as long as its terms allow', async () => {
    const { proxies, provider, save, clock } = await site();
    const tile = { z: 3, x: 5, y: 2 };
    expect(await codeOf(proxies.tile({ layer: 'osm.map', ...tile }))).toBe('provider_not_configured');
    save({ providers: { osm: { enabled: true }, vworld: { enabled: true } } });
    expect(await proxies.tile({ layer: 'osm.map', ...tile })).toMatchObject({ source: 'asked', body: pixel });
    clock.forward(6 * day);
    expect(await proxies.tile({ url: 'https://tile.openstreetmap.org/3/5/2.png' })).toMatchObject({ source: 'kept' });
    expect(await codeOf(proxies.tile({ layer: 'osm.photo', ...tile }))).toBe('not_found');
    expect(provider.asked).toEqual(['/3/5/2.png']);
    expect(await codeOf(proxies.tile({ layer: 'vworld.photo', ...tile }))).toBe('provider_not_configured');
    save({ providers: { vworld: { key: 'k3y/one' } } });
    for (const source of ['asked', 'asked'])
      expect(await proxies.tile({ layer: 'vworld.photo', ...tile })).toMatchObject({ source });
    expect(provider.asked.slice(1)).toEqual(Array(2).fill('/req/wmts/1.0.0/k3y%2Fone/Satellite/3/2/5.jpeg'));
    provider.cut();
    expect(await codeOf(proxies.tile({ layer: 'vworld.photo', ...tile }))).toBe('provider_unreachable');
    clock.forward(80 * day);
    expect(await proxies.tile({ layer: 'osm.map', ...tile })).toMatchObject({ source: 'stale' });
  });

  it('of a tile service comes by its id, or by exactly the address that it makes', async () => {
    const { proxies, provider } = await tiles();
    const url = `${provider.origin}/t/3/5/4.png?style=a.b`;
    await proxies.tile({ layer: 'ours', z: 3, x: 4, y: 5 });
    expect(await proxies.tile({ url })).toMatchObject({ source: 'kept' });
    expect(provider.asked).toEqual(['/t/3/5/4.png?style=a.b']);
    const others = [
      `${url}&more`,
      `x${url}`,
      url.replace('a.b', 'aXb'),
      url.replace('/3/', '/03/'),
      url.replace('/3/', '/-3/'),
      url.replace('/3/5/', '/3/../'),
      url.replace('https', 'http'),
      `${url}#x`,
      url.replace('localhost', '127.0.0.1'),
      ...[url.replace('/t/', '/t/%2e%2e/'), url.replace('://', '://user@'), `${url}\n`, '', 'file:///etc/passwd'],
    ];
    for (const other of others)
      expect([other, await codeOf(proxies.tile({ url: other }))]).toEqual([other, 'invalid_field']);
    expect(provider.asked).toHaveLength(1);
  });

  it.each([
    [{}, 'invalid_field'],
    [{ layer: 'ours' }, 'invalid_field'],
    [{ layer: 'ours', z: 1, x: 0 }, 'invalid_field'],
    [{ layer: 'ours', z: 1, x: 2, y: 0 }, 'not_found'],
    [{ layer: 'theirs', z: 1, x: 0, y: 0 }, 'not_found'],
    [{ layer: 'ours', url: 'https://a/1/2/3' }, 'invalid_field'],
  ])('%j: %s', async (query, code) => {
    const { proxies } = await tiles();
    expect(await codeOf(proxies.tile(query))).toBe(code);
  });
});

describe('a layer of a Web Map Service', () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const plain = { unique_id: id, name: 'Soil', layers: 'soil,roads', format: 'image/png' as const };

  async function ask(
    layer: { version: '1.1.1' | '1.3.0'; crs: string; path?: string; username?: string; password?: string },
    query: Partial<Parameters<WmsProxy['picture']>[1]> = {},
  ): Promise<{ params: Record<string, string>; authorization: string | undefined }> {
    const { wms, provider, save } = await site();
    const { path = '/wms', ...others } = layer;
    save({ wms_layers: [{ ...plain, ...others, url: `${provider.origin}${path}` }] });
    let authorization: string | undefined;
    provider.answer = (request, response) => {
      authorization = request.headers.authorization;
      allProviders(request, response);
    };
    await wms.picture(id, { bbox: '127,37,128,38', width: 256, height: 128, ...query });
    const asked = new URL(provider.asked[0] ?? '', provider.origin);
    return { params: Object.fromEntries(asked.searchParams), authorization };
  }

  it.each([
    ['1.1.1', 'EPSG:4326', 'SRS', '127,37,128,38'],
    ['1.3.0', 'EPSG:4326', 'CRS', '37,127,38,128'],
    ['1.3.0', 'CRS:84', 'CRS', '127,37,128,38'],
    ['1.3.0', 'EPSG:3857', 'CRS', '127,37,128,38'],
    ['1.3.0', 'EPSG:5186', 'CRS', '37,127,38,128'],
    ['1.1.1', 'EPSG:5186', 'SRS', '127,37,128,38'],
    ['1.3.0', 'EPSG:6677', 'CRS', '37,127,38,128'],
  ] as const)('of version %s in %s has its axes in order', async (version, crs, name, bbox) => {
    const { params } = await ask({ version, crs });
    expect(params).toEqual({
      SERVICE: 'WMS',
      REQUEST: 'GetMap',
      VERSION: version,
      LAYERS: 'soil,roads',
      STYLES: '',
      TRANSPARENT: 'TRUE',
      FORMAT: 'image/png',
      [name]: crs,
      BBOX: bbox,
      WIDTH: '256',
      HEIGHT: '128',
    });
  });

  it('keeps what its address says, is asked in another system where the caller says so, and gets its password', async () => {
    const layer = { version: '1.3.0', crs: 'EPSG:4326', path: '/cgi-bin/mapserv?map=/srv/farm.map&layers=x' } as const;
    const secret = { username: 'farm', password: 'pass' };
    const { params, authorization } = await ask({ ...layer, ...secret }, { crs: 'EPSG:3857' });
    expect(params).toMatchObject({
      map: '/srv/farm.map',
      LAYERS: 'soil,roads',
      CRS: 'EPSG:3857',
      BBOX: '127,37,128,38',
    });
    expect(params).not.toHaveProperty('layers');
    expect(authorization).toBe(`Basic ${Buffer.from('farm:pass').toString('base64')}`);
  });

  it('that is not in the settings is not there, and a box encloses something', async () => {
    const { wms, provider, save } = await site();
    const query = { bbox: '0,0,1,1', width: 1, height: 1 };
    expect(await codeOf(wms.picture(id, query))).toBe('not_found');
    save({ wms_layers: [{ ...plain, version: '1.3.0', crs: 'EPSG:3857', url: provider.origin }] });
    expect(await codeOf(wms.picture(id, { ...query, bbox: '1,0,1,1' }))).toBe('invalid_field');
    expect(provider.asked).toEqual([]);
  });

  it.each([
    ['1.1.1', ['X', 'Y']],
    ['1.3.0', ['I', 'J']],
  ] as const)('of version %s says what is at a pixel, as text', async (version, [column, row]) => {
    const { wms, provider, save } = await site();
    save({ wms_layers: [{ ...plain, version, crs: 'EPSG:3857', url: provider.origin }] });
    provider.answer = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('pH 6.1\r\n<b>clay</b>\r\n');
    const query = { bbox: '0,0,10,10', width: 101, height: 101, i: 50, j: 40 };
    expect(JSON.parse((await wms.info(id, query)).body.toString())).toEqual({ text: 'pH 6.1\n<b>clay</b>' });
    const { searchParams } = new URL(provider.asked[0] ?? '', provider.origin);
    const names = ['REQUEST', 'QUERY_LAYERS', 'INFO_FORMAT', column, row];
    expect(names.map((name) => searchParams.get(name))).toEqual([
      'GetFeatureInfo',
      'soil,roads',
      'text/plain',
      '50',
      '40',
    ]);
    expect(await codeOf(wms.info(id, { ...query, i: 101 }))).toBe('invalid_field');
  });

  it('is found in what its service offers, with the stored password for the origin that it was given for', async () => {
    const { wms, provider, save } = await site();
    const layer = { ...plain, version: '1.3.0' as const, crs: 'EPSG:3857', username: 'farm', password: 'pass' };
    save({ wms_layers: [{ ...layer, url: `${provider.origin}/wms` }] });
    const headers: (string | undefined)[] = [];
    provider.answer = (request, response) => {
      headers.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end('<WMS_Capabilities version="1.3.0"><Service><Title>Farm</Title></Service></WMS_Capabilities>');
    };
    const stored = { unique_id: id, username: 'farm', password: { set: true as const } };
    expect(await wms.capabilities({ url: `${provider.origin}/other`, ...stored })).toMatchObject({ title: 'Farm' });
    expect(headers).toEqual([`Basic ${Buffer.from('farm:pass').toString('base64')}`]);
    expect(await codeOf(wms.capabilities({ url: 'https://elsewhere.example/wms', ...stored }))).toBe('invalid_field');
    provider.answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end('<html/>');
    expect(await codeOf(wms.capabilities({ url: provider.origin }))).toBe('provider_answer_invalid');
    expect(headers).toHaveLength(1);
  });
});
