import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../server/auth/system-actor.ts';
import type { Input } from '../../../server/contract/input.ts';
import { outputStateMeasurementId } from '../../../server/contract/measurement.ts';
import { start } from '../../support/accounts.ts';
import { envelope } from '../../support/devices.ts';
import { fillRollups } from '../../support/rollups.ts';
import { testWholeApi, type WholeApi } from '../../support/whole-api.ts';

const nobody = '00000000-0000-4000-8000-0000000000ff';
const hourMs = 3_600_000;
/** The midnight in Seoul before `start`, which is 15:00 there. */
const midnight = start - 15 * hourMs;

let api: WholeApi;
let input: Input;
beforeEach(async () => {
  api = await testWholeApi();
  input = await api.services.inputs.create(systemActor, {
    name: 'Indoor',
    driver: 'simulated',
    options: { part: 'indoor', house: nobody },
    period_s: 60,
  });
});

const iso = (ms: number): string => new Date(ms).toISOString();
const span = { from: iso(midnight - 2 * hourMs), to: iso(midnight + 2 * hourMs) };

/** A value a minute over the span for a channel, none where it is null; gives its measurement. */
function everyMinute(
  channel: number,
  value: number | ((minute: number) => number | null),
  unit = input.channels[channel]?.unit ?? '',
): string {
  const { measurement_id = '' } = input.channels[channel] ?? {};
  const id = seriesOf(input.unique_id, measurement_id, channel, unit);
  const insert = api.measured.prepare('INSERT INTO sample VALUES (?, ?, ?, 0)');
  api.measured.transaction(() => {
    for (let minute = -120; minute < 120; minute += 1) {
      const said = typeof value === 'number' ? value : value(minute);
      if (said !== null) insert.run(id, midnight + minute * 60_000, said);
    }
  })();
  return measurement_id;
}

function seriesOf(...key: [device_id: string, measurement_id: string, channel: number, unit: string]): number | bigint {
  const sql = 'INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, ?, ?)';
  return api.measured.prepare(sql).run(...key).lastInsertRowid;
}

const ask = async (name: string, query: Record<string, string | number>) => {
  const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  return api.request('GET', `/api/measurements/${name}?${text}`);
};
const one = (measurement_id: string) => ({ device_id: input.unique_id, measurement_id, ...span });

describe('analytics of readings', () => {
  it('add degree hours up by the days of the site, from rollups and what is in none yet', async () => {
    const temperature = everyMinute(0, 22);
    fillRollups(api.measured, { until_ms: midnight + hourMs });
    const { body } = await ask('analytics/degree_days', { ...one(temperature), base_c: 10 });
    const half = { degree_hours: 24, degree_days: 1, covered_s: 7200 };
    expect(body).toEqual({
      time_zone: 'Asia/Seoul',
      degree_hours: 48,
      degree_days: 2,
      covered_s: 14_400,
      days: [
        { date: '2026-02-28', ...half },
        { date: '2026-03-01', ...half },
      ],
    });
  });

  it('add light up, and say what a unit was taken for', async () => {
    const light = everyMinute(3, 100);
    const { body } = await ask('analytics/light_sum', one(light));
    expect(body).toMatchObject({
      unit: 'W/m2',
      umol_m2_s_per_unit: 2.0565,
      light_sum_mol_m2: expect.closeTo(2.961_36, 9) as number,
      covered_s: 14_400,
    });
  });

  it.each([
    ['par', 'umol/m2/s', 1, 1.44],
    ['illuminance', 'lx', 1 / 54, 1.44 / 54],
  ] as const)('add up light that a sensor measures as %s, in %s', async (measurement, unit, flux, sum) => {
    input = await api.services.inputs.create(systemActor, {
      name: 'Beside the lamps',
      driver: 'modbus',
      period_s: 60,
      options: { host: '192.0.2.7', registers: [{ channel: 0, table: 'holding', address: 0 }] },
      channels: [{ channel: 0, measurement }],
    });
    expect(input.channels[0]).toMatchObject({ measurement, unit });
    const { body } = await ask('analytics/light_sum', one(everyMinute(0, 100)));
    expect(body).toMatchObject({
      unit,
      umol_m2_s_per_unit: flux,
      covered_s: 14_400,
      light_sum_mol_m2: expect.closeTo(sum, 9) as number,
    });
  });

  it('tell how long the deficit was in its band', async () => {
    const [temperature, humidity] = [everyMinute(0, 25), everyMinute(1, 60)]; // 1.267 kPa
    const series = {
      temperature: `${input.unique_id}/${temperature}`,
      humidity: `${input.unique_id}/${humidity}`,
      ...span,
    };
    const { body } = await ask('analytics/vpd', { ...series, low_kpa: 0.5, high_kpa: 1.2 });
    expect(body).toMatchObject({
      below_s: 0,
      in_band_s: 0,
      above_s: 14_400,
      covered_s: 14_400,
      days: [
        { above_s: 7200, covered_s: 7200 },
        { above_s: 7200, covered_s: 7200 },
      ],
    });
  });

  it('meter energy and its cost', async () => {
    const power = everyMinute(2, 1500, 'W');
    const { body } = await ask('analytics/energy', { ...one(power), price_per_kwh: 0.2 });
    expect(body).toMatchObject({
      method: 'meter',
      rating_kw: null,
      meter: { device_id: input.unique_id, measurement_id: power, unit: 'W', kwh_per_unit: null, restarts: null },
      metered: null,
      energy_kwh: 6,
      cost: expect.closeTo(1.2, 9) as number,
      covered_s: 14_400,
    });
  });

  it.each([
    ['analytics/degree_days', { base_c: 10 }, 400, 'invalid_field'],
    ['analytics/degree_days', { measurement_id: nobody, base_c: 10 }, 404, 'not_found'],
    ['analytics/degree_days', { base_c: 10, upper_c: 5 }, 400, 'invalid_field'],
    ['analytics/degree_days', { base_c: 10, from: iso(0) }, 400, 'invalid_field'],
    ['analytics/degree_days', { base_c: 10, from: iso(start + 1), to: iso(start + 2) }, 400, 'invalid_field'],
  ])('%s with %j: %d %s', async (name, query, status, code) => {
    const humidity = everyMinute(1, 60);
    expect(await ask(name, { ...one(humidity), ...query })).toMatchObject({ status, body: { code } });
  });
});

describe('a counting meter', () => {
  /** 0.1 a minute, so 12 in each half of the span. */
  const counting = (minute: number): number => 500 + (minute + 120) / 10;

  it('tells the energy of each day from what it said first and last, whatever rollups hold', async () => {
    const energy = everyMinute(2, counting, 'kWh');
    fillRollups(api.measured, { until_ms: midnight + hourMs });
    const { body } = await ask('analytics/energy', { ...one(energy), price_per_kwh: 0.5 });
    const near = (value: number) => expect.closeTo(value, 6) as number;
    // What it will have counted in the last minute it has not said yet.
    expect(body).toEqual({
      time_zone: 'Asia/Seoul',
      method: 'meter',
      rating_kw: null,
      meter: { device_id: input.unique_id, measurement_id: energy, unit: 'kWh', kwh_per_unit: 1, restarts: 0 },
      energy_kwh: near(23.9),
      cost: near(11.95),
      metered: near(23.9),
      covered_s: 14_340,
      days: [
        { date: '2026-02-28', energy_kwh: near(12), cost: near(6), metered: near(12), covered_s: 7200 },
        { date: '2026-03-01', energy_kwh: near(11.9), cost: near(5.95), metered: near(11.9), covered_s: 7140 },
      ],
    });
  });

  it('goes on over a restart, knows what passed while nobody read it, and takes gas for energy', async () => {
    const gas = everyMinute(
      2,
      (minute) => (Math.abs(minute) < 30 ? null : minute < 60 ? counting(minute) : minute - 60),
      'm3',
    );
    fillRollups(api.measured);
    const asked = { ...one(gas), kwh_per_unit: 10, price_per_kwh: 9, price_per_unit: 2 };
    const { body } = await ask('analytics/energy', asked);
    const metered = counting(59) - 500 + 59; // the restart itself brought it to 0
    expect(body).toMatchObject({
      metered: expect.closeTo(metered, 6) as number,
      energy_kwh: expect.closeTo(10 * metered, 6) as number,
      cost: expect.closeTo(2 * metered, 6) as number,
      covered_s: 14_340 - 3600,
    });
    const silent = { from: iso(midnight - 10 * 60_000), to: iso(midnight + 10 * 60_000) };
    expect((await ask('analytics/energy', { ...asked, ...silent })).body).toMatchObject({
      metered: expect.closeTo(2, 6) as number,
      covered_s: 0,
    });
    const refused = async (series: string, path: string) =>
      expect(await ask('analytics/energy', one(series))).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    await refused(gas, 'kwh_per_unit');
    await refused(everyMinute(0, 20), 'measurement_id');
  });
});

describe('analytics of an output', () => {
  const heater = async () => {
    const { unique_id } = await api.services.outputs.create(systemActor, { name: 'Heater', driver: 'simulated' });
    const id = seriesOf(unique_id, outputStateMeasurementId, 0, '%');
    const insert = api.measured.prepare('INSERT INTO state_interval VALUES (?, ?, ?, ?, ?)');
    insert.run(id, midnight - 2 * hourMs, midnight - hourMs, midnight - hourMs, 0);
    insert.run(id, midnight - hourMs, midnight + hourMs, midnight + hourMs, 100);
    insert.run(id, midnight + hourMs, midnight + 1.5 * hourMs, midnight + 1.5 * hourMs, null);
    insert.run(id, midnight + 1.5 * hourMs, null, midnight + 2 * hourMs, 50);
    return unique_id;
  };

  it('list its states, an open one as long as the daemon vouched for it', async () => {
    const device_id = await heater();
    const { body } = await ask('states', { device_id, from: span.from });
    expect(body).toMatchObject({ device_id, channel: 0, is_complete: true, states: { length: 4 } });
    const [from_ms, to_ms] = [midnight + 1.5 * hourMs, midnight + 2 * hourMs + 120_000];
    const [from, to] = [new Date(from_ms).toISOString(), new Date(to_ms).toISOString()];
    const last = { from, to, from_ms, to_ms, state: 50 };
    expect((body as { states: unknown[] }).states.at(-1)).toEqual(last);
  });

  it('list when and why it was switched, the newest first', async () => {
    const device_id = await heater();
    const cause = {
      kind: 'pid',
      unique_id: device_id,
      name: 'Heating',
      because: '19 °C - 17 °C = 2 K',
      reason: { code: 'pid_held', facts: { control: { value: 5, unit: 's' } } },
    };
    const driven = { source: 'automatic', actor: 'Heating', reason: null, rule: null, cause };
    const origins = api.measured.prepare('INSERT INTO state_origin VALUES (?, ?, ?)');
    const id = api.measured.prepare('SELECT id FROM series WHERE device_id = ?').pluck().get(device_id);
    origins.run(id, midnight - hourMs, JSON.stringify(driven));
    origins.run(id, midnight + 1.5 * hourMs, JSON.stringify({ source: 'of a later program' }));
    const { body } = await ask('switches', { device_id, from: span.from });
    expect(body).toMatchObject({
      device_id,
      channel: 0,
      is_complete: true,
      switches: [
        { at_ms: midnight + 1.5 * hourMs, state: 50, origin: null },
        { at_ms: midnight + hourMs, state: null, origin: null },
        { at: new Date(midnight - hourMs).toISOString(), state: 100, origin: driven },
        { at_ms: midnight - 2 * hourMs, state: 0, origin: null },
      ],
    });
    const { body: newest } = await ask('switches', { device_id, from: span.from, limit: '1' });
    expect(newest).toMatchObject({ is_complete: false, switches: [{ state: 50 }] });
    // From its middle on: the switch that began what the span begins in.
    const late = { device_id, from: iso(midnight), to: iso(midnight + 60_000) };
    expect((await ask('switches', late)).body).toMatchObject({ switches: [{ at_ms: midnight - hourMs }] });
    expect(await ask('switches', { ...late, device_id: randomUUID() })).toMatchObject({ status: 404 });
  });

  it('tell on from off and from unknown, by the day', async () => {
    const { body } = await ask('analytics/time_in_state', { device_id: await heater(), ...span });
    expect(body).toEqual({
      time_zone: 'Asia/Seoul',
      on_s: 9000,
      off_s: 3600,
      unknown_s: 1800,
      unrecorded_s: 0,
      full_load_s: 8100,
      starts: 2,
      days: [
        {
          date: '2026-02-28',
          on_s: 3600,
          off_s: 3600,
          unknown_s: 0,
          unrecorded_s: 0,
          full_load_s: 3600,
          starts: 1,
        },
        {
          date: '2026-03-01',
          on_s: 5400,
          off_s: 0,
          unknown_s: 1800,
          unrecorded_s: 0,
          full_load_s: 4500,
          starts: 1,
        },
      ],
    });
  });

  it('turn a rating into energy and cost, and ask for it where nobody says it', async () => {
    const device_id = await heater();
    const rated = await ask('analytics/energy', { device_id, ...span, rating_kw: 12, price_per_kwh: 0.1 });
    expect(rated.body).toMatchObject({ method: 'rating', rating_kw: 12, energy_kwh: 27, covered_s: 12_600 });
    expect((rated.body as { cost: number }).cost).toBeCloseTo(2.7, 9);
    expect(await ask('analytics/energy', { device_id, ...span })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'rating_kw' }] },
    });
    expect(await ask('states', { device_id: nobody, from: span.from })).toMatchObject({ status: 404 });
  });
});

describe('an actuator that a house has a meter for', () => {
  const corner = (lng: number, lat: number): [number, number] => [127 + lng / 1000, 37 + lat / 1000];
  const square = {
    type: 'Polygon',
    coordinates: [[corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)]],
  };
  const post = async (path: string, body: object): Promise<Record<string, string>> =>
    (await api.request('POST', path, { body })).body as Record<string, string>; // the identifiers that are asked of it

  it('is told by the meter, which the answer says, and by a rating where that is given', async () => {
    const { unique_id } = await api.services.outputs.create(systemActor, { name: 'Heater', driver: 'simulated' });
    const registers = [{ channel: 0, table: 'holding', address: 0 }];
    input = await api.services.inputs.create(systemActor, {
      name: 'Meter',
      driver: 'modbus',
      options: { host: '127.0.0.1', registers },
      period_s: 60,
      channels: [{ channel: 0, measurement: 'energy' }],
    });
    const meter = { device_id: input.unique_id, measurement_id: everyMinute(0, (minute) => minute + 120) };
    const { map_uuid } = await post('/api/geo/designs', { name: 'Farm', lat: 37, lng: 127, zoom: 18 });
    const properties = { type: 'site', name: 'Site', unique_id: nobody };
    await post('/api/geo/overlays', {
      geo_id: map_uuid,
      features: [{ type: 'Feature', geometry: square, properties }],
    });
    const actuator = { role: 'heater', device_id: unique_id, name: 'Heater', rating_kw: 12, meter };
    const saved = await post('/api/geo/facility', {
      name: 'House',
      shape_uuid: nobody,
      envelope,
      actuators: [actuator],
    });
    expect(saved).toMatchObject({ actuators: [actuator] });
    const told = async (more: Record<string, number> = {}) =>
      (await ask('analytics/energy', { device_id: unique_id, ...span, ...more })).body;
    const kwh = expect.closeTo(239, 6) as number;
    expect(await told()).toMatchObject({ method: 'meter', rating_kw: null, meter, energy_kwh: kwh, metered: kwh });
    api.measured.prepare("INSERT INTO series VALUES (NULL, ?, ?, 0, '%')").run(unique_id, outputStateMeasurementId);
    expect(await told({ rating_kw: 5 })).toMatchObject({ method: 'rating', rating_kw: 5, meter: null, metered: null });
  });
});
