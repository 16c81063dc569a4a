import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Note } from '../../../server/contract/note.ts';
import { systemActor } from '../../../server/auth/system-actor.ts';
import { testWholeApi, type WholeApi } from '../../support/whole-api.ts';

let api: WholeApi;
beforeEach(async () => {
  api = await testWholeApi();
});

const send = (method: string, path: string, body?: unknown) =>
  api.request(method, path, body === undefined ? {} : { body });
const idOf = (answer: { body: unknown }) => String((answer.body as { unique_id: string }).unique_id); // checked by the API
const note = async (fields: object = {}) =>
  (await send('POST', '/api/notes', { text: 'Pruned', ...fields })).body as Note; // checked by the API

describe('notes', () => {
  it('are written, read, changed and deleted, each with its record', async () => {
    const made = await send('POST', '/api/notes', { text: ' Pruned row 3 ', category: 'work' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        text: 'Pruned row 3',
        category: 'work',
        author: 'owner',
        device_id: null,
        time: '2026-03-01T06:00:00.000Z',
      },
    });
    const path = String(made.headers.location);
    expect((await send('GET', path)).body).toEqual(made.body);
    api.accounts.clock.forward(60_000);
    const changed = await send('PATCH', path, { text: 'Pruned', category: null });
    expect(changed.body).toMatchObject({ text: 'Pruned', category: null, updated_at: '2026-03-01T06:01:00.000Z' });
    expect(await send('PATCH', path, changed.body)).toMatchObject({ status: 200 });
    expect((await send('DELETE', path)).body).toEqual({ unique_id: idOf(made), deleted: true });
    expect(await send('GET', path)).toMatchObject({ status: 404 });
    const kinds = api.accounts.audits.list({}).audit.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['note.create', 'note.change', 'note.delete']));
  });

  it('name things that exist; what is gone later stays named', async () => {
    const input = await api.services.inputs.create(systemActor, { name: 'Sensor', driver: 'simulated' });
    const made = await note({ device_id: input.unique_id.toUpperCase() });
    expect(made.device_id).toBe(input.unique_id);
    const refused = await send('POST', '/api/notes', { text: 'x', map_uuid: randomUUID() });
    expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_reference', errors: [{ path: 'map_uuid' }] } });
    await api.services.inputs.remove(systemActor, input.unique_id);
    const kept = await send('PATCH', `/api/notes/${made.unique_id}`, { device_id: input.unique_id, text: 'still' });
    expect(kept).toMatchObject({ status: 200, body: { device_id: input.unique_id } });
    const other = await send('PATCH', `/api/notes/${made.unique_id}`, { device_id: randomUUID() });
    expect(other).toMatchObject({ status: 400, body: { code: 'unknown_reference' } });
  });

  it('refuse a change of what is read only', async () => {
    const made = await note();
    expect(await send('PATCH', `/api/notes/${made.unique_id}`, { author: 'another' })).toMatchObject({
      status: 400,
      body: { code: 'read_only_field', errors: [{ path: 'author' }] },
    });
  });

  it('are listed by time, kind and thing, in pages, the latest first', async () => {
    const times = ['2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00.000Z'];
    for (const [index, time] of times.entries()) await note({ time, text: String(index), category: index ? 'b' : 'a' });
    const list = async (query: string) => (await send('GET', `/api/notes${query}`)).body as Listed; // checked by the API
    const texts = async (query: string) => (await list(query)).notes.map(({ text }) => text);
    expect(await texts('')).toEqual(['0', '3', '2', '1']);
    expect(await texts('?from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z')).toEqual(['3', '2']);
    expect(await texts('?category=a')).toEqual(['0']);
    expect(await texts(`?device_id=${randomUUID()}`)).toEqual([]);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.notes, ...second.notes].map(({ text }) => text)).toEqual(['0', '3', '2', '1']);
    expect(second.next_cursor).toBeNull();
    expect(await send('GET', '/api/notes?cursor=nonsense')).toMatchObject({
      status: 400,
      body: { code: 'invalid_field' },
    });
  });
});

interface Listed {
  notes: Note[];
  next_cursor: string | null;
}

const text = (id: string, column = 0) => ({ kind: 'text', id, column, row: 0, columns: 6, rows: 2, text: 'hello' });

describe('dashboards', () => {
  it('are made, read, changed and deleted', async () => {
    const made = await send('POST', '/api/settings/dashboards', { name: 'Mine', widgets: [text('a')] });
    expect(made).toMatchObject({ status: 201, body: { name: 'Mine', widgets: [text('a')] } });
    const path = String(made.headers.location);
    expect((await send('GET', path)).body).toEqual(made.body);
    const changed = await send('PATCH', path, { widgets: [text('b')] });
    expect(changed.body).toMatchObject({ name: 'Mine', widgets: [text('b')] });
    expect(await send('PATCH', path, changed.body)).toMatchObject({ status: 200 });
    expect((await send('GET', '/api/settings/dashboards')).body).toMatchObject({ dashboards: [{ name: 'Mine' }] });
    expect(await send('DELETE', path)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await send('GET', path)).toMatchObject({ status: 404 });
  });

  it.each([
    ['two widgets of one id', [text('a'), text('a')]],
    ['a widget beyond the grid', [text('a', 20)]],
    ['a kind that does not exist', [{ ...text('a'), kind: 'game' }]],
    ['an unknown field', [{ ...text('a'), script: 'alert(1)' }]],
  ])('refuse %s', async (_, widgets) => {
    expect((await send('POST', '/api/settings/dashboards', { name: 'Mine', widgets })).status).toBe(400);
  });

  it('name things that exist', async () => {
    const widgets = [{ ...text('a'), kind: 'map', text: undefined, map_uuid: randomUUID() }];
    expect(await send('POST', '/api/settings/dashboards', { name: 'Mine', widgets })).toMatchObject({
      status: 400,
      body: { code: 'unknown_reference', errors: [{ path: 'widgets[0].map_uuid' }] },
    });
  });

  it('are seen by their user alone, 50 at most', async () => {
    const { dashboards } = api.services;
    const kim = await api.accounts.add('kim', 'Guest');
    const mine = { ...systemActor, user_id: api.userId };
    const made = dashboards.create(mine, { name: 'Mine' });
    const theirs = { ...systemActor, user_id: kim.unique_id };
    expect(dashboards.list(theirs)).toEqual([]);
    expect(() => dashboards.get(theirs, made.unique_id)).toThrow('no such dashboard');
    for (let count = dashboards.list(mine).length; count < 50; count += 1) dashboards.create(mine, { name: 'More' });
    expect(() => dashboards.create(mine, { name: '51' })).toThrow('at most 50');
  });
});

const shown = {
  series: [],
  hidden: [],
  outputs: [],
  span_s: 86_400,
  ends_at: '2026-03-01T06:00:00.123Z',
  compare: { with: 'earlier', back: 'year' },
  has_forecast: true,
  degree_base_c: 4.5,
};

describe('views of trends', () => {
  const path = '/api/settings/trend_views';

  it('are saved whole, read, changed and deleted, each with its record', async () => {
    const made = await send('POST', path, { name: 'Air', shown });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Air', is_shared: false, is_own: true, author: 'owner', shown },
    });
    const one = String(made.headers.location);
    expect((await send('GET', one)).body).toEqual(made.body);
    const changed = await send('PATCH', one, { shown: { ...shown, compare: null } });
    expect(changed.body).toMatchObject({ name: 'Air', shown: { span_s: 86_400, compare: null } });
    expect(await send('PATCH', one, changed.body)).toMatchObject({ status: 200 });
    const ends_at = Date.parse(shown.ends_at);
    expect((await send('PATCH', one, { shown: { ...shown, ends_at } })).body).toMatchObject({ shown });
    expect(await send('PATCH', one, { author: 'another' })).toMatchObject({
      status: 400,
      body: { code: 'read_only_field', errors: [{ path: 'author' }] },
    });
    expect((await send('GET', path)).body).toMatchObject({ trend_views: [{ name: 'Air' }] });
    expect(await send('DELETE', one)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await send('GET', one)).toMatchObject({ status: 404 });
    const kinds = api.accounts.audits.list({}).audit.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['trend_view.create', 'trend_view.change', 'trend_view.delete']));
  });

  const gone = { device_id: randomUUID(), measurement_id: randomUUID() };
  it.each([
    ['a device that does not exist', { series: [gone] }, 'unknown_reference', 'shown.series[0].device_id'],
    [
      'a house that does not exist',
      { compare: { with: 'house', facility_uuid: randomUUID() } },
      'unknown_reference',
      'shown.compare.facility_uuid',
    ],
    ['a hidden series that is not listed', { hidden: [gone] }, 'invalid_field', 'shown'],
    ['less than a minute', { span_s: 59 }, 'invalid_field', 'shown.span_s'],
  ])('refuse %s', async (_, fault, code, at) => {
    expect(await send('POST', path, { name: 'Air', shown: { ...shown, ...fault } })).toMatchObject({
      status: 400,
      body: { code, errors: [{ path: at }] },
    });
  });

  it('are seen by others when they are shared, and changed by their author alone, 50 at most', async () => {
    const { trendViews } = api.services;
    const kim = await api.accounts.add('kim', 'Kiosk');
    const [mine, theirs] = [api.userId, kim.unique_id].map((user_id) => ({ ...systemActor, user_id }));
    if (mine === undefined || theirs === undefined) throw new Error('no actors');
    const view = { name: 'Air', shown: { ...shown, compare: null } };
    const made = trendViews.create(mine, view);
    expect(trendViews.list(theirs)).toEqual([]);
    expect(() => trendViews.get(theirs, made.unique_id)).toThrow('no such view');
    expect(() => trendViews.remove(theirs, made.unique_id)).toThrow('no such view');
    trendViews.change(mine, made.unique_id, { is_shared: true });
    const own = trendViews.create(theirs, { ...view, name: 'Own' });
    expect(trendViews.list(theirs)).toMatchObject([
      { name: 'Own', is_own: true, author: 'kim' },
      { name: 'Air', is_own: false, author: 'owner', shown: view.shown },
    ]);
    expect(() => trendViews.get(mine, own.unique_id)).toThrow('no such view');
    const refused = { code: 'forbidden' };
    expect(() => trendViews.change(theirs, made.unique_id, { name: 'Taken' })).toThrow(
      expect.objectContaining(refused),
    );
    expect(() => trendViews.remove(theirs, made.unique_id)).toThrow(expect.objectContaining(refused));
    for (let count = trendViews.list(mine).length; count < 50; count += 1) trendViews.create(mine, view);
    expect(() => trendViews.create(mine, view)).toThrow('at most 50');
  });
});

describe('jobs', () => {
  const start = async () => {
    const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
    const { map_uuid } = (await send('POST', '/api/geo/designs', view)).body as { map_uuid: string }; // checked by the API
    return map_uuid;
  };
  const site = {
    type: 'Feature' as const,
    geometry: { type: 'Point', coordinates: [127, 37] },
    properties: { type: 'label' as const },
  };

  it('save a map beside the request and keep the result', async () => {
    const geo_id = await start();
    const begun = await send('POST', '/api/geo/overlays?async=true', { geo_id, features: [site] });
    expect(begun.status).toBe(201);
    const path = String(begun.headers.location);
    await api.services.jobs.stop();
    const ended = await send('GET', path);
    expect(ended.body).toMatchObject({ kind: 'overlay.save', status: 'done', done: 1, total: 1, result: { added: 1 } });
    expect((await send('GET', '/api/jobs')).body).toMatchObject({ jobs: [{ status: 'done' }] });
    expect((await send('DELETE', path)).body).toEqual(ended.body);
    expect(await send('GET', path)).toMatchObject({ status: 404 });
    expect((await send('GET', `/api/geo/overlays?geo_id=${geo_id}`)).body).toMatchObject({ features: [{}] });
  });

  it('fail with the refusal that the call itself would have got', async () => {
    const begun = await send('POST', '/api/geo/overlays?async=true', { geo_id: randomUUID(), features: [] });
    await expect
      .poll(async () => (await send('GET', String(begun.headers.location))).body)
      .toMatchObject({ status: 'failed', done: 0, error: { code: 'not_found' } });
    expect(api.faults).toEqual([]);
  });

  it('end on demand with nothing saved', async () => {
    const { jobs } = api.services;
    const actor = { ...systemActor, user_id: api.userId };
    const geo_id = await start();
    const id = jobs.begin(actor, {
      kind: 'overlay.save',
      total: 1,
      run: async (_report, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return api.services.overlays.save({ geo_id, features: [site] }, actor, signal);
      },
    });
    const path = `/api/jobs/${id}`;
    const ended = await send('DELETE', path);
    expect(ended).toMatchObject({ status: 200, body: { status: 'cancelled', done: 0, total: 1 } });
    expect(ended.body).not.toHaveProperty('error');
    expect((await send('GET', path)).body).toEqual(ended.body);
    expect((await send('GET', `/api/geo/overlays?geo_id=${geo_id}`)).body).toMatchObject({ features: [] });
    expect((await send('DELETE', path)).status).toBe(200);
    expect((await send('GET', path)).status).toBe(404);
    expect(api.faults).toEqual([]);
  });

  it('that save in the worker end on demand with everything saved or nothing', async () => {
    const geo_id = await start();
    const features = Array.from({ length: 2001 }, () => site);
    const begun = await send('POST', '/api/geo/overlays?async=true', { geo_id, features });
    const ended = await send('DELETE', String(begun.headers.location));
    const saved = (await send('GET', `/api/geo/overlays?geo_id=${geo_id}`)).body as { features: unknown[] }; // checked by the API
    const { status } = ended.body as { status: string }; // checked by the API
    expect([status, saved.features.length]).toEqual(status === 'done' ? ['done', 2001] : ['cancelled', 0]);
    const kinds = api.accounts.audits.list({}).audit.map(({ kind }) => kind);
    expect(kinds.includes('overlay.save')).toBe(status === 'done');
  });

  it('that run are not forgotten, and no more than four of one user run', async () => {
    const { jobs } = api.services;
    const held = Promise.withResolvers<unknown>();
    const actor = { ...systemActor, user_id: api.userId };
    const work = {
      kind: 'overlay.save' as const,
      total: 3,
      run: (report: (done: number) => void) => (report(2), held.promise),
    };
    const id = jobs.begin(actor, work);
    expect(jobs.get(actor, id)).toMatchObject({ status: 'running', total: 3, ended_at: null });
    for (let more = 0; more < 3; more += 1) jobs.begin(actor, work);
    expect(() => jobs.begin(actor, work)).toThrow('4 of your jobs run');
    expect(() => jobs.get(systemActor, id)).toThrow('no such job');
    held.reject(new Error('disk full'));
    await expect.poll(() => api.faults).toHaveLength(4);
    expect(jobs.get(actor, id)).toMatchObject({ status: 'failed', done: 2, error: { code: 'internal_error' } });
  });

  it('of an earlier run of the program have failed; those that ended a week ago are gone', async () => {
    const { jobs } = api.services;
    const actor = { ...systemActor, user_id: api.userId };
    const lasting = Promise.withResolvers<unknown>();
    const never = { kind: 'overlay.save' as const, total: 1, run: () => lasting.promise };
    const id = jobs.begin(actor, never);
    jobs.start();
    expect(jobs.get(actor, id)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
    api.accounts.clock.forward(8 * 24 * 3_600_000);
    jobs.begin(actor, { ...never, run: async () => null });
    expect(() => jobs.get(actor, id)).toThrow('no such job');
    lasting.resolve(null);
  });
});
