import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedOptions, type SimulatedOptions } from '../../../../server/contract/drivers/simulated.ts';
import { driver } from '../../../../server/daemon/drivers/simulated/index.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const house = '00000000-0000-4000-8000-0000000000aa';
const signal = new AbortController().signal;
/** Two days of January at Chicago O'Hare (NREL TMY3), local standard time, repeated to a year below. */
const [names = '', ...twoDays] = readFileSync('test/fixtures/weather/chicago-tmy3.csv', 'utf8')
  .trim()
  .split('\n')
  .slice(0, 49);
const year = Array.from({ length: 8760 }, (_, hour) => twoDays[hour % twoDays.length] ?? '');
/** Eleven in the morning of 1 January there: the hour that ends at 11:00 is the eleventh. */
const elevenInChicago = Date.UTC(2026, 0, 1, 17);

let dataDirectory = '';
beforeAll(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'orangery-weather-'));
  mkdirSync(join(dataDirectory, 'weather', 'folder.csv'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(dataDirectory, 'weather', name), text);
  write('chicago.csv', [names, ...year].join('\n'));
  write('short.csv', [names, ...twoDays].join('\n'));
  write('warm.csv', [names, ...year.with(4, (year[4] ?? '').replace(/^1,1,5,[^,]*/, '1,1,5,warm'))].join('\n'));
  write('picture.epw', 'PNG\u0000\u0001');
  writeFileSync(join(dataDirectory, 'outside.csv'), [names, ...year].join('\n'));
});
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

function connectWeather(options: SimulatedOptions, directory: string | undefined = dataDirectory) {
  const clock = new ManualClock(elevenInChicago);
  const family = driver.start({
    clock,
    log: () => undefined,
    ...(directory === undefined ? {} : { dataDirectory: directory }),
  });
  const of = (part: 'indoor' | 'weather') =>
    family.connect(
      {
        device_id: part,
        kind: 'input',
        options: { house, part, lat: 41.98, lng: -87.92, ...options },
        channels: [0],
      },
      signal,
    );
  return { clock, of };
}

describe('a simulated house with a weather file', () => {
  it('has the weather of the file, by the hours of its meridian', async () => {
    const { clock, of } = connectWeather({ weather_file: 'chicago.csv' });
    const [device, indoor] = await Promise.all([of('weather'), of('indoor')]);
    const [temp, humidity] = (await device.read?.(signal)) ?? [];
    const column = (hour: number, name: string) =>
      Number(twoDays[hour - 1]?.split(',')[names.split(',').indexOf(name)]);
    expect(temp?.value).toBeCloseTo(column(11, 'temp_c'), 9);
    expect(humidity?.value).toBeCloseTo(column(11, 'humidity_pct'), 9);
    await clock.advance(3_600_000);
    expect((await device.read?.(signal))?.[0]?.value).toBeCloseTo(column(12, 'temp_c'), 9);
    const [inside] = (await indoor.read?.(signal)) ?? [];
    expect(inside?.value).toBeGreaterThan(column(12, 'temp_c')); // the sun and a cold night behind it
    expect(inside?.value).toBeLessThan(40);
  });

  it.each([
    ['is not there', 'absent.csv', 'unreachable', 'weather/absent.csv of the data directory cannot be read'],
    ['has two days', 'short.csv', 'bad_answer', 'weather/short.csv has 48 hours, a year has 8760'],
    ['has an hour of nonsense', 'warm.csv', 'bad_answer', 'weather/warm.csv line 6: temp_c is warm'],
    ['is a picture', 'picture.epw', 'bad_answer', 'weather/picture.epw line 1: is no LOCATION'],
    ['is a folder', 'folder.csv', 'bad_answer', 'weather/folder.csv is no file'],
  ])('is refused with the reason when the file %s', async (_case, weather_file, code, message) => {
    const { of } = connectWeather({ weather_file });
    await expect(of('weather')).rejects.toMatchObject({ code });
    await expect(of('weather')).rejects.toThrow(message);
  });

  it('can be connected once the file is there', async () => {
    const { of } = connectWeather({ weather_file: 'later.csv' });
    await expect(of('weather')).rejects.toMatchObject({ code: 'unreachable' });
    writeFileSync(join(dataDirectory, 'weather', 'later.csv'), [names, ...year].join('\n'));
    expect((await (await of('weather')).read?.(signal))?.[0]?.value).toBeLessThan(5);
  });

  it.each([
    '../outside.csv',
    'folder/x.csv',
    '..\\outside.csv',
    '/etc/passwd.csv',
    '.csv',
    'chicago.txt',
    'a\u0000.csv',
  ])('takes no path nor another kind of file: %j', (weather_file) => {
    expect(simulatedOptions.safeParse({ house, part: 'weather', weather_file }).success).toBe(false);
  });
});
