import type { ClimateLive, ClimateLoopLive } from '../../../server/contract/climate-live.ts';
import type { SensorRole } from '../../../server/contract/facility-binding.ts';
import { vapourDeficit_kpa } from '../../../server/domain/climate/air.ts';

/** Measured or derived values that have a usual range. */
type BandName = Extract<SensorRole, 'indoor_temp' | 'indoor_humidity' | 'indoor_co2'> | 'vpd';

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
}

/** The ranges to which a house's climate program controls now, wire units. */
export type SetBand = { readonly [Name in BandName]?: readonly [number, number] };

/** CO2 is given up to its target; meanwhile nothing else keeps the program from it. */
const dosing: ReadonlySet<string> = new Set(['co2_dose', 'co2_reached']);

/** What a program controls to: of humidity and CO2 the targets of its loops, which deficits and vents shift. */
export function setBandOf({ setpoints, loops }: Pick<ClimateLive, 'setpoints' | 'loops'>): SetBand {
  const [heating_c, ventilation_c] = [setpoints?.heating_c.value ?? null, setpoints?.ventilation_c.value ?? null];
  const loopOf = (name: ClimateLoopLive['loop']) => loops.find(({ loop }) => loop === name);
  const most_pct = loopOf('humidity')?.target ?? null;
  const co2 = loopOf('co2');
  const co2_ppm = dosing.has(co2?.cause.code ?? '') ? (co2?.target ?? null) : null;
  const temp_c = loopOf('heating')?.measured ?? loopOf('ventilation')?.measured ?? null;
  const least_kpa = most_pct === null || temp_c === null ? null : vapourDeficit_kpa(temp_c, most_pct);
  return {
    ...(heating_c !== null && ventilation_c !== null && { indoor_temp: [heating_c, ventilation_c] }),
    ...(most_pct !== null && { indoor_humidity: [-Infinity, most_pct] }),
    ...(co2_ppm !== null && { indoor_co2: [co2_ppm, Infinity] }),
    ...(least_kpa !== null && { vpd: [least_kpa, Infinity] }),
  };
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
 * design temperature replaces the lower end of the usual temperatures.
 */
export function bandOf(name: SensorRole | 'vpd', heldIndoors_c: number | undefined, set: SetBand = {}): Band | null {
  if (!isBandName(name)) return null;
  const band = bands[name];
  const controlled = set[name];
  if (controlled !== undefined) return { ...band, usual: controlled, isSet: true };
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
