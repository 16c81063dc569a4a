import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { mediaType } from '../../../server/contract/endpoint.ts';
import { startTestApi } from '../../support/api.ts';
import { drawn } from '../../support/maps.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';
import { testWholeApi, type WholeApi } from '../../support/whole-api.ts';

let api: WholeApi;
let geo_id: string;

beforeEach(async () => {
  api = await testWholeApi();
  const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
  geo_id = ((await api.request('POST', '/api/geo/designs', { body: view })).body as { map_uuid: string }).map_uuid; // checked by the API
});

/** Longer than what is read on the server's own thread. */
const filler = 'x'.repeat(600 * 1024);
const site = () => drawn({ filler: '' });

describe('bodies that are read in the worker', () => {
  const save = (body: unknown, path = '/api/geo/overlays') => api.request('POST', path, { body });

  it('save what small ones save', async () => {
    const sent = drawn({ filler });
    expect(await save({ geo_id, features: [sent] })).toMatchObject({ status: 200, body: { added: 1, revision: 1 } });
    const delta = { geo_id, modified: [{ ...sent, properties: { ...sent.properties, name: 'again' } }] };
    expect(await save(delta, '/api/geo/overlays/delta')).toMatchObject({ status: 200, body: { modified: 1 } });
    const { body } = await api.request('GET', `/api/geo/overlays?geo_id=${geo_id}`);
    expect(body).toMatchObject({ revision: 2, features: [{ properties: { name: 'again', filler } }] });
  });

  it('take devices that exist and no others', async () => {
    const geometry = { type: 'Point', coordinates: [127, 37] };
    const { inputs } = (await api.request('POST', '/api/settings/presets/simulated_greenhouse', { body: {} })).body as {
      inputs: { unique_id: string }[];
    }; // checked by the API
    const device = (device_id: string | undefined) => drawn({ type: 'device', geometry, device_id, filler });
    expect(await save({ geo_id, features: [device(inputs[0]?.unique_id.toUpperCase())] })).toMatchObject({
      status: 200,
    });
    const unknown = await save({ geo_id, features: [device(randomUUID())] });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_reference' } });
  });

  it.each<[string, (whole: string) => string | Buffer, string]>([
    ['no JSON', (whole) => whole.slice(0, -1), 'invalid_json'],
    ['no UTF-8', (whole) => Buffer.concat([Buffer.from(whole.slice(0, -2)), Buffer.from([0xff])]), 'invalid_json'],
    [
      'too deep',
      (whole) => whole.replace('"filler":""', `"filler":${'['.repeat(99)}${']'.repeat(99)}`),
      'invalid_json',
    ],
    ['polluting', (whole) => whole.replace('"filler":""', '"__proto__":{"isAdmin":true}'), 'unknown_field'],
    ['an unknown field', (whole) => whole.replace('"geo_id"', '"nothing":1,"geo_id"'), 'unknown_field'],
    [
      'a field of another type',
      (whole) => whole.replace('"features":[', '"revision":"1","features":['),
      'invalid_field',
    ],
    ['no geometry', (whole) => whole.replace('"Polygon"', '"Circle"'), 'invalid_geometry'],
    ['an unknown map', (whole) => whole.replace(geo_id, randomUUID()), 'not_found'],
  ])('are refused as small ones are: %s', async (_, spoil, code) => {
    for (const padding of ['', filler]) {
      const whole = JSON.stringify({ geo_id, features: [site(), drawn({ padding })] });
      expect((await save(spoil(whole))).body).toMatchObject({ code });
    }
    const { body } = await api.request('GET', `/api/geo/overlays?geo_id=${geo_id}`);
    expect(body).toMatchObject({ revision: 0, features: [] });
  });

  it('have at most 200,000 features and 20 MB', async () => {
    const one = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"type":"label"}}';
    const list = new Array<string>(200_001).fill(one).join(',');
    const many = await save(`{"geo_id":"${geo_id}","features":[${list}]}`);
    expect(many).toMatchObject({ status: 400, body: { code: 'invalid_field', errors: [{ path: 'features' }] } });
    const long = await save(`{"geo_id":"${geo_id}","features":[]}${' '.repeat(20 * 1024 * 1024)}`);
    expect(long).toMatchObject({ status: 413, body: { code: 'payload_too_large', max_bytes: 20 * 1024 * 1024 } });
  });
});

it('a body that trickles in is cut when its time is over', async () => {
  const slow = await startTestApi({ routes: sampleRoutes(), bodyTimeoutMs: 50 });
  onTestFinished(() => slow.close());
  const socket = connect({ port: slow.port, host: '127.0.0.1', ca: slow.ca, servername: 'localhost' });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  const head = ['POST /api/samples HTTP/1.1', 'Host: localhost', `Accept: ${mediaType}`, 'X-API-KEY: key:Admin'];
  socket.write([...head, 'Content-Type: application/json', 'Content-Length: 1000', '', '{'].join('\r\n'));
  const [hadError] = (await once(socket.resume(), 'close')) as [boolean]; // the event's argument
  expect(hadError).toBe(false);
  expect((await slow.request('GET', '/api/samples', { key: 'key:Admin' })).status).toBe(200);
});
