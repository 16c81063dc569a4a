import { integral, type Step } from './step.ts';

/**
 * Lux for 1 umol/m2/s (400 to 700 nm), by source of light: R.W. Thimijan, R.D. Heins, HortScience 18(6), 1983, table 3.
 */
const lux_per_umol = {
  daylight: 54,
  high_pressure_sodium: 82,
  metal_halide: 71,
  fluorescent: 74,
  incandescent: 50,
} as const;
export type LightSource = keyof typeof lux_per_umol;

/** Of the sun's radiation 45 % by energy is photosynthetically active (D.W. Meek et al., Agronomy Journal 76, 1984). */
const activeShare = 0.45;
/** Photons of daylight in a joule of 400 to 700 nm, umol/J (Thimijan and Heins 1983, table 3). */
const daylight_umol_j = 4.57;
/** umol/m2/s of photons in a W/m2 of global radiation. */
export const sunPhotons_umol_j = activeShare * daylight_umol_j;

/** umol/m2/s in one unit of a light series; undefined for a unit of another quantity. */
export function photonFlux(unit: string, source: LightSource): number | undefined {
  if (unit === 'umol/m2/s') return 1;
  if (unit === 'lx') return 1 / lux_per_umol[source];
  if (unit === 'klx') return 1000 / lux_per_umol[source];
  return unit === 'W/m2' ? sunPhotons_umol_j : undefined;
}

/** Global radiation of the sun, W/m2, for one unit of a light series; undefined for a unit of another quantity. */
export function sunOf(unit: string): number | undefined {
  if (unit === 'W/m2') return 1;
  const flux = photonFlux(unit, 'daylight');
  return flux === undefined ? undefined : flux / sunPhotons_umol_j;
}

/**
 * Light sum in mol/m2; over a day it is the daily light integral. `flux` is umol/m2/s a unit; a sensor's negative zero
 * counts nothing.
 */
export function lightSum_mol_m2(steps: readonly Step[], flux: number): number {
  return integral(steps, (value) => Math.max(0, value) * flux) / 1e6;
}
