import type { Settings } from '../../server/contract/setting.ts';
import { unitSymbol } from '../../server/contract/unit-text.ts';

/** The user's units; the wire always uses SI and Celsius. */
export type UnitChoice = Pick<Settings, 'length_unit' | 'temperature_unit'>;

export interface ShownQuantity {
  value: number;
  unit: string;
  /** Sensible number of decimals for this unit. */
  digits: number;
}

interface Conversion {
  /** The unit after it, spelt as on the wire. */
  unit: string;
  digits: number;
  factor: number;
  offset?: number;
}

/** International foot, exactly 0.3048 m. */
const footInMetres = 0.3048;

/** Decimals of a reading by its wire unit; two where it is not listed. */
const decimals: Readonly<Record<string, number>> = {
  C: 1,
  K: 1,
  'K/h': 1,
  'K h': 1,
  'mol/m2': 1,
  'J/cm2': 0,
  ml: 0,
  'ml/m2': 0,
  'g/m3': 1,
  '%': 0,
  ppm: 0,
  'W/m2': 0,
  lx: 0,
  'umol/m2/s': 0,
  'umol/m2s': 0,
  'm/s': 1,
  deg: 0,
  'mm/h': 1,
  Pa: 0,
  mm: 0,
  'l/h': 0,
  W: 0,
  kW: 1,
  kWh: 1,
  m2: 1,
  m3: 1,
  'm3/h': 0,
  'm3/s m2': 3,
  'J/m3K': 0,
  'kWh/m2': 1,
  'l/m2': 1,
  'g/m2h': 1,
  'kg/h': 1,
  kg: 0,
  l: 0,
  'l/min m': 1,
  'mol/m2d': 1,
  'umol/J': 1,
  min: 0,
  h: 0,
  d: 0,
  a: 1,
  currency: 0,
  unit: 0,
};

/** These have one decimal more below ten: 0.4 mm of rain is not none. */
const fine: ReadonlySet<string> = new Set(['mm', 'kg', 'l']);

/** Amounts of what a field names itself. */
const unnamed: ReadonlySet<string> = new Set(['currency', 'unit']);

/** International mile, exactly 1609.344 m. */
const mileInMetres = 1_609.344;

const inFeet: Record<string, Conversion> = {
  m: { unit: 'ft', digits: 1, factor: 1 / footInMetres },
  m2: { unit: 'ft2', digits: 0, factor: 1 / footInMetres ** 2 },
  m3: { unit: 'ft3', digits: 0, factor: 1 / footInMetres ** 3 },
  'm3/h': { unit: 'ft3/min', digits: 0, factor: 1 / footInMetres ** 3 / 60 },
  'm/s': { unit: 'mph', digits: 0, factor: 3_600 / mileInMetres },
};

const inFahrenheit: Record<string, Conversion> = {
  C: { unit: 'F', digits: 1, factor: 1.8, offset: 32 },
  K: { unit: 'F', digits: 1, factor: 1.8 },
  'K/h': { unit: 'F/h', digits: 1, factor: 1.8 },
};

function conversionOf(wireUnit: string, choice: UnitChoice): Conversion {
  const chosen =
    (choice.length_unit === 'ft' ? inFeet[wireUnit] : undefined) ??
    (choice.temperature_unit === 'f' ? inFahrenheit[wireUnit] : undefined);
  return chosen ?? { unit: unnamed.has(wireUnit) ? '' : wireUnit, digits: decimals[wireUnit] ?? 2, factor: 1 };
}

/** A value of a wire unit (contract units, and m, m2, m3, m3/h, kW of facilities), converted for display. */
export function showQuantity(value: number, wireUnit: string, choice: UnitChoice): ShownQuantity {
  const { factor, offset = 0, unit, digits } = conversionOf(wireUnit, choice);
  const shown = value * factor + offset;
  const isSmall = fine.has(wireUnit) && shown !== 0 && Math.abs(shown) < 9.95;
  return { value: shown, unit: unitSymbol(unit), digits: isSmall ? digits + 1 : digits };
}

/** More decimals than any sensor of a greenhouse has. */
const mostDigits = 4;

/** Decimals that tell two neighbouring values of a sensor apart which moves by `step` of a wire unit. */
export function digitsOf(step: number, wireUnit: string, choice: UnitChoice): number {
  const shownStep = step * conversionOf(wireUnit, choice).factor;
  return Math.min(mostDigits, Math.max(0, Math.ceil(-Math.log10(shownStep) - 1e-9))); // 0.1 is not less than 0.1
}

/** The wire value of an entry; the inverse of showQuantity. */
export function readQuantity(entered: number, wireUnit: string, choice: UnitChoice): number {
  const { factor, offset = 0 } = conversionOf(wireUnit, choice);
  return (entered - offset) / factor;
}

/** The symbol of a wire unit after conversion, e.g. `°C`, `ft²`; of a time `s`, in all languages. */
export function shownUnit(wireUnit: string, choice: UnitChoice): string {
  return unitSymbol(conversionOf(wireUnit, choice).unit);
}
