import { meanWindDirection_deg, dewPoint_c, vapourDeficit_kpa, wetBulb_c } from '../../climate/air.ts';

/** A value with its unit. */
export interface Quantity {
  value: number;
  unit: string;
}

/** Missing values are null. */
type Several = readonly (Quantity | null)[];

/**
 * Mean of the good ones; null when fewer than `atLeast` are good. Directions are averaged as vectors, and can cancel
 * out.
 */
export function average(several: Several, atLeast: number): Quantity | null {
  const good = several.filter((one) => one !== null);
  const [first] = good;
  if (first === undefined || good.length < atLeast || !isOneUnit(good)) return null;
  const { unit } = first;
  const value =
    unit === 'deg'
      ? meanWindDirection_deg(good.map((one) => ({ speed_m_s: 1, direction_deg: one.value })))
      : total(good) / good.length;
  return value === null ? null : { value, unit };
}

/** null when one is missing. */
export function sum(several: Several): Quantity | null {
  const good = several.filter((one) => one !== null);
  const [first] = good;
  if (first === undefined || good.length < several.length || !isOneUnit(good)) return null;
  return { value: total(good), unit: first.unit };
}

/** null when one is missing. A difference of temperatures has no offset, and is in K. */
export function difference(from: Quantity | null, minus: Quantity | null): Quantity | null {
  if (from === null || minus === null || !isOneUnit([from, minus])) return null;
  return { value: from.value - minus.value, unit: from.unit === 'C' ? 'K' : from.unit };
}

/** The first good one, without reading those behind it; null when none is. */
export function redundancy<Series>(
  several: readonly Series[],
  read: (one: Series) => Quantity | null,
): Quantity | null {
  for (const one of several) {
    const found = read(one);
    if (found !== null) return found;
  }
  return null;
}

const airUnits = { vpd: 'kPa', wet_bulb: 'C', dew_point: 'C' } as const;
const airFormulas = { vpd: vapourDeficit_kpa, wet_bulb: wetBulbAtSeaLevel_c, dew_point: dewPoint_c };

/** For air with a temperature in C and a relative humidity in %; null when one is missing or no such air exists. */
export function ofAir(
  kind: keyof typeof airUnits,
  temperature: Quantity | null,
  humidity: Quantity | null,
): Quantity | null {
  if (temperature === null || humidity === null || humidity.value < 0 || humidity.value > 100) return null;
  const value = airFormulas[kind](temperature.value, humidity.value);
  return value === null || !Number.isFinite(value) ? null : { value, unit: airUnits[kind] };
}

/** How far a surface is above the dew point of the air, K; null when one is missing or the air has no dew point. */
export function dewMargin(
  surface: Quantity | null,
  temperature: Quantity | null,
  humidity: Quantity | null,
): Quantity | null {
  return difference(surface, ofAir('dew_point', temperature, humidity));
}

function wetBulbAtSeaLevel_c(temp_c: number, humidity_pct: number): number {
  return wetBulb_c(temp_c, humidity_pct);
}

/** A reconfigured sensor may measure something else. */
function isOneUnit(several: readonly Quantity[]): boolean {
  return several.every(({ unit }) => unit === several[0]?.unit);
}

function total(several: readonly Quantity[]): number {
  return several.reduce((all, { value }) => all + value, 0);
}
