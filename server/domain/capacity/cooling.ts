import type { CoolingTerms, Fan, GeometryTerms, VentilationTerms } from '../../contract/facility.ts';
import { airHeatAt_j_m3k } from '../climate/air.ts';

/** Film coefficient on the outside of the covering, W/m2K. */
export const outsideFilm_w_m2k = 23;
/** Minimum forced ventilation: 8 cfm per ft2 of floor, ASABE EP406. */
export const leastVentilation_m_s = 0.04;

export interface SunCase {
  radiation_w_m2: number;
  transmittance: number;
  shade_factor: number;
  latent_share: number;
  absorptance: number;
  /** Heat transmission of the roof by day, W/m2K. */
  roof_u_w_m2k: number;
}

/**
 * Sensible heat from the sun: tau I A_floor (1 - beta) shade through the covering, and alpha I A_roof U/23 that the
 * covering absorbs and passes inwards (sol-air temperature, ASHRAE Fundamentals).
 */
export function coolingLoad(geometry: GeometryTerms, sun: SunCase): CoolingTerms {
  const { radiation_w_m2, transmittance, shade_factor, latent_share, absorptance } = sun;
  const transmitted_kw =
    (transmittance * radiation_w_m2 * geometry.floor_area_m2 * (1 - latent_share) * shade_factor) / 1000;
  const absorbed_kw =
    (absorptance * radiation_w_m2 * geometry.roof_area_m2 * (sun.roof_u_w_m2k / outsideFilm_w_m2k)) / 1000;
  return {
    radiation_w_m2,
    transmittance,
    shade_factor,
    latent_share,
    absorptance,
    transmitted_kw,
    absorbed_kw,
    load_kw: transmitted_kw + absorbed_kw,
  };
}

export interface VentilationCase {
  cooling_kw: number;
  rise_k: number;
  /** Heat transmission by day, W/m2K. */
  roof_u_w_m2k: number;
  wall_u_w_m2k: number;
  /** Height above the sea, m: thin air carries less heat, so fans move more of it. */
  elevation_m?: number;
  natural_m3h: number;
  fans: readonly Fan[];
}

/**
 * Forced ventilation V = (Q_cool - U A dT) / (rho cp dT), at least 0.04 m3/s per m2 of floor (ASABE EP406), beside six
 * air changes an hour and the flow of the fans.
 */
export function forcedVentilation(geometry: GeometryTerms, design: VentilationCase): VentilationTerms {
  const walls_m2 = geometry.side_area_m2 + geometry.end_area_m2;
  const conductance_w_k = design.roof_u_w_m2k * geometry.roof_area_m2 + design.wall_u_w_m2k * walls_m2;
  const conduction_w = conductance_w_k * design.rise_k;
  const balance_m3_s =
    Math.max(0, design.cooling_kw * 1000 - conduction_w) / (airHeatAt_j_m3k(design.elevation_m ?? 0) * design.rise_k);
  const minimum_m3_s = leastVentilation_m_s * geometry.floor_area_m2;
  return {
    rise_k: design.rise_k,
    conduction_kw: conduction_w / 1000,
    balance_m3h: balance_m3_s * 3600,
    minimum_m3h: minimum_m3_s * 3600,
    forced_m3h: Math.max(balance_m3_s, minimum_m3_s) * 3600,
    six_air_changes_m3h: 6 * geometry.volume_m3,
    fan_m3h: fanFlow_m3h(design.fans),
    natural_m3h: design.natural_m3h,
    natural_air_changes_per_h: design.natural_m3h / geometry.volume_m3,
  };
}

/** Exchange with the outside by the fans: the larger of exhaust and intake, as what goes out must come in. */
export function fanFlow_m3h(fans: readonly Fan[]): number | null {
  if (fans.length === 0) return null;
  const flow = (kind: Fan['kind']) =>
    fans.filter((fan) => fan.kind === kind).reduce((total, fan) => total + fan.flow_m3h * fan.count, 0);
  return Math.max(flow('exhaust'), flow('intake'));
}
