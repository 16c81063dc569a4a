import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { designRoutes } from '../../../server/api/routes/design.ts';
import { overlayRoutes } from '../../../server/api/routes/overlay.ts';
import { startTestApi, type TestApi, testCsrfToken } from '../../support/api.ts';
import { drawn, testMaps } from '../../support/maps.ts';
import { describeMatrix } from '../../support/matrix.ts';

const key = 'key:Editor';
const unserved = null as never; // the matrix asks what is refused before a handler is reached

describe('the matrix of refusals of maps', () => {
  describeMatrix([...designRoutes(unserved), ...overlayRoutes({ overlays: unserved, jobs: unserved })]);
});

async function serve(): Promise<TestApi & { post: (path: string, body?: unknown) => ReturnType<TestApi['request']> }> {
  const maps = testMaps();
  const api = await startTestApi({ routes: [...designRoutes(maps.designs), ...overlayRoutes(maps)] });
  onTestFinished(() => api.close());
  return { ...api, post: (path, body) => api.request('POST', path, { body, key }) };
}

async function newMap(api: TestApi): Promise<string> {
  const { body } = await api.request('GET', '/api/geo/init_design', { key });
  return (body as { map_uuid: string }).map_uuid; // checked against the contract by the test API
}

describe('designs', () => {
  it('init_design makes a map, for a session only with its token', async () => {
    const api = await serve();
    const made = await api.request('GET', '/api/geo/init_design', { cookie: 'session-Editor', csrf: testCsrfToken });
    expect(made).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    const { map_uuid } = made.body as { map_uuid: string }; // a design's id
    expect(made.headers.location).toBe(`/api/geo/designs/${map_uuid}`);
    const refused = await api.request('GET', '/api/geo/init_design', { cookie: 'session-Editor' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'csrf_failed' } });
  });

  it('go from making to restoring', async () => {
    const api = await serve();
    const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
    const made = await api.post('/api/geo/designs', view);
    expect(made).toMatchObject({ status: 201, body: view });
    const path = String(made.headers.location);
    const { map_uuid } = made.body as { map_uuid: string };
    expect(path).toBe(`/api/geo/designs/${map_uuid}`);
    expect(await api.post('/api/geo/designs', { map_uuid, zoom: 3 })).toMatchObject({ status: 200, body: { zoom: 3 } });
    expect(
      await api.request('GET', path.toUpperCase().replace('/API/GEO/DESIGNS', '/api/geo/designs'), { key }),
    ).toMatchObject({ status: 200, body: { zoom: 3, revision: 1 } });
    expect(await api.post(`${path}/history/0/restore`)).toMatchObject({ status: 200, body: { ...view, revision: 2 } });
    expect(await api.request('GET', `${path}/history?limit=1`, { key })).toMatchObject({
      status: 200,
      body: { history: [{ revision: 2, kind: 'restore' }], next_cursor: '2' },
    });
    expect(await api.request('DELETE', path, { key })).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await api.request('GET', path, { key })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await api.request('GET', '/api/geo/designs?trash=true', { key })).toMatchObject({
      body: { designs: [{ map_uuid }] },
    });
    expect(await api.post('/api/geo/designs', { map_uuid })).toMatchObject({ status: 409, body: { code: 'in_trash' } });
    expect(await api.post(`${path}/restore`)).toMatchObject({ status: 200, body: { name: 'Farm' } });
    expect(await api.post(`${path}/restore`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it.each([
    [{ lat: 91 }, 'lat'],
    [{ lng: -180.5 }, 'lng'],
    [{ zoom: 26 }, 'zoom'],
    [{ zoom: 3.5 }, 'zoom'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
  ])('refuse %j', async (wrong, path) => {
    const api = await serve();
    const answer = await api.post('/api/geo/designs', { name: 'Farm', lat: 37, lng: 127, zoom: 18, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_field', errors: [{ path }] } });
  });
});

describe('overlays', () => {
  it('are saved, read, tagged and read again only when changed', async () => {
    const api = await serve();
    const geo_id = await newMap(api);
    const feature = drawn();
    const saved = await api.post('/api/geo/overlays', { geo_id, features: [feature], save_id: randomUUID() });
    expect(saved).toMatchObject({ status: 200, body: { revision: 1, added: 1 } });
    const path = `/api/geo/overlays?geo_id=${geo_id}`;
    const read = await api.request('GET', path, { key });
    expect(read).toMatchObject({ status: 200, body: { revision: 1, features: [feature] } });
    const one = await api.request('GET', `/api/geo/overlays/list?unique_id=${feature.properties.unique_id}`, { key });
    expect(one).toMatchObject({ status: 200, body: { features: [feature] } });
    const none = await api.request('GET', `/api/geo/overlays/list?unique_id=${randomUUID()}`, { key });
    expect(none).toMatchObject({ status: 200, body: { features: [] } });
    const headers = { 'if-none-match': String(read.headers.etag) };
    expect(await api.request('GET', path, { key, headers })).toMatchObject({ status: 304, text: '' });
    const { unique_id } = feature.properties;
    const delta = await api.post('/api/geo/overlays/delta', { geo_id, deleted: [unique_id], revision: 1 });
    expect(delta).toMatchObject({ status: 200, body: { deleted: 1, revision: 2 } });
    expect(await api.request('GET', path, { key, headers })).toMatchObject({ status: 200, body: { features: [] } });
    const list = await api.request('GET', '/api/geo/overlays/list?type=site&bbox=0,0,180,90', { key });
    expect(list).toMatchObject({ status: 200, body: { features: [], next_cursor: null } });
  });

  it('take identifiers in either case, and keep them in lower case', async () => {
    const api = await serve();
    const map_uuid = randomUUID();
    const shouted = map_uuid.toUpperCase();
    const feature = drawn();
    const loud = { ...feature.properties, unique_id: feature.properties.unique_id.toUpperCase() };
    const made = await api.post('/api/geo/designs', { map_uuid: shouted, name: 'Farm', lat: 37, lng: 127, zoom: 18 });
    expect(made).toMatchObject({ status: 201, body: { map_uuid } });
    const save = { geo_id: shouted, features: [{ ...feature, properties: loud }], save_id: randomUUID() };
    const saved = await api.post('/api/geo/overlays', save);
    expect(saved).toMatchObject({ status: 200, body: { map_uuid, features: [feature.properties.unique_id] } });
    expect(await api.post('/api/geo/overlays', { ...save, save_id: save.save_id.toUpperCase() })).toMatchObject({
      status: 200,
      body: saved.body,
    });
    const twice = await api.post('/api/geo/overlays', {
      ...save,
      features: [feature, save.features[0]],
      save_id: randomUUID(),
    });
    expect(twice).toMatchObject({ status: 409, body: { code: 'duplicate_feature' } });
  });

  it('a conflict carries the revision and what changed', async () => {
    const api = await serve();
    const geo_id = await newMap(api);
    const feature = drawn();
    await api.post('/api/geo/overlays', { geo_id, features: [feature] });
    const answer = await api.post('/api/geo/overlays', { geo_id, features: [], allow_empty: true, revision: 0 });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'revision_conflict',
        revision: 1,
        changed: [{ unique_id: feature.properties.unique_id, revision: 1, by: 'editor', kind: 'added' }],
      },
    });
  });

  it('bad geometry is named by feature, ring and position', async () => {
    const api = await serve();
    const geo_id = await newMap(api);
    const open = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1]]] }; // prettier-ignore
    const answer = await api.post('/api/geo/overlays', { geo_id, features: [drawn(), drawn({ geometry: open })] });
    const path = 'features[1].geometry.coordinates[0][3]';
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_geometry', errors: [{ path, code: 'invalid_geometry' }] },
    });
  });

  it('an unknown map is 404, a malformed id is 400', async () => {
    const api = await serve();
    expect((await api.request('GET', `/api/geo/overlays?geo_id=${randomUUID()}`, { key })).status).toBe(404);
    expect((await api.post('/api/geo/overlays', { geo_id: randomUUID(), features: [] })).status).toBe(404);
    expect((await api.request('GET', '/api/geo/overlays?geo_id=x', { key })).status).toBe(400);
  });

  it('a map of 5,001 features goes in and out by the worker', async () => {
    const api = await serve();
    const geo_id = await newMap(api);
    const features = Array.from({ length: 5001 }, (_, index) =>
      drawn({ type: 'label', geometry: { type: 'Point', coordinates: [127 + index * 1e-5, 37] } }),
    );
    expect(await api.post('/api/geo/overlays', { geo_id, features })).toMatchObject({
      status: 200,
      body: { added: 5001 },
    });
    const { body } = await api.request('GET', `/api/geo/overlays?geo_id=${geo_id}`, { key });
    expect(body).toMatchObject({ features });
    expect(await api.post('/api/geo/overlays', { geo_id, features: features.slice(1), revision: 0 })).toMatchObject({
      status: 409,
      body: { code: 'revision_conflict', revision: 1 },
    });
  });
});
