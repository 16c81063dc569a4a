import { gravity_m_s2, zeroCelsius_k } from '../climate/air.ts';
import type { Conditions } from './network.ts';
import type { PlacedOpening } from './openings.ts';

/** Wind pressure coefficient of gusts at roof vents (Boulard & Baille 1995). */
const gustCoefficient = 0.09;
/** Minimum exchange of a wall opening by wind alone, as a share of area times wind (BS 5925:1991, table 13). */
const gustShare = 0.025;

/**
 * Air that passes an opening both ways at once, equal in and out, m3/s: the opening's own exchange, whatever else is
 * open. Roof: (A Cd / 2) sqrt(g (h/2) dT/T + Cw U2), Boulard & Baille (1995), Vanthoor (2011) eq. 8.65, h the vertical
 * extent. Wall: Cd A/3 sqrt(g H dT/T) by warmth (Brown & Solvason 1962; BS 5925:1991, table 13) and 0.025 A U by wind,
 * in quadrature. T is the mean absolute temperature of the air on both sides.
 */
export function ownExchange_m3_s(opening: PlacedOpening, conditions: Conditions): number {
  const { area_m2, dischargeCoefficient, tall_m = 0 } = opening;
  const { indoor_c, outdoor_c, windSpeed_m_s } = conditions;
  const lift = (gravity_m_s2 * Math.abs(indoor_c - outdoor_c)) / ((indoor_c + outdoor_c) / 2 + zeroCelsius_k);
  return onRoof(opening)
    ? ((area_m2 * dischargeCoefficient) / 2) * Math.sqrt(lift * (tall_m / 2) + gustCoefficient * windSpeed_m_s ** 2)
    : area_m2 * Math.hypot((dischargeCoefficient / 3) * Math.sqrt(lift * tall_m), gustShare * windSpeed_m_s);
}

function onRoof({ face }: PlacedOpening): boolean {
  return face === 'ridge' || face === 'roof_left' || face === 'roof_right';
}
