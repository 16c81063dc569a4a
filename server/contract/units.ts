import { z } from 'zod';

/** The measurements, each with the one unit in which it is stored and sent. */
export const measurementUnits = {
  temperature: 'C',
  humidity: '%',
  co2: 'ppm',
  light: 'W/m2',
  radiation: 'W/m2',
  illuminance: 'lx',
  par: 'umol/m2/s',
  wind_speed: 'm/s',
  wind_direction: 'deg',
  rain: 'mm/h',
  evapotranspiration: 'mm/h',
  water_depth: 'mm',
  pressure: 'Pa',
  flow: 'l/h',
  moisture: '%',
  ph: 'pH',
  ec: 'dS/m',
  power: 'W',
  energy: 'kWh',
  volume: 'm3',
  voltage: 'V',
  current: 'A',
  position: '%',
  temperature_difference: 'K',
  vapour_deficit: 'kPa',
  duration: 's',
  dose: 'ml',
  light_integral: 'mol/m2',
  radiation_sum: 'J/cm2',
  degree_hours: 'K h',
  unitless: '',
} as const;

export type MeasurementName = keyof typeof measurementUnits;
export const measurementName = z.enum(Object.keys(measurementUnits) as [MeasurementName, ...MeasurementName[]]); // keys of a const object

export interface UnitConversion {
  /** stored = value in this unit * factor + offset */
  factor: number;
  offset: number;
}

/** Lux in a foot-candle (NIST SP 811). */
const lux_per_footcandle = 10.763_91;

const times = (factor: number): UnitConversion => ({ factor, offset: 0 });

/** Further units that sensors send. 1 dS/m = 1 mS/cm; mile, knot, inch and psi as by NIST SP 811 (2008), app. B. */
export const rawUnits: Partial<Record<MeasurementName, Readonly<Record<string, UnitConversion>>>> = {
  temperature: { F: { factor: 5 / 9, offset: -160 / 9 }, K: { factor: 1, offset: -273.15 } },
  illuminance: { klx: times(1000), fc: times(lux_per_footcandle) },
  wind_speed: { 'km/h': times(1 / 3.6), mph: times(0.44704), kn: times(1852 / 3600) },
  rain: { 'in/h': times(25.4) },
  temperature_difference: { F: times(5 / 9) },
  vapour_deficit: { Pa: times(0.001), hPa: times(0.1) },
  pressure: { hPa: times(100), kPa: times(1000), bar: times(100_000), psi: times(6894.757) },
  flow: { 'l/min': times(60), 'ml/min': times(0.06), 'm3/h': times(1000) },
  ec: { 'mS/cm': times(1), 'uS/cm': times(0.001) },
  power: { kW: times(1000) },
  energy: { Wh: times(0.001), MWh: times(1000), MJ: times(1 / 3.6), GJ: times(1000 / 3.6) },
  volume: { l: times(0.001) },
  voltage: { mV: times(0.001) },
  current: { mA: times(0.001) },
};

/** A unit that people add. */
export interface OwnUnit extends UnitConversion {
  measurement: MeasurementName;
  unit: string;
}

/** How to convert a unit of a measurement to the stored one; undefined for an unknown unit. */
export function unitConversion(
  measurement: MeasurementName,
  unit: string,
  own: readonly OwnUnit[],
): UnitConversion | undefined {
  if (unit === measurementUnits[measurement]) return times(1);
  const builtIn = rawUnits[measurement] ?? {};
  if (Object.hasOwn(builtIn, unit)) return builtIn[unit];
  return own.find((one) => one.measurement === measurement && one.unit === unit);
}

const storedUnits: ReadonlySet<string> = new Set(Object.values(measurementUnits));

/**
 * Whether numbers that a person labelled with a unit cannot be of the stored one; a label that is not a known unit is
 * not judged.
 */
export function isOtherUnit(written: string, stored: string): boolean {
  return written !== stored && storedUnits.has(written);
}
