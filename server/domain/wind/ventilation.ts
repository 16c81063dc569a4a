import { airDensity_kg_m3 } from '../climate/air.ts';
import { faceCoefficient, type ExposedHouse } from './faces.ts';
import { balanceNetwork, type Balance, type Conditions } from './network.ts';
import type { PlacedOpening } from './openings.ts';

export interface Flows extends Balance {
  /** Wind pressure coefficient of each opening. */
  coefficients: number[];
  /** Mass flow over outdoor density, positive inwards, m3/h. */
  flows_m3h: number[];
  /** Sum of the inflows, m3/h. */
  ventilation_m3h: number;
}

/** Flow through the openings of a house in wind from `windFrom_deg`. Calm has no direction: its coefficients are 0. */
export function ventilate(
  openings: readonly PlacedOpening[],
  house: ExposedHouse,
  conditions: Conditions & { windFrom_deg: number },
): Flows {
  const calm = conditions.windSpeed_m_s === 0;
  const coefficients = openings.map((one) => (calm ? 0 : faceCoefficient(one.face, house, conditions.windFrom_deg)));
  const paths = openings.map((one, index) => ({ ...one, cp: coefficients[index] ?? 0 }));
  const balance = balanceNetwork(paths, conditions);
  const perHour = 3600 / airDensity_kg_m3(conditions.outdoor_c);
  const flows_m3h = balance.flows_kg_s.map((flow) => flow * perHour);
  return { ...balance, coefficients, flows_m3h, ventilation_m3h: inflow(flows_m3h) };
}

function inflow(flows: readonly number[]): number {
  return flows.reduce((total, flow) => total + Math.max(0, flow), 0);
}
