import type { Settings } from '../../server/contract/setting.ts';

/** The user's units; the wire always uses SI and Celsius. */
export type UnitChoice = Pick<Settings, 'length_unit' | 'temperature_unit'>;

export interface ShownQuantity {
  value: number;
  unit: string;
  /** Sensible number of decimals for this unit. */
  digits: number;
}

interface Display {
  label: string;
  digits: number;
  /** One decimal more below ten: 0.4 mm of rain is not none. */
  isFine?: true;
}

interface Conversion extends Display {
  factor: number;
  offset?: number;
}

/** International foot, exactly 0.3048 m. */
const footInMetres = 0.3048;

const displays: Record<string, Display> = {
  C: { label: '°C', digits: 1 },
  K: { label: 'K', digits: 1 },
  'K/h': { label: 'K/h', digits: 1 },
  'K h': { label: 'K h', digits: 1 },
  'mol/m2': { label: 'mol/m²', digits: 1 },
  'J/cm2': { label: 'J/cm²', digits: 0 },
  ml: { label: 'ml', digits: 0 },
  'ml/m2': { label: 'ml/m²', digits: 0 },
  'g/m3': { label: 'g/m³', digits: 1 },
  '%': { label: '%', digits: 0 },
  ppm: { label: 'ppm', digits: 0 },
  'W/m2': { label: 'W/m²', digits: 0 },
  lx: { label: 'lx', digits: 0 },
  'umol/m2/s': { label: 'µmol/m²s', digits: 0 },
  'umol/m2s': { label: 'µmol/m²s', digits: 0 },
  'm/s': { label: 'm/s', digits: 1 },
  deg: { label: '°', digits: 0 },
  'mm/h': { label: 'mm/h', digits: 1 },
  Pa: { label: 'Pa', digits: 0 },
  kPa: { label: 'kPa', digits: 2 },
  bar: { label: 'bar', digits: 2 },
  mm: { label: 'mm', digits: 0, isFine: true },
  'l/h': { label: 'l/h', digits: 0 },
  pH: { label: 'pH', digits: 2 },
  'dS/m': { label: 'dS/m', digits: 2 },
  W: { label: 'W', digits: 0 },
  kW: { label: 'kW', digits: 1 },
  kWh: { label: 'kWh', digits: 1 },
  V: { label: 'V', digits: 2 },
  A: { label: 'A', digits: 2 },
  m: { label: 'm', digits: 2 },
  m2: { label: 'm²', digits: 1 },
  m3: { label: 'm³', digits: 1 },
  'm3/h': { label: 'm³/h', digits: 0 },
  'm3/s m2': { label: 'm³/s m²', digits: 3 },
  'J/m3K': { label: 'J/m³K', digits: 0 },
  'kWh/m2': { label: 'kWh/m²', digits: 1 },
  'l/m2': { label: 'l/m²', digits: 1 },
  'kg/m2': { label: 'kg/m²', digits: 2 },
  'g/m2h': { label: 'g/m²h', digits: 1 },
  'kg/h': { label: 'kg/h', digits: 1 },
  kg: { label: 'kg', digits: 0, isFine: true },
  l: { label: 'l', digits: 0, isFine: true },
  'l/min m': { label: 'l/min m', digits: 1 },
  'mol/m2d': { label: 'mol/m²d', digits: 1 },
  'umol/J': { label: 'µmol/J', digits: 1 },
  'kN/m2': { label: 'kN/m²', digits: 2 },
  min: { label: 'min', digits: 0 },
  h: { label: 'h', digits: 0 },
  d: { label: 'd', digits: 0 },
  a: { label: 'a', digits: 1 },
  currency: { label: '', digits: 0 },
  unit: { label: '', digits: 0 },
  'W/m2K': { label: 'W/m²K', digits: 2 },
  'W/mK': { label: 'W/mK', digits: 2 },
  '1/h': { label: '1/h', digits: 2 },
};

/** International mile, exactly 1609.344 m. */
const mileInMetres = 1_609.344;

const inFeet: Record<string, Conversion> = {
  m: { label: 'ft', digits: 1, factor: 1 / footInMetres },
  m2: { label: 'ft²', digits: 0, factor: 1 / footInMetres ** 2 },
  m3: { label: 'ft³', digits: 0, factor: 1 / footInMetres ** 3 },
  'm3/h': { label: 'ft³/min', digits: 0, factor: 1 / footInMetres ** 3 / 60 },
  'm/s': { label: 'mph', digits: 0, factor: 3_600 / mileInMetres },
};

const inFahrenheit: Record<string, Conversion> = {
  C: { label: '°F', digits: 1, factor: 1.8, offset: 32 },
  K: { label: '°F', digits: 1, factor: 1.8 },
  'K/h': { label: '°F/h', digits: 1, factor: 1.8 },
};

function conversionOf(wireUnit: string, choice: UnitChoice): Conversion {
  const chosen =
    (choice.length_unit === 'ft' ? inFeet[wireUnit] : undefined) ??
    (choice.temperature_unit === 'f' ? inFahrenheit[wireUnit] : undefined);
  return chosen ?? { ...(displays[wireUnit] ?? { label: wireUnit, digits: 2 }), factor: 1 };
}

/** A value of a wire unit (contract units, and m, m2, m3, m3/h, kW of facilities), converted for display. */
export function showQuantity(value: number, wireUnit: string, choice: UnitChoice): ShownQuantity {
  const { factor, offset = 0, label, digits, isFine } = conversionOf(wireUnit, choice);
  const shown = value * factor + offset;
  const isSmall = isFine === true && shown !== 0 && Math.abs(shown) < 9.95;
  return { value: shown, unit: label, digits: isSmall ? digits + 1 : digits };
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

/** The displayed label of a wire unit, e.g. `°C`, `ft²`. */
export function shownUnit(wireUnit: string, choice: UnitChoice): string {
  return conversionOf(wireUnit, choice).label;
}
