import type { SensorRole } from '../../../server/contract/facility-binding.ts';

/** Measured or derived values that have a usual range. */
type BandName = Extract<SensorRole, 'indoor_temp' | 'indoor_humidity' | 'indoor_co2'> | 'vpd';

export interface Band {
  /** Ends of the bar, wire unit. */
  scale: readonly [number, number];
  /** Usual range for common crops, wire unit: for orientation, never an alarm limit. */
  usual: readonly [number, number];
  /** Set when the range is what the house is controlled to, not what is usual. */
  isSet?: boolean;
}

/** The heating and ventilation setpoints of a house's climate program, C. */
export type SetBand = readonly [heating_c: number, ventilation_c: number];

/**
 * Broad ranges in which common fruit vegetables grow well: 15 to 30 C, 55 to 85 % and a deficit of 0.4 to 1.3 kPa (0.5
 * to 1.2 with some margin), CO2 from outdoor air to the usual enrichment.
 */
const bands: Record<BandName, Band> = {
  indoor_temp: { scale: [0, 45], usual: [15, 30] },
  indoor_humidity: { scale: [20, 100], usual: [55, 85] },
  indoor_co2: { scale: [200, 1_600], usual: [350, 1_200] },
  vpd: { scale: [0, 2.5], usual: [0.4, 1.3] },
};

/**
 * The band of a value; null when there is no usual one. For temperature it is the control band, if known; otherwise the
 * design temperature replaces the lower end.
 */
export function bandOf(
  name: SensorRole | 'vpd',
  heldIndoors_c: number | undefined,
  set: SetBand | null = null,
): Band | null {
  if (!isBandName(name)) return null;
  const band = bands[name];
  if (name === 'indoor_temp' && set !== null) return { ...band, usual: set, isSet: true };
  if (name !== 'indoor_temp' || heldIndoors_c === undefined || heldIndoors_c >= band.usual[1]) return band;
  return { ...band, usual: [heldIndoors_c, band.usual[1]] };
}

function isBandName(name: string): name is BandName {
  return Object.hasOwn(bands, name);
}

/** The position of a value on the bar, 0 to 1, clamped to its ends. */
export function shareOf([from, to]: readonly [number, number], value: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

export function placeIn({ usual }: Band, value: number): 'below' | 'within' | 'above' {
  return value < usual[0] ? 'below' : value > usual[1] ? 'above' : 'within';
}
