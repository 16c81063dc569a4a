import type { ClimateActuator, Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

type WindState = Pick<ClimateState, 'wind' | 'side' | 'vane'>;

/** Time over which the wind is averaged, and for which sides stay named, s. */
const wind_mean_s = 600;
const side_hold_s = 1200;
/** The wind must turn so far before the sides are named anew, degrees, and blow so fast, m/s. */
const side_turn_deg = 30;
const side_least_m_s = 1;
/**
 * So much wind turns a vane, m/s; one that it has not turned for so long is stuck, s. Vanes of 16 steps stand still for
 * an hour.
 */
const vane_least_m_s = 2;
const stuck_s = 6 * 3600;

/** A vane that says the same to the last digit through hours of wind is stuck: then no side is the wind side. */
export function isStuck(vane: ClimateState['vane']): boolean {
  return vane !== null && vane.still_s >= stuck_s;
}

/** The mean wind, the side that it comes from, and what the vane says. */
export function windOf({ readings: { wind_m_s, wind_dir_deg }, now_ms, dt_s }: Moment, before: WindState): WindState {
  const { wind: known, side, vane: seen } = before;
  if (wind_m_s === null || wind_dir_deg === null) {
    const silent_s = (seen?.silent_s ?? 0) + dt_s;
    // The wind may have turned since the vane was last heard.
    return silent_s < side_hold_s
      ? { wind: known, side, vane: seen && { ...seen, silent_s } }
      : { wind: null, side: null, vane: seen && { ...seen, silent_s } };
  }
  const isStill = seen?.deg === wind_dir_deg;
  const still_s = (isStill ? seen.still_s : 0) + (isStill && wind_m_s >= vane_least_m_s ? dt_s : 0);
  const vane = { deg: wind_dir_deg, still_s };
  if (isStuck(vane)) return { wind: null, side: null, vane };
  const angle = (wind_dir_deg * Math.PI) / 180;
  const now = { east: wind_m_s * Math.sin(angle), north: wind_m_s * Math.cos(angle) };
  const share = before.wind === null ? 1 : 1 - Math.exp(-dt_s / wind_mean_s);
  const was = before.wind ?? now;
  const wind = { east: was.east + share * (now.east - was.east), north: was.north + share * (now.north - was.north) };
  return { wind, side: sideOf(wind, before.side, now_ms), vane };
}

function sideOf(
  { east, north }: { east: number; north: number },
  before: WindState['side'],
  nowMs: number,
): WindState['side'] {
  if (Math.hypot(east, north) < side_least_m_s) return before;
  const from_deg = ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
  if (before === null) return { from_deg, since_ms: nowMs };
  const isHeld = nowMs - before.since_ms < side_hold_s * 1000;
  return isHeld || turnOf(from_deg, before.from_deg) < side_turn_deg ? before : { from_deg, since_ms: nowMs };
}

/** A vent whose side nobody knows, and any in a calm, counts as lee. */
export function isLee({ azimuth_deg }: ClimateActuator, side: WindState['side']): boolean {
  return azimuth_deg === null || side === null || turnOf(azimuth_deg, side.from_deg) >= 90;
}

/** Angle between two directions, 0 to 180 degrees. */
function turnOf(a: number, b: number): number {
  const turn = Math.abs(a - b) % 360;
  return turn > 180 ? 360 - turn : turn;
}
