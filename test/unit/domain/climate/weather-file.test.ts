import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEpw, readWeatherCsv, WeatherFileError } from '../../../../server/domain/climate/weather-file.ts';
import { weatherOfYear } from '../../../../server/domain/climate/weather-year.ts';

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Month, day and hour ending of every hour of a year. */
const hoursOfYear = days.flatMap((count, month) =>
  Array.from({ length: count * 24 }, (_, hour) => [month + 1, Math.floor(hour / 24) + 1, (hour % 24) + 1] as const),
);
const temp = (index: number) => Math.round(100 * Math.sin(index / 50)) / 10;

const header = [
  'LOCATION,Chicago Ohare Intl Ap,IL,USA,TMY3,725300,41.98,-87.92,-6.0,201.0',
  'DESIGN CONDITIONS,0',
  'TYPICAL/EXTREME PERIODS,0',
  'GROUND TEMPERATURES,0',
  'HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0',
  'COMMENTS 1,"with a comma, in quotes"',
  'COMMENTS 2,',
  'DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31',
];
/** The 35 fields of the EPW data dictionary. */
const epwLine = ([month, day, hour]: readonly [number, number, number], index: number, wind = '3.1') =>
  [1999, month, day, hour, 0, '?9?9', temp(index), -5, 70, 99_500, 0, 0, 300, index % 24 === 11 ? 500 : 0, 0, 0].join(
    ',',
  ) + `,0,0,0,0,270,${wind},5,5,16,77777,9,999999999,0,0.1,0,88,0.2,${index % 24 === 3 ? 1.5 : 0},1`;
const epw = (lines = hoursOfYear.map((hour, index) => epwLine(hour, index))) => [...header, ...lines].join('\r\n');

describe('an EPW file', () => {
  it('is its place and 8,760 hours', () => {
    const year = readEpw(epw());
    expect(year.place).toEqual({ lat: 41.98, lng: -87.92, elevation_m: 201 });
    expect([year.utc_offset_h, year.hours.length]).toEqual([-6, 8760]);
    expect(year.hours[11]).toEqual({
      temp_c: temp(11),
      humidity_pct: 70,
      radiation_w_m2: 500,
      wind_m_s: 3.1,
      wind_dir_deg: 270,
      rain_mm_h: 0,
    });
    expect(year.hours[3]?.rain_mm_h).toBe(1.5);
  });

  it('takes wind that is missing for calm, and leaves 29 February out', () => {
    const lines = hoursOfYear.map((hour, index) => epwLine(hour, index, index === 5 ? '999' : '3.1'));
    const leap = Array.from({ length: 24 }, (_, hour) => epwLine([2, 29, hour + 1], 0));
    const year = readEpw(epw([...lines.slice(0, 59 * 24), ...leap, ...lines.slice(59 * 24)]));
    expect(year.hours.length).toBe(8760);
    expect(year.hours[5]?.wind_m_s).toBe(0);
  });

  it.each([
    ['nothing', '', 1],
    ['a picture', 'PNG\u0000\u0001', 1],
    ['a place beyond the pole', epw().replace('41.98', '141.98'), 1],
    ['a year too short', epw(hoursOfYear.slice(1).map((hour, index) => epwLine(hour, index))), null],
    ['an hour without a temperature', epw().replace(`?9?9,${temp(1)},`, '?9?9,99.9,'), 10],
    ['an hour of nonsense', epw().replace(`?9?9,${temp(2)},`, '?9?9,warm,'), 11],
  ])('of %s is refused, with the line', (_, text, line) => {
    try {
      readEpw(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(WeatherFileError);
      expect(error).toMatchObject({ code: 'invalid_weather_file', line });
    }
  });

  it('never throws anything else, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        expect(() => readEpw(text)).toThrow(WeatherFileError);
        expect(() => readWeatherCsv(text, { utc_offset_h: 0 })).toThrow(WeatherFileError);
      }),
    );
  });
});

describe('a CSV file', () => {
  const names =
    'month,day,hour_ending,temp_c,humidity_pct,pressure_hpa,wind_m_s,wind_dir_deg,global_radiation_w_m2,rain_mm';
  const lines = hoursOfYear.map((hour, index) => [...hour, temp(index), 73, 995, 2.6, 270, 0, 0].join(','));

  it('is read by the names of its columns', () => {
    const year = readWeatherCsv([names, ...lines].join('\n'), { utc_offset_h: -6 });
    expect(year).toMatchObject({ place: null, utc_offset_h: -6 });
    expect(year.hours[100]).toMatchObject({ temp_c: temp(100), humidity_pct: 73, wind_m_s: 2.6, wind_dir_deg: 270 });
  });

  it('may be without wind and rain, not without temperature', () => {
    const few = ['temp_c,humidity_pct,global_radiation_w_m2', ...hoursOfYear.map(() => '10,50,0')].join('\n');
    expect(readWeatherCsv(few, { utc_offset_h: 1 }).hours[0]).toMatchObject({ wind_m_s: 0, rain_mm_h: 0 });
    expect(() => readWeatherCsv(few.replace('temp_c', 'warmth'), { utc_offset_h: 1 })).toThrow('no column temp_c');
  });
});

describe('the weather of a recorded year', () => {
  const year = readEpw(epw());
  const at = (iso: string) => weatherOfYear(year, Date.parse(iso));

  it('is the hour that ends then, in local standard time, of any year', () => {
    expect(at('2026-01-01T07:00Z').temp_c).toBeCloseTo(temp(0), 9);
    expect(at('2031-01-01T18:00Z').temp_c).toBeCloseTo(temp(11), 9);
    expect(at('2026-01-01T07:30Z').temp_c).toBeCloseTo((temp(0) + temp(1)) / 2, 9);
    expect(at('2026-01-01T17:30Z').radiation_w_m2).toBeCloseTo(500, 9);
  });

  it('runs on over the new year and a leap day', () => {
    expect(at('2027-01-01T06:00Z').temp_c).toBeCloseTo(temp(8759), 9);
    expect(at('2028-02-29T18:00Z')).toEqual(at('2028-02-28T18:00Z'));
    expect(at('2028-03-01T18:00Z')).toEqual(at('2027-03-01T18:00Z'));
  });

  it('turns the wind the short way', () => {
    const turning = {
      ...year,
      hours: year.hours.map((hour, index) => ({ ...hour, wind_dir_deg: index % 2 ? 350 : 10 })),
    };
    const direction = weatherOfYear(turning, Date.parse('2026-01-01T07:30Z')).wind_dir_deg;
    expect(Math.min(direction, 360 - direction)).toBeLessThan(1e-9);
  });

  it('is in range at every moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) }), (epochMs) => {
        const found = weatherOfYear(year, epochMs);
        expect(Object.values(found).every(Number.isFinite)).toBe(true);
        expect(found.radiation_w_m2).toBeGreaterThanOrEqual(0);
        expect(Math.abs(found.temp_c)).toBeLessThanOrEqual(10);
      }),
    );
  });
});
