import { getPosition } from 'suncalc';

/** Solar constant of FAO-56, 0.0820 MJ/m2min, in W/m2. */
const solarWM2 = 0.082e6 / 60;
/**
 * At lower altitudes the sun says nothing about the clouds (ASCE-EWRI 2005, The standardized reference
 * evapotranspiration equation, eq. 46).
 */
const leastAltitudeRad = 0.3;

/**
 * Solar radiation outside the atmosphere on a horizontal plane, W/m2, and the altitude of the sun: FAO-56, eqs. 21, 23
 * and 28, for one moment.
 */
function extraterrestrial(atMs: number, { lat, lng }: { lat: number; lng: number }) {
  const altitude_rad = (getPosition(new Date(atMs), lat, lng).altitude * Math.PI) / 180;
  const yearMs = Date.UTC(new Date(atMs).getUTCFullYear(), 0, 1);
  const day = 1 + Math.floor((atMs - yearMs) / 86_400_000);
  const distance = 1 + 0.033 * Math.cos((2 * Math.PI * day) / 365);
  return { altitude_rad, w_m2: solarWM2 * distance * Math.max(0, Math.sin(altitude_rad)) };
}

/** Radiation outside the atmosphere on a horizontal plane, W/m2. */
export function extraterrestrial_w_m2(atMs: number, place: { lat: number; lng: number }): number {
  return extraterrestrial(atMs, place).w_m2;
}

/**
 * Measured radiation over that of a clear sky, 0.3 to 1 (FAO-56, eqs. 37 and 39); null while the sun is too low, when
 * the value of the preceding hours continues.
 */
export function clearnessOf(
  radiation_w_m2: number,
  { at_ms, place, elevation_m }: { at_ms: number; place: { lat: number; lng: number }; elevation_m: number },
): number | null {
  const { altitude_rad, w_m2 } = extraterrestrial(at_ms, place);
  if (altitude_rad < leastAltitudeRad) return null;
  return Math.min(1, Math.max(0.3, radiation_w_m2 / ((0.75 + 2e-5 * elevation_m) * w_m2)));
}
