import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forecast } from '../../../../server/contract/drivers/forecast.ts';
import { driver } from '../../../../server/daemon/drivers/forecast/index.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startUpstream, upstreamOutboundOptions, type Answering } from '../../../support/upstream.ts';

const calm = new AbortController().signal;
const [minute, hour] = [60_000, 3_600_000];

/** Columns that rise by the hour from the hour before now on: 0, 10, 20 ... */
function answered(nowMs: number, change: object = {}): Answering {
  const from_s = Math.floor(nowMs / hour) * 3_600 - 3_600;
  const steps = Array.from({ length: 120 }, (_, at) => at * 10);
  const hourly = {
    time: steps.map((_, at) => from_s + at * 3_600),
    temperature_2m: steps,
    relative_humidity_2m: steps,
    wind_speed_10m: steps,
    wind_direction_10m: steps,
    shortwave_radiation: steps,
    precipitation: steps.map((_, at) => (at === 5 ? null : at)),
    ...change,
  };
  return (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ hourly }));
}

async function site(options: { lead_h?: number; longest_age_h?: number; password?: string } = {}, dataDirectory = '') {
  const clock = new ManualClock();
  const upstream = await startUpstream(answered(clock.now()));
  const environment = { clock, log: () => undefined, outbound: upstreamOutboundOptions() };
  const family = driver.start({ ...environment, ...(dataDirectory && { dataDirectory }) });
  const connect = (base_url: string | undefined) =>
    family.connect(
      {
        device_id: 'device',
        kind: 'input' as const,
        channels: [0, 1, 2, 3, 4, 5, 6],
        options: forecast.options.parse({
          latitude: 37.5,
          longitude: 127.1,
          ...options,
          ...(base_url && { base_url }),
        }),
      },
      calm,
    );
  const device = await connect(upstream.origin);
  const read = async () => (await device.read?.(calm))?.map(({ value }) => value);
  return { clock, upstream, read, connect };
}

describe('a forecast as an input', () => {
  it('is what is expected so many hours ahead: between the hours, and of the hour for sums', async () => {
    const { clock, read, upstream } = await site({ lead_h: 2, password: 'k3y' });
    const part = (clock.now() % hour) / hour; // of the hour that has gone
    const at = 30 + part * 10;
    const next = part === 0 ? 3 : 4;
    const wind = part === 0 || part > 0.5 ? next * 10 : 30;
    const rounded = (await read())?.map((value) => Number(value?.toFixed(6)));
    expect(rounded).toEqual([at, at, at, wind, next * 10, next, 0].map((value) => Number(value.toFixed(6))));
    expect(upstream.asked[0]).toContain('/v1/forecast?latitude=37.5&longitude=127.1&hourly=temperature_2m');
    expect(upstream.asked[0]).toContain('wind_speed_unit=ms&apikey=k3y');
  });

  it('is asked for by the hour, and goes on without internet with its age until it is too old', async () => {
    const { clock, read, upstream } = await site({ longest_age_h: 2 });
    await read();
    await clock.advance(59 * minute);
    await read();
    expect(upstream.asked).toHaveLength(1);
    upstream.cut();
    await clock.advance(50 * minute);
    const late = await read();
    expect(late?.[0]).toEqual(expect.any(Number));
    expect(late?.at(-1)).toBeCloseTo(109 * 60, 6);
    await clock.advance(12 * minute);
    expect(await read()).toEqual([null, null, null, null, null, null, expect.closeTo(121 * 60, 6)]);
  });

  it('is gone on with after a restart without internet, as old as it is, and only for its own place', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orangery-forecast-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { read, upstream, clock, connect } = await site({ longest_age_h: 2, password: 'k3y' }, folder);
    const before = await read();
    await clock.advance(minute);
    const restarted = async () =>
      (await connect(upstream.origin)).read?.(calm).then((all) => all.map((one) => one.value));
    expect((await restarted())?.at(-1)).toBeCloseTo(60, 6);
    expect(upstream.asked).toHaveLength(1);
    upstream.cut();
    await clock.advance(109 * minute);
    const late = await restarted();
    expect([late?.at(-1), late?.length]).toEqual([expect.closeTo(110 * 60, 6), before?.length]);
    expect(late?.[0]).toEqual(expect.any(Number));
    await clock.advance(20 * minute);
    expect((await restarted())?.slice(0, 6)).toEqual(Array(6).fill(null));
    const [file = ''] = readdirSync(join(folder, 'forecasts'));
    const text = readFileSync(join(folder, 'forecasts', file), 'utf8');
    expect(text).not.toContain('k3y');
    for (const spoilt of [text.replace('latitude=37.5', 'latitude=38.5'), text.slice(0, 200), '']) {
      writeFileSync(join(folder, 'forecasts', file), spoilt);
      await expect(restarted()).rejects.toMatchObject({ code: 'unreachable' });
    }
    writeFileSync(join(folder, 'forecasts', file), text);
    clock.setTimeOfDay(clock.now() - 24 * hour);
    await expect(restarted()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('that never came is no reading, and is asked for again after a pause that grows', async () => {
    const { clock, read, upstream } = await site();
    upstream.answer = (_, response) => void response.writeHead(500).end();
    await expect(read()).rejects.toMatchObject({ code: 'refused' });
    await expect(read()).rejects.toMatchObject({ code: 'refused' });
    expect(upstream.asked).toHaveLength(1);
    await clock.advance(minute);
    await expect(read()).rejects.toMatchObject({ code: 'refused' });
    expect(upstream.asked).toHaveLength(2);
    upstream.answer = answered(clock.now());
    await clock.advance(minute);
    await expect(read()).rejects.toMatchObject({ code: 'refused' });
    await clock.advance(minute);
    expect(await read()).toHaveLength(7);
  });

  it.each([
    ['a page', '<html>Log in to the hotel</html>'],
    ['other fields', '{"hourly":{"time":[1]}}'],
    ['texts for numbers', JSON.stringify({ hourly: { time: ['2026-01-01T00:00'], temperature_2m: ['4'] } })],
  ])('that is %s is none', async (_, body) => {
    const { read, upstream } = await site();
    upstream.answer = (_request, response) => void response.end(body);
    await expect(read()).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('is asked of Open-Meteo unless a server of the farm is named, and never of an address of the cloud', async () => {
    const { connect, upstream } = await site();
    const device = await connect(undefined);
    const unnamed = expect.stringContaining('api.open-meteo.com has no address') as string; // here
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'unreachable', message: unnamed });
    const metadata = await connect('http://169.254.169.254');
    await expect(metadata.read?.(calm)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('169.254.169.254') as string,
    });
    expect(upstream.asked).toEqual([]);
  });
});
