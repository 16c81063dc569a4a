import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawUnits, unitConversion } from '../../../server/contract/units.ts';

const conversions = Object.entries(rawUnits).flatMap(([measurement, units]) =>
  Object.entries(units).map(([unit, conversion]) => ({ measurement, unit, ...conversion })),
);

describe('units that sensors speak in', () => {
  it.each(conversions)('$measurement in $unit comes back from the stored unit', ({ factor, offset }) => {
    const spoken = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(spoken, (value) => {
        const back = (value * factor + offset - offset) / factor;
        const rounding = (Math.abs(value) + Math.abs(offset / factor)) * 1e-12 + 1e-300; // what is nearly nothing has no digits to keep
        expect(Math.abs(back - value)).toBeLessThanOrEqual(rounding);
      }),
    );
  });

  it.each<[keyof typeof rawUnits, string, number, number]>([
    ['temperature', 'F', 212, 100],
    ['temperature', 'F', -40, -40],
    ['temperature', 'K', 273.15, 0],
    ['wind_speed', 'km/h', 36, 10],
    ['wind_speed', 'mph', 1, 0.44704],
    ['wind_speed', 'kn', 3600, 1852],
    ['rain', 'in/h', 1, 25.4],
    ['pressure', 'bar', 1, 100_000],
    ['pressure', 'psi', 1, 6894.757],
    ['flow', 'l/min', 1, 60],
    ['flow', 'm3/h', 1, 1000],
    ['ec', 'uS/cm', 1000, 1],
    ['energy', 'Wh', 1000, 1],
    ['energy', 'MJ', 3.6, 1],
    ['energy', 'GJ', 3.6, 1000],
    ['volume', 'l', 1000, 1],
  ])('%s: %s %s', (measurement, unit, spoken, stored) => {
    const { factor, offset } = rawUnits[measurement]?.[unit] ?? { factor: NaN, offset: NaN };
    expect(spoken * factor + offset).toBeCloseTo(stored, 9);
  });
});

it.each([
  ['temperature', 'C', { factor: 1, offset: 0 }],
  ['temperature', 'K', { factor: 1, offset: -273.15 }],
  ['temperature', 'Re', { factor: 1.25 }],
  ['pressure', 'Re', undefined],
  ['temperature', 'constructor', undefined],
] as const)('%s in %s is converted by %j', (measurement, unit, expected) => {
  const own = [{ measurement: 'temperature' as const, unit: 'Re', factor: 1.25, offset: 0 }];
  const found = unitConversion(measurement, unit, own);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});
