import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../server/auth/system-actor.ts';
import { outputStateMeasurementId } from '../../../server/contract/measurement.ts';
import type { Input } from '../../../server/contract/input.ts';
import { start } from '../../support/accounts.ts';
import { envelope } from '../../support/devices.ts';
import { drawn } from '../../support/maps.ts';
import { remoteError } from '../../support/scripted-daemon.ts';
import { testWholeApi, type WholeApi } from '../../support/whole-api.ts';

const nobody = '00000000-0000-4000-8000-0000000000ff';
let api: WholeApi;
let input: Input;
beforeEach(async () => {
  api = await testWholeApi();
  input = await api.services.inputs.create(systemActor, {
    name: '=cmd|x',
    driver: 'simulated',
    options: { part: 'indoor', house: nobody },
    period_s: 10,
  });
});

const iso = (ms: number): string => new Date(ms).toISOString();
const timed = (timeMs: number) => ({ time: iso(timeMs), time_ms: timeMs });

/** A series of the input by the number of its channel, with these samples before `start`. */
function measured(channel: number, samples: Record<number, number>): string {
  const { measurement_id = '', unit = '' } = input.channels[channel] ?? {};
  const id = api.measured
    .prepare('INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, ?, ?)')
    .run(input.unique_id, measurement_id, channel, unit).lastInsertRowid;
  const insert = api.measured.prepare('INSERT INTO sample VALUES (?, ?, ?, 0)');
  for (const [before_s, value] of Object.entries(samples)) insert.run(id, start - Number(before_s) * 1000, value);
  return measurement_id;
}

const ask = async (call: string, query: Record<string, string | number> = {}) => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return api.request('GET', `/api/measurements/${call}?${text}`);
};
const one = (measurement_id: string) => ({ device_id: input.unique_id, measurement_id });
const pair = (measurement_id: string) => `${input.unique_id}/${measurement_id}`;

describe('reading measurements', () => {
  it('gives the past of a series, broken after three periods of silence', async () => {
    const temperature = measured(0, { 100: 19, 50: 20, 20: 21, 0: 22 });
    expect((await ask('past', { ...one(temperature), past_s: 60 })).body).toEqual({
      ...one(temperature),
      channel: 0,
      unit: 'C',
      from: iso(start - 60_000),
      to: iso(start),
      resolution: 'raw',
      gap_s: 30,
      times: [start - 50_000, start - 20_000],
      values: [20, 21],
    });
    const broken = await ask('past', { ...one(temperature), past_s: 600, gap_s: 40 });
    expect(broken.body).toMatchObject({ values: [19, null, 20, 21] });
  });

  it('gives a span of one series or several, one that is unknown empty among them', async () => {
    const temperature = measured(0, { 50: 20 });
    const humidity = measured(1, { 50: 60, 40: 61 });
    const span = { from: iso(start - 60_000), to: iso(start) };
    expect((await ask('historical', { ...one(temperature), ...span })).body).toMatchObject({ values: [20] });
    const series = [pair(humidity).toUpperCase(), `${nobody}/${nobody}`, pair(temperature)].join(',');
    expect((await ask('multi', { series, ...span })).body).toMatchObject({
      series: [
        { ...one(humidity), unit: '%', values: [60, 61] },
        { unit: null, channel: null, values: [] },
        { unit: 'C', values: [20] },
      ],
    });
  });

  it('ends a past at now, where a clock that was set back left samples after it', async () => {
    const temperature = measured(0, { 3000: 19, 100: 20, [-100]: 99 });
    for (const points of [2000, 4]) {
      const { body } = await ask('past', { ...one(temperature), past_s: 86_400, points });
      const { to, values } = body as { to: string; values: number[] };
      expect([to, Math.max(...values)]).toEqual([iso(start), 20]);
    }
  });

  it.each([
    ['past', { device_id: nobody, measurement_id: nobody, past_s: 60 }, 404, 'not_found'],
    ['historical', { device_id: nobody, measurement_id: nobody, from: iso(0), to: iso(0) }, 400, 'invalid_field'],
    ['multi', { series: 'nonsense', from: iso(0) }, 400, 'invalid_field'],
    ['aggregated', { series: `${nobody}/${nobody}`, from: iso(0), bucket: 'minute' }, 400, 'invalid_field'],
    [
      'aggregated',
      { series: `${nobody}/${nobody}`, from: iso(0), bucket: 'day', aggregates: 'mode' },
      400,
      'invalid_field',
    ],
    ['export.csv', { series: `${nobody}/${nobody}`, from: iso(9), to: iso(8) }, 400, 'invalid_field'],
    ['export.csv', { from: iso(0), to: iso(8) }, 400, 'invalid_field'],
    [
      'export.csv',
      { series: `${nobody}/${nobody}`, earlier_s: 20, columns: 'One of two', from: iso(0) },
      400,
      'invalid_field',
    ],
  ])('%s %j: %d %s', async (call, query, status, code) => {
    expect(await ask(call, query)).toMatchObject({ status, body: { code } });
  });

  it('gives the newest value, of the daemon or of the disk, unless it is too old', async () => {
    const temperature = measured(0, { 50: 20 });
    const last = { ...one(temperature), channel: 0, value: 20, unit: 'C', quality: 'good', ...timed(start - 50_000) };
    expect((await ask('last', one(temperature))).body).toEqual({ last });
    expect((await ask('last', { ...one(temperature), max_age_s: 49 })).body).toEqual({ last: null });
    expect((await ask('last', one(input.channels[1]?.measurement_id ?? ''))).body).toEqual({ last: null });
    expect(await ask('last', one(nobody))).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('gives the bucket in which 1970 began, from before it', async () => {
    const span = { from: iso(0), to: iso(1_000), bucket: 'month' };
    const { status, body } = await ask('aggregated', { series: pair(measured(0, { 50: 20 })), ...span });
    expect({ status, body }).toMatchObject({ status: 200, body: { bucket: 'month' } });
    expect((body as { times: number[] }).times[0]).toBeLessThanOrEqual(0);
  });

  it('gives aligned buckets of the site’s days', async () => {
    const temperature = measured(0, { 50: 20, 40: 23 });
    const span = { from: iso(start - 86_400_000), to: iso(start), bucket: 'day' };
    const { body } = await ask('aggregated', { series: pair(temperature), ...span, aggregates: 'max,mean' });
    expect(body).toEqual({
      bucket: 'day',
      time_zone: 'Asia/Seoul',
      times: [Date.parse('2026-02-27T15:00:00Z'), Date.parse('2026-02-28T15:00:00Z')],
      series: [{ ...one(temperature), channel: 0, unit: 'C', mean: [null, 21.5], max: [null, 23] }],
    });
  });

  it('exports columns that a spreadsheet runs nothing of, and keeps numbers numbers', async () => {
    const temperature = measured(0, { 50: -5, 40: 20.5 });
    const co2 = measured(2, { 40: 400 });
    await api.request('POST', '/api/geo/settings', { body: { site_name: 'North 1/2' } });
    const answer = await ask('export.csv', {
      series: `${pair(temperature)},${pair(co2)}`,
      from: iso(0),
      to: iso(start),
    });
    const name = 'North 1_2 1970-01-01 0900 - 2026-03-01 1500.csv'; // in the time of the site
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="measurements.csv"; filename*=UTF-8''${encodeURIComponent(name)}`,
    );
    expect(answer.text.split('\r\n')).toEqual([
      "\uFEFFtime (UTC),'=cmd|x Temperature (C),=cmd|x CO2 (ppm)".replace(',=', ",'="),
      `${iso(start - 50_000)},-5,`,
      `${iso(start - 40_000)},20.5,400`,
      '',
    ]);
  });

  it('exports the states of outputs beside samples, with a line for each change, under the headings that are asked for', async () => {
    const temperature = measured(0, { 50: 20, 30: 21, 10: 22 });
    const output = await api.services.outputs.create(systemActor, {
      name: 'Pump',
      driver: 'simulated',
      options: { part: 'valve', house: nobody },
    });
    const id = api.measured
      .prepare('INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, 0, ?)')
      .run(output.unique_id, outputStateMeasurementId, '%').lastInsertRowid;
    const insert = api.measured.prepare(
      'INSERT INTO state_interval (series_id, start_ms, end_ms, seen_ms, state) VALUES (?, ?, ?, ?, ?)',
    );
    for (const [from_s, to_s, state] of [
      [90, 40, 100],
      [40, 20, null],
      [20, 5, 0],
    ] as const) {
      insert.run(id, start - from_s * 1000, start - to_s * 1000, start - to_s * 1000, state);
    }
    const span = { from: iso(start - 60_000), to: iso(start) };
    const outputs = `${output.unique_id}/0`;
    const lines = (at: number, ...cells: (number | '')[]) => [iso(start - at * 1000), ...cells].join(',');
    const headings = [
      ['columns', 'Air, indoors (°C)'],
      ['columns', 'Pump (%)'],
    ];
    const asked = new URLSearchParams([
      ...headings,
      ...Object.entries({ series: pair(temperature), outputs, ...span }),
    ]);
    const both = await api.request('GET', `/api/measurements/export.csv?${asked}`);
    expect(both.text.split('\r\n')).toEqual([
      '\uFEFFtime (UTC),"Air, indoors (°C)",Pump (%)',
      lines(60, '', 100),
      lines(50, 20, 100),
      lines(40, '', ''),
      lines(30, 21, ''),
      lines(20, '', 0),
      lines(10, 22, 0),
      lines(5, '', ''),
      '',
    ]);
    const before = await ask('export.csv', { series: pair(temperature), earlier_s: 20, ...span });
    expect(before.text.split('\r\n')).toEqual([
      "\uFEFFtime (UTC),'=cmd|x Temperature (C),'=cmd|x Temperature (C) 20 s earlier",
      lines(50, 20, ''),
      lines(30, 21, 20),
      lines(10, 22, 21),
      '',
    ]);
    const local = await ask('export.csv', { series: pair(temperature), clock: 'site', decimals: 0, ...span });
    expect(local.text.split('\r\n').slice(0, 2)).toEqual([
      "\uFEFFtime (Asia/Seoul),offset from UTC (h),'=cmd|x Temperature (C)",
      '2026-03-01 14:59:10,9,20',
    ]);
    const alone = await ask('export.csv', { outputs, ...span });
    expect(alone.text.split('\r\n').slice(0, 2)).toEqual(['\uFEFFtime (UTC),Pump Valve (%)', lines(60, 100)]);
  });

  it('names the house of exported columns that would be called the same', async () => {
    const { name, options, period_s } = input;
    const other = await api.services.inputs.create(systemActor, { name, driver: 'simulated', options, period_s });
    const [temperature, co2] = [measured(0, { 50: -5 }), measured(2, { 50: 400 })];
    const others = { device_id: other.unique_id, measurement_id: other.channels[0]?.measurement_id ?? '' };
    const post = async (path: string, body: object) => (await api.request('POST', path, { body })).body;
    const { map_uuid } = (await post('/api/geo/designs', { name: 'Farm', lat: 37, lng: 127, zoom: 18 })) as {
      map_uuid: string; // checked by the API
    };
    const bound = { role: 'indoor_temp', name: 'Air' };
    const houses = [
      { name: 'North', sensors: [{ ...bound, ...one(temperature) }] },
      { name: 'South', sensors: [{ ...bound, ...others }] },
    ];
    const shapes = houses.map(() => drawn({ type: 'facility' }));
    await post('/api/geo/overlays', { geo_id: map_uuid, features: shapes });
    for (const [at, house] of houses.entries()) {
      const shape_uuid = shapes[at]?.properties.unique_id;
      expect(await post('/api/geo/facility', { ...house, shape_uuid, envelope })).toMatchObject(house);
    }
    const { text } = await ask('export.csv', {
      series: `${pair(temperature)},${others.device_id}/${others.measurement_id},${pair(co2)}`,
      from: iso(0),
      to: iso(start),
    });
    const names = ['North =cmd|x Temperature (C)', 'South =cmd|x Temperature (C)', "'=cmd|x CO2 (ppm)"];
    expect(text.split('\r\n')[0]).toBe(`\uFEFFtime (UTC),${names.join(',')}`);
  });
});

describe('adding a sample', () => {
  const create = (body: object) => api.request('POST', '/api/measurements/create', { body });

  it('takes the time of a span and of a sample in either form', async () => {
    const { measurement_id = '' } = input.channels[1] ?? {};
    const at = start - 90_000;
    for (const time of [at, iso(at)]) {
      expect(await create({ ...one(measurement_id), value: 55, time })).toMatchObject({ status: 201, body: timed(at) });
    }
    const temperature = measured(0, { 50: 20, 40: 21 });
    const spans = [
      { from: iso(start - 45_000), to: iso(start) },
      { from: String(start - 45_000), to: String(start) },
    ];
    for (const call of ['historical', 'multi', 'export.csv']) {
      const named = call === 'historical' ? one(temperature) : { series: pair(temperature) };
      const [text, number] = await Promise.all(spans.map((span) => ask(call, { ...named, ...span })));
      expect([text?.status, number?.text]).toEqual([200, text?.text]);
    }
  });

  it('goes to the daemon, is audited and can be read where it says', async () => {
    const { measurement_id = '' } = input.channels[1] ?? {};
    const made = await create({ ...one(measurement_id), value: 55 });
    const sample = { ...one(measurement_id), channel: 1, unit: '%', value: 55, quality: 'good', ...timed(start) };
    expect(made).toMatchObject({ status: 201, body: sample });
    expect(api.daemon.told).toContain(`measurement_create ${measurement_id} 55`);
    expect(api.accounts.audits.list({ kind: 'measurement.create' }).audit).toMatchObject([{ after: { value: 55 } }]);
    expect((await api.request('GET', String(made.headers.location))).status).toBe(200);
  });

  it('is refused for what nothing measures, for the future, and while the daemon is gone', async () => {
    const known = one(input.channels[0]?.measurement_id ?? '');
    expect(await create({ ...one(randomUUID()), value: 1 })).toMatchObject({
      status: 400,
      body: { code: 'unknown_reference' },
    });
    expect(await create({ ...known, value: 1, time: iso(start + 120_000) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_field' },
    });
    api.daemon.failure = remoteError('connection_failed');
    expect(await create({ ...known, value: 1 })).toMatchObject({ status: 502, body: { code: 'daemon_unreachable' } });
  });
});

describe('how measurements are kept', () => {
  const send = (method: string, path: string, body?: object) =>
    api.request(method, `/api/settings/measurements${path}`, body === undefined ? {} : { body });

  it('is the default until somebody says otherwise, and again when he takes it back', async () => {
    const { measurement_id = '' } = input.channels[0] ?? {};
    const path = `/${measurement_id}`;
    const delivered = {
      unique_id: measurement_id,
      device_id: input.unique_id,
      raw_days: 400,
      rollup_days: 3650,
      is_default: true,
    };
    expect((await send('GET', '')).body).toMatchObject({ measurements: [delivered, {}, {}, {}] });
    const made = await send('POST', '', { unique_id: measurement_id.toUpperCase(), raw_days: 30 });
    expect(made).toMatchObject({ status: 201, body: { raw_days: 30, rollup_days: 3650, is_default: false } });
    expect(made.headers.location).toBe(`/api/settings/measurements${path}`);
    expect(await send('POST', '', { unique_id: measurement_id, raw_days: 3 })).toMatchObject({
      body: { code: 'already_exists' },
    });
    const changed = await send('PATCH', path, { ...(made.body as object), name: 'Under the roof', rollup_days: 800 });
    expect(changed.body).toMatchObject({ name: 'Under the roof', raw_days: 30, rollup_days: 800 });
    const { audit } = api.accounts.audits.list({ limit: 2 });
    expect(audit.map(({ kind, target }) => [kind, target])).toEqual([
      ['measurement.retention', measurement_id],
      ['input.change', input.unique_id],
    ]);
    expect((await send('DELETE', path)).body).toEqual({ unique_id: measurement_id, deleted: true });
    expect((await send('GET', path)).body).toMatchObject({ ...delivered, name: 'Under the roof' });
    expect(await send('DELETE', path)).toMatchObject({ status: 404 });
  });

  it('is known of what inputs measure alone', async () => {
    expect(await send('PATCH', `/${nobody}`, { raw_days: 5 })).toMatchObject({ body: { code: 'not_found' } });
    expect(await send('POST', '', { unique_id: nobody, raw_days: 5 })).toMatchObject({
      body: { code: 'unknown_reference' },
    });
  });

  it.each([
    [{ rollup_days: 20, raw_days: 30 }, 400, 'invalid_field'],
    [{ rollup_days: 399 }, 400, 'invalid_field'],
    [{ unit: 'F' }, 400, 'read_only_field'],
    [{ raw_days: 0 }, 400, 'invalid_field'],
  ])('refuses %j', async (patch, status, code) => {
    const { measurement_id = '' } = input.channels[0] ?? {};
    expect(await send('PATCH', `/${measurement_id}`, patch)).toMatchObject({ status, body: { code } });
  });
});

describe('units', () => {
  const send = (method: string, path: string, body?: object) =>
    api.request(method, `/api/settings/units${path}`, body === undefined ? {} : { body });
  const reaumur = { measurement: 'temperature', unit: 'Re', factor: 1.25 };

  it('of the program and own ones are what a series can be read in', async () => {
    const temperature = measured(0, { 50: 20 });
    const read = async (unit: string) => (await ask('past', { ...one(temperature), past_s: 60, unit })).body;
    expect(await read('F')).toMatchObject({ unit: 'F', values: [68] });
    expect(await read('C')).toMatchObject({ unit: 'C', values: [20] });
    expect(await read('Re')).toMatchObject({ code: 'invalid_field', errors: [{ path: 'unit' }] });
    expect((await send('POST', '', reaumur)).status).toBe(201);
    expect(await read('Re')).toMatchObject({ unit: 'Re', values: [16] });
    expect(await read('kPa')).toMatchObject({ code: 'invalid_field' });
  });

  it('are made, changed and deleted; none twice', async () => {
    const made = await send('POST', '', reaumur);
    const path = `/${(made.body as { unique_id: string }).unique_id}`;
    expect(made).toMatchObject({
      body: { ...reaumur, offset: 0 },
      headers: { location: `/api/settings/units${path}` },
    });
    expect(await send('POST', '', reaumur)).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(await send('POST', '', { ...reaumur, unit: 'C' })).toMatchObject({ status: 409 });
    expect(await send('POST', '', { ...reaumur, factor: 0 })).toMatchObject({ status: 400 });
    expect((await send('PATCH', path, { ...(made.body as object), offset: 1 })).body).toMatchObject({
      factor: 1.25,
      offset: 1,
    });
    expect(await send('PATCH', path, { unique_id: nobody })).toMatchObject({ body: { code: 'read_only_field' } });
    expect((await send('GET', '')).body).toMatchObject({ units: [{ unit: 'Re', offset: 1 }] });
    expect((await send('DELETE', path)).status).toBe(200);
    expect((await send('GET', path)).status).toBe(404);
  });

  it('that a sensor speaks in keep their name until it speaks in another', async () => {
    const speak = (raw_unit: string | null) =>
      api.request('PATCH', `/api/settings/inputs/${input.unique_id}`, {
        body: { channels: [{ channel: 0, raw_unit }] },
      });
    expect(await speak('Re')).toMatchObject({ status: 400, body: { errors: [{ path: 'channels[0].raw_unit' }] } });
    const { unique_id } = (await send('POST', '', reaumur)).body as { unique_id: string }; // a unit
    expect((await speak('Re')).body).toMatchObject({ channels: [{ raw_unit: 'Re' }] });
    const users = [{ kind: 'input', unique_id: input.unique_id, name: input.name }];
    const inUse = { status: 409, body: { code: 'in_use', users } };
    expect(await send('DELETE', `/${unique_id}`)).toMatchObject(inUse);
    expect(await send('PATCH', `/${unique_id}`, { unit: 'r' })).toMatchObject(inUse);
    expect((await send('PATCH', `/${unique_id}`, { factor: 1.3 })).body).toMatchObject({ unit: 'Re', factor: 1.3 });
    expect((await speak(null)).status).toBe(200);
    expect((await send('DELETE', `/${unique_id}`)).status).toBe(200);
  });
});
