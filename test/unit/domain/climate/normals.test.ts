import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { climateAt, climateStations } from '../../../../server/domain/climate/normals.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the table of climate stations', () => {
  it('has twelve plausible months a row, and a source with its licence', () => {
    for (const { name, lat, lng, elevation_m, source, mean_c, range_k } of climateStations) {
      expect([name, mean_c.length, range_k?.length ?? 12]).toEqual([name, 12, 12]);
      for (const value of mean_c) expect(Math.abs(value)).toBeLessThan(50);
      for (const value of range_k ?? []) expect(value).toBeGreaterThan(0);
      expect(Math.abs(lat)).toBeLessThanOrEqual(90);
      expect(Math.abs(lng)).toBeLessThanOrEqual(180);
      expect(elevation_m).toBeGreaterThan(-430);
      expect(source).toMatch(
        /public domain|Public domain|CC BY|Licence|United States government|free with attribution/,
      );
    }
  });

  const onLand = climateStations.filter(({ range_k }) => range_k !== null);

  it('has stations on land all over, each with its daily ranges', () => {
    expect(onLand.length).toBeGreaterThanOrEqual(60);
    for (const { name, range_k } of onLand) {
      for (const value of range_k ?? []) expect([name, value > 2.5 && value < 22]).toEqual([name, true]);
    }
  });

  it('says the period of every station of a source that has several', () => {
    for (const { name, source } of climateStations.filter(({ source }) => source.includes('World Weather'))) {
      expect([name, source]).toEqual([name, expect.stringMatching(/Period: (\d{4}-\d{4}|not stated)\.$/)]);
    }
  });

  it('is warmest in the summer of its hemisphere outside the tropics', () => {
    for (const { name, lat, mean_c } of onLand.filter(({ lat }) => Math.abs(lat) > 23.44)) {
      const warmest = mean_c.indexOf(Math.max(...mean_c)) + 1;
      expect([name, (lat > 0 ? [6, 7, 8] : [1, 2]).includes(warmest)]).toEqual([name, true]);
    }
  });

  it('has mild highlands by the equator, one season for all the year', () => {
    const high = onLand.filter(({ lat, elevation_m }) => Math.abs(lat) < 12 && elevation_m > 1500);
    expect(high.map(({ name }) => name)).toEqual(expect.arrayContaining(['Quito', 'Nairobi', 'Addis Ababa']));
    for (const { mean_c } of high) {
      expect(mean(mean_c)).toBeGreaterThan(13);
      expect(mean(mean_c)).toBeLessThan(20);
      expect(Math.max(...mean_c) - Math.min(...mean_c)).toBeLessThan(5);
    }
  });

  it.each([
    ['Naaldwijk in November', { lat: 51.99, lng: 4.21 }, 10, 7],
    ['Almeria in November', { lat: 36.84, lng: -2.46 }, 10, 16.4],
    ['Singapore in November', { lat: 1.35, lng: 103.82 }, 10, 27.2],
    ['Naivasha in July', { lat: -0.72, lng: 36.43, elevation_m: 1884 }, 6, 17],
    ['Pretoria in July', { lat: -25.75, lng: 28.19 }, 6, 12.6],
    ['Seoul in January', { lat: 37.57, lng: 126.98 }, 0, -1.7],
  ])('knows %s to a degree', (_place, site, month, expected_c) => {
    expect(Math.abs((climateAt(site).mean_c[month] ?? NaN) - expected_c)).toBeLessThan(1);
  });

  it.each([
    ['Europe', 52, 4],
    ['Asia', 35, 129],
    ['Africa', -34, 18],
    ['North America', 42, -88],
    ['South America', -12, -77],
    ['Australia', -34, 151],
    ['New Zealand', -37, 175],
  ])('has a station near %s', (_continent, lat, lng) => {
    expect(climateAt({ lat, lng }).distance_km).toBeLessThan(250);
  });
});

describe('climateAt', () => {
  it('takes the nearest station on land before a mean over the sea', () => {
    const { station, distance_km } = climateAt({ lat: 51.99, lng: 4.21 });
    expect(station?.name).toBe('De Bilt');
    expect(distance_km).toBeGreaterThan(60);
    expect(distance_km).toBeLessThan(75);
  });

  it('takes a station to the height of the site by 6.5 K a kilometre', () => {
    const high = climateAt({ lat: 1.35, lng: 103.82, elevation_m: 1016 });
    expect(mean(climateAt({ lat: 1.35, lng: 103.82 }).mean_c) - mean(high.mean_c)).toBeCloseTo(6.5, 9);
  });

  it('falls back on the latitude far from every station, and says so', () => {
    const { station, distance_km, mean_c } = climateAt({ lat: 45, lng: 85 });
    expect([station, distance_km]).toEqual([null, Infinity]);
    expect(mean_c[0]).toBeLessThan(mean_c[6] ?? 0);
  });

  it('has twelve finite months everywhere, the same whenever it is asked', () => {
    const place = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
      elevation_m: fc.option(fc.double({ min: -400, max: 5000, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(place, (site) => {
        const climate = climateAt(site);
        expect(climate).toEqual(climateAt({ ...site }));
        expect([...climate.mean_c, ...climate.range_k].every(Number.isFinite)).toBe(true);
        expect(climate.mean_c).toHaveLength(12);
      }),
      { numRuns: 200 },
    );
  });
});
