import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  airDensity_kg_m3,
  co2Density_kg_m3,
  co2OfDensity_ppm,
  dewPoint_c,
  humidityOfDensity_pct,
  humidityRatio,
  meanWindDirection_deg,
  pressureAt_pa,
  saturationPressure_pa,
  vapourDeficit_kpa,
  vapourDensity_kg_m3,
  vapourPressure_pa,
  wetBulb_c,
} from '../../../../server/domain/climate/air.ts';

/** ASHRAE Fundamentals: saturation pressure Pa, VPD kPa, dew point C, humidity ratio, wet bulb C, vapour g/m3. */
const ashrae: [number, number, number, number, number, number, number, number][] = [
  [25, 60, 3169.2, 1.2677, 16.701, 0.011895, 19.471, 13.819],
  [20, 50, 2338.8, 1.1694, 9.272, 0.007262, 13.783, 8.643],
];
const relative = 3e-4;

function expectWithin(found: number, expected: number): void {
  expect(Math.abs(found / expected - 1)).toBeLessThan(relative);
}

describe('thin air', () => {
  /** ASHRAE Fundamentals 2017, ch. 1, table 1: the standard atmosphere. */
  it.each([
    [-500, 107_478],
    [0, 101_325],
    [500, 95_461],
    [1000, 89_875],
    [2000, 79_495],
    [3000, 70_108],
    [4000, 61_640],
  ])('has at %d m a pressure of %d Pa', (elevation_m, pressure_pa) => {
    expect(Math.abs(pressureAt_pa(elevation_m) / pressure_pa - 1)).toBeLessThan(2e-4);
  });

  it('is lighter, and holds more vapour a kilogram', () => {
    const high_pa = pressureAt_pa(1900);
    expect(airDensity_kg_m3(20, high_pa) / airDensity_kg_m3(20)).toBeCloseTo(high_pa / 101_325, 12);
    expect(humidityRatio(1901.5, high_pa)).toBeCloseTo((0.621945 * 1901.5) / (high_pa - 1901.5), 12);
    expect(humidityRatio(1901.5, high_pa)).toBeGreaterThan(1.25 * humidityRatio(1901.5));
    expect(wetBulb_c(25, 60, high_pa)).toBeLessThan(wetBulb_c(25, 60));
  });
});

describe('the state of air', () => {
  it.each(ashrae)('at %f C and %f %% is that of ASHRAE', (temp, humidity, es, vpd, dew, ratio, wet, grams) => {
    expectWithin(saturationPressure_pa(temp), es);
    expectWithin(vapourDeficit_kpa(temp, humidity), vpd);
    expect(Math.abs((dewPoint_c(temp, humidity) ?? NaN) - dew)).toBeLessThan(0.005);
    expectWithin(humidityRatio(vapourPressure_pa(temp, humidity)), ratio);
    expect(Math.abs(wetBulb_c(temp, humidity) - wet)).toBeLessThan(0.005);
    expectWithin(1000 * vapourDensity_kg_m3(temp, humidity), grams);
  });

  /** ASHRAE Fundamentals 2017, ch. 1, table 3, Pa over water. */
  it.each([
    [0, 611.2],
    [5, 872.6],
    [10, 1228.0],
    [15, 1705.5],
    [30, 4246.0],
    [40, 7383.5],
    [50, 12351.3],
  ])('saturates at %f C at %f Pa', (temp, es) => {
    expectWithin(saturationPressure_pa(temp), es);
  });

  it('saturates lower over ice than over water, and equally at 0 C', () => {
    expect(saturationPressure_pa(-10, 'ice')).toBeCloseTo(259.9, 0);
    expect(saturationPressure_pa(-10)).toBeCloseTo(286.5, 0);
    expectWithin(saturationPressure_pa(0, 'ice'), saturationPressure_pa(0));
  });

  it('has neither dew point nor vapour at 0 %', () => {
    expect(dewPoint_c(20, 0)).toBeNull();
    expect(vapourDensity_kg_m3(20, 0)).toBe(0);
  });

  it('has dew point <= wet bulb <= temperature, equal when saturated; and returns from dew point and density', () => {
    const temp = fc.double({ min: 0, max: 50, noNaN: true });
    const humidity = fc.double({ min: 1, max: 100, noNaN: true });
    fc.assert(
      fc.property(temp, humidity, (t, rh) => {
        const dew = dewPoint_c(t, rh) ?? NaN;
        expect(saturationPressure_pa(dew)).toBeCloseTo(vapourPressure_pa(t, rh), 6);
        expect(humidityOfDensity_pct(t, vapourDensity_kg_m3(t, rh))).toBeCloseTo(rh, 9);
        expect(wetBulb_c(t, rh)).toBeLessThanOrEqual(t);
        if (dew > 0) expect(dew).toBeLessThanOrEqual(wetBulb_c(t, rh) + 0.01);
        expect(wetBulb_c(t, 100)).toBeCloseTo(t, 6);
      }),
    );
  });

  it('converts CO2 both ways: 400 ppm at 15 C are 0.744 g/m3', () => {
    expect(1000 * co2Density_kg_m3(400, 15)).toBeCloseTo(0.7445, 3);
    expect(co2OfDensity_ppm(co2Density_kg_m3(730, 22), 22)).toBeCloseTo(730, 9);
  });
});

describe('meanWindDirection_deg', () => {
  const wind = (direction_deg: number, speed_m_s = 1) => ({ direction_deg, speed_m_s });
  it.each([
    ['across north', [wind(350), wind(10)], 0],
    ['a quarter', [wind(0), wind(90)], 45],
    ['by speed', [wind(0, 1), wind(90, Math.sqrt(3))], 60],
    ['just west of north', [wind(350), wind(352)], 351],
  ])('%s', (_name, winds, expected) => {
    const found = meanWindDirection_deg(winds) ?? NaN;
    expect(Math.abs(((found - expected + 540) % 360) - 180)).toBeLessThan(1e-9);
    expect(found).toBeGreaterThanOrEqual(0);
    expect(found).toBeLessThan(360);
  });

  it('has none in calm and where the winds cancel', () => {
    expect(meanWindDirection_deg([])).toBeNull();
    expect(meanWindDirection_deg([wind(30, 0)])).toBeNull();
    expect(meanWindDirection_deg([wind(30), wind(210)])).toBeNull();
  });
});
