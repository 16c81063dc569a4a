import type { FrictionFormula } from '../../contract/pipe-hydraulics.ts';

/** Standard acceleration of free fall, m/s2. */
const gravity = 9.80665;
/** Kinematic viscosity of water at 20 C, m2/s, as in EPANET (1.1e-5 ft2/s). */
const viscosity_m2_s = 1.022e-6;
/** Hazen-Williams C of smooth plastic (Rossman et al., EPANET 2.2 User Manual (2020), table 3.2: 140-150). */
export const smoothness = 150;
/** Roughness of plastic pipe, mm (the same table: 0.005e-3 ft). */
export const roughness_mm = 0.0015;

/** Metres of water in one bar, at 1,000 kg/m3. */
export const head_m_per_bar = 1e5 / (1000 * gravity);
export const m3_s_per_l_h = 1 / 3.6e6;

export interface Flowing {
  length_m: number;
  inner_mm: number;
  flow_m3_s: number;
  /** Sum of the loss factors of bends and tees, in v2/2g. */
  minor: number;
}

export function velocity_m_s({ inner_mm, flow_m3_s }: Pick<Flowing, 'inner_mm' | 'flow_m3_s'>): number {
  return flow_m3_s / ((Math.PI / 4) * (inner_mm / 1000) ** 2);
}

/** Head loss of a full pipe by friction and at its fittings, m of water. */
export function headLoss_m(formula: FrictionFormula, pipe: Flowing): number {
  if (pipe.flow_m3_s === 0) return 0;
  const minor_m = (pipe.minor * velocity_m_s(pipe) ** 2) / (2 * gravity);
  return minor_m + (formula === 'hazen_williams' ? hazenWilliams_m(pipe) : darcyWeisbach_m(pipe));
}

/**
 * Hazen & Williams (1905) in SI units: h = 10.67 L Q^1.852 / (C^1.852 d^4.871), as in EPANET (table 3.1 of its manual).
 * For water of about 16 C, turbulent.
 */
function hazenWilliams_m({ length_m, inner_mm, flow_m3_s }: Flowing): number {
  return (10.67 * length_m * flow_m3_s ** 1.852) / (smoothness ** 1.852 * (inner_mm / 1000) ** 4.871);
}

function darcyWeisbach_m(pipe: Flowing): number {
  const diameter_m = pipe.inner_mm / 1000;
  const speed = velocity_m_s(pipe);
  return (
    (frictionFactor((speed * diameter_m) / viscosity_m2_s, diameter_m) * pipe.length_m * speed ** 2) /
    (2 * gravity * diameter_m)
  );
}

/**
 * Hagen-Poiseuille below Re 2,000, Swamee & Jain (1976) from 4,000, between them Dunlop's cubic (1991): EPANET manual,
 * 12.1.
 */
function frictionFactor(reynolds: number, diameter_m: number): number {
  if (reynolds <= 2000) return 64 / reynolds;
  const share = roughness_mm / 1000 / (3.7 * diameter_m);
  if (reynolds >= 4000) return 0.25 / Math.log10(share + 5.74 / reynolds ** 0.9) ** 2;
  const y2 = share + 5.74 / 4000 ** 0.9;
  const y3 = -0.86859 * Math.log(y2);
  const fa = y3 ** -2;
  const fb = fa * (2 - 0.00514215 / (y2 * y3));
  const r = reynolds / 2000;
  const [x1, x2] = [7 * fa - fb, 0.128 - 17 * fa + 2.5 * fb];
  const [x3, x4] = [-0.128 + 13 * fa - 2 * fb, r * (0.032 - 3 * fa + 0.5 * fb)];
  return x1 + r * (x2 + r * (x3 + x4));
}
