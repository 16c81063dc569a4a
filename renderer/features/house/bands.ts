import type { ClimateAim } from '../../../server/contract/climate-aims.ts';
import type { ClimateLive } from '../../../server/contract/climate-live.ts';
import type { SensorRole } from '../../../server/contract/facility-binding.ts';
import { aimsOf } from '../../../server/domain/climate-program/aims.ts';

/** Measured or derived values that have a usual range. */
export type BandName = Extract<SensorRole, 'indoor_temp' | 'indoor_humidity' | 'indoor_co2'> | 'vpd';

export interface Band {
  /** Ends of the bar, wire unit. */
  scale: readonly [number, number];
  /**
   * Usual range for common crops, wire unit: for orientation, never an alarm limit. Of a setpoint without an opposite
   * the other end is infinite.
   */
  usual: readonly [number, number];
  /** Set when the range is what the house is controlled to, not what is usual. */
  isSet?: boolean;
  /** Set until it is known whether the house is controlled: its place is kept, and nothing is drawn. */
  isUnread?: boolean;
}

/** The ranges to which a house's climate program controls now, wire units. */
export type SetBand = { readonly [Name in BandName]?: readonly [number, number] };

/** What a program aims at as ends of a band; a missing end is open. */
export const aimedEnds: { readonly [Name in BandName]: readonly [low: ClimateAim | null, high: ClimateAim | null] } = {
  indoor_temp: ['heating_c', 'ventilation_c'],
  indoor_humidity: [null, 'humidity_pct'],
  indoor_co2: ['co2_ppm', null],
  vpd: ['deficit_kpa', null],
};

/** The ranges to which a program controls now; none where an end of it is not aimed at. */
export function setBandOf(live: Pick<ClimateLive, 'setpoints' | 'loops'>): SetBand {
  const aims = aimsOf(live);
  const bandsOf = Object.entries(aimedEnds).flatMap(([name, [low, high]]) => {
    const ends = [low === null ? -Infinity : aims[low], high === null ? Infinity : aims[high]];
    return ends.includes(null) ? [] : [[name, ends]];
  });
  return Object.fromEntries(bandsOf) as SetBand; // by the names of the bands
}

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
 * The band of a value; null when there is no usual one. It is what the house is controlled to, if known; otherwise the
 * design temperature replaces the lower end of the usual temperatures. `set` is null until it is read.
 */
export function bandOf(
  name: SensorRole | 'vpd',
  heldIndoors_c: number | undefined,
  set: SetBand | null = {},
): Band | null {
  if (!isBandName(name)) return null;
  const band = bands[name];
  if (set === null) return { ...band, isUnread: true };
  const controlled = set[name];
  if (controlled !== undefined) return { ...band, usual: controlled, isSet: true };
  if (name !== 'indoor_temp' || heldIndoors_c === undefined || heldIndoors_c >= band.usual[1]) return band;
  return { ...band, usual: [heldIndoors_c, band.usual[1]] };
}

export function isBandName(name: string): name is BandName {
  return Object.hasOwn(bands, name);
}

/** The position of a value on the bar, 0 to 1, clamped to its ends. */
export function shareOf([from, to]: readonly [number, number], value: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

export function placeIn({ usual }: Pick<Band, 'usual'>, value: number): 'below' | 'within' | 'above' {
  return value < usual[0] ? 'below' : value > usual[1] ? 'above' : 'within';
}
