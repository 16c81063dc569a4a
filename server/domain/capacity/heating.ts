import type { GeometryTerms, HeatingTerms } from '../../contract/facility.ts';
import { airHeatAt_j_m3k } from '../climate/air.ts';

/** Everything that the heating load depends on beside the geometry. */
export interface HeatingCase {
  indoor_c: number;
  outdoor_c: number;
  roof_u_w_m2k: number;
  wall_u_w_m2k: number;
  air_changes_per_h: number;
  wind_factor: number;
}

/** Default sea level. */
type Height = { elevation_m?: number };

/** Margins of installed over needed capacity. */
const warmAirMargin = 1.1;
const hotWaterMargin = 1.25;

/** Floor of one house from which it counts as large, m2. */
const largeHouse_m2 = 1000;

/**
 * Heat transmission in W/m2K of a covering with further layers inside it: 1/U = 1/U_cover + sum 1/U_layer. National
 * Academy of Agricultural Science (RDA, Korea), new-concept greenhouse design and standardisation study, as transcribed
 * in a secondary source.
 */
export function seriesTransmission(cover_u: number, layers_u: readonly number[]): number {
  return 1 / layers_u.reduce((resistance, u) => resistance + 1 / u, 1 / cover_u);
}

/**
 * Infiltration in air changes an hour of a closed house by the layers of its covering and of its thermal curtains:
 * the same study, table 3-3-34, upper ends. Single 1.0, with one curtain 0.4, with two 0.2; double 0.6, with one 0.2.
 */
export function infiltration(coverLayers: number, curtainLayers: number): number {
  const row = coverLayers > 1 ? [0.6, 0.2] : [1, 0.4, 0.2];
  return row[Math.min(curtainLayers, row.length - 1)] ?? 0.2;
}

/**
 * Heating load: (H_W + H_V + H_S) f_w, 0 unless it is colder outside; the same study, eqs. 3-3-1 to 3-3-4. H_W = sum U
 * A dT; H_V = rho cp N V dT; H_S = F Ls (dT - theta), not below 0, with F 5 W/mK and theta 15 K for a house under 1000
 * m2 of floor, else 8.75 W/mK and 10 K.
 */
export function heatingLoad(
  geometry: GeometryTerms,
  { elevation_m = 0, ...design }: HeatingCase & Height,
): HeatingTerms {
  const rise_k = Math.max(0, design.indoor_c - design.outdoor_c);
  const conductance_w_k =
    design.roof_u_w_m2k * geometry.roof_area_m2 + design.wall_u_w_m2k * (geometry.side_area_m2 + geometry.end_area_m2);
  const transmission_kw = (conductance_w_k * rise_k) / 1000;
  const infiltration_kw =
    (airHeatAt_j_m3k(elevation_m) * (design.air_changes_per_h / 3600) * geometry.volume_m3 * rise_k) / 1000;
  const { ground_loss_w_mk, ground_offset_k } = groundOf(geometry);
  const ground_kw = (ground_loss_w_mk * geometry.perimeter_m * Math.max(0, rise_k - ground_offset_k)) / 1000;
  const load_kw = (transmission_kw + infiltration_kw + ground_kw) * design.wind_factor;
  return {
    ...design,
    transmission_kw,
    infiltration_kw,
    ground_loss_w_mk,
    ground_offset_k,
    ground_kw,
    load_kw,
    installed_warm_air_kw: load_kw * warmAirMargin,
    installed_hot_water_kw: load_kw * hotWaterMargin,
  };
}

/** By the floor of one house. */
function groundOf(geometry: GeometryTerms): Pick<HeatingTerms, 'ground_loss_w_mk' | 'ground_offset_k'> {
  const isLarge = geometry.floor_area_m2 / geometry.house_count >= largeHouse_m2;
  return isLarge ? { ground_loss_w_mk: 8.75, ground_offset_k: 10 } : { ground_loss_w_mk: 5, ground_offset_k: 15 };
}
