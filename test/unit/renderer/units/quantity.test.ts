import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measurementUnits } from '../../../../server/contract/units.ts';
import {
  digitsOf,
  readQuantity,
  showQuantity,
  shownUnit,
  type UnitChoice,
} from '../../../../renderer/units/quantity.ts';

const metric: UnitChoice = { length_unit: 'm', temperature_unit: 'c' };
const imperial: UnitChoice = { length_unit: 'ft', temperature_unit: 'f' };

describe('showQuantity', () => {
  // Definitions: 1 ft = 0.3048 m exactly; t_F = 1.8 t_C + 32.
  it.each([
    [1, 'm', 3.280839895, 'ft'],
    [1, 'm2', 10.763910417, 'ft²'],
    [1, 'm3', 35.314666721, 'ft³'],
    [1.699010796, 'm3/h', 1, 'ft³/min'],
    [0.44704, 'm/s', 1, 'mph'],
    [-40, 'C', -40, '°F'],
    [100, 'C', 212, '°F'],
    [10, 'K', 18, '°F'],
    [55, '%', 55, '%'],
  ])('%d %s is %d %s to those who want feet and Fahrenheit', (value, wire, shown, unit) => {
    const got = showQuantity(value, wire, imperial);
    expect(got.value).toBeCloseTo(shown, 6);
    expect(got.unit).toBe(unit);
  });

  it('leaves metric values as they are', () => {
    expect(showQuantity(21.5, 'C', metric)).toEqual({ value: 21.5, unit: '°C', digits: 1 });
  });

  it.each([
    ['drizzle is not none', 0.4, 'mm', 1],
    ['a downpour needs no decimals', 42.4, 'mm', 0],
    ['none is none', 0, 'mm', 0],
    ['a little gas', -0.4, 'kg', 1],
    ['what reads 10 has none', 9.97, 'l', 0],
  ])('has the decimals of the amount: %s', (_what, value, unit, digits) =>
    expect(showQuantity(value, unit, metric).digits).toBe(digits),
  );

  it.each(Object.values(measurementUnits).filter((unit) => unit !== ''))('knows the unit %s', (unit) => {
    expect(showQuantity(1, unit, metric).digits).toBeLessThanOrEqual(2);
    expect(shownUnit(unit, metric)).not.toBe('');
  });
});

describe('digitsOf', () => {
  it.each([
    [0.1, 'C', 1, 1],
    [0.01, 'C', 2, 2],
    [0.0625, 'C', 2, 1],
    [0.5, 'C', 1, 1],
    [1, 'C', 0, 0],
    [10, 'ppm', 0, 0],
    [0.05, 'm/s', 2, 1],
    [0.001, 'kPa', 3, 3],
    [1e-9, 'pH', 4, 4],
  ])(
    'a step of %d %s has %d decimals, and %d to those who want feet and Fahrenheit',
    (step, wire, digits, inImperial) => {
      expect([digitsOf(step, wire, metric), digitsOf(step, wire, imperial)]).toEqual([digits, inImperial]);
    },
  );
});

describe('readQuantity', () => {
  it('is the inverse of showing', () => {
    const unit = fc.constantFrom('C', 'K', 'm', 'm2', 'm3', 'm3/h', 'm/s', 'ppm', 'unheard of');
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(unit, value, fc.constantFrom(metric, imperial), (wire, entered, choice) => {
        expect(readQuantity(showQuantity(entered, wire, choice).value, wire, choice)).toBeCloseTo(entered, 5);
      }),
    );
  });
});
