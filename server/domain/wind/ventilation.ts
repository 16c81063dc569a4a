import { airDensity_kg_m3 } from '../climate/air.ts';
import { ownExchange_m3_s } from './exchange.ts';
import { faceCoefficient, type ExposedHouse } from './faces.ts';
import { balanceNetwork, type Balance, type Conditions } from './network.ts';
import type { PlacedOpening } from './openings.ts';

export interface Flows extends Balance {
  /** Wind pressure coefficient of each opening. */
  coefficients: number[];
  /** Mass flow over outdoor density, positive inwards, m3/h. */
  flows_m3h: number[];
  /** Exchange both ways at once beside the flow, equal in and out, m3/h. */
  exchanges_m3h: number[];
  /** Sum of the inflows, including the exchanges, m3/h. */
  ventilation_m3h: number;
}

/**
 * Flow through the openings of a house in wind from `windFrom_deg`. Calm has no direction: its coefficients are 0. If
 * an opening's own exchange is more than the network drives through it, the larger counts: the rest passes both ways,
 * which leaves the balance of the house unchanged. So vents at one height or on one side move air too. Nor does the
 * house as a whole exchange less than the sum of its openings' own exchanges: a faint draught between them takes
 * nothing away.
 */
export function ventilate(
  openings: readonly PlacedOpening[],
  house: ExposedHouse,
  conditions: Conditions & { windFrom_deg: number },
): Flows {
  const calm = conditions.windSpeed_m_s === 0;
  const coefficients = openings.map((one) => (calm ? 0 : faceCoefficient(one.face, house, conditions.windFrom_deg)));
  const paths = openings.map((one, index) => ({ ...one, cp: coefficients[index] ?? 0 }));
  const balance = balanceNetwork(paths, conditions);
  const perHour = 3600 / airDensity_kg_m3(conditions.outdoor_c, conditions.pressure_pa);
  const flows_m3h = balance.flows_kg_s.map((flow) => flow * perHour);
  const driven_m3h = total(flows_m3h.map((flow) => Math.max(0, flow)));
  const own_m3h = openings.map((one) => 3600 * ownExchange_m3_s(one, conditions));
  const exchanges_m3h = exchangesBeside(flows_m3h, own_m3h);
  const ventilation_m3h = driven_m3h + total(exchanges_m3h);
  return { ...balance, coefficients, flows_m3h, exchanges_m3h, ventilation_m3h };
}

/** What openings exchange both ways beside the flow that the network drives, m3/h. */
function exchangesBeside(flows_m3h: readonly number[], own_m3h: readonly number[]): number[] {
  const left = own_m3h.map((own, index) => Math.max(0, own - Math.abs(flows_m3h[index] ?? 0)));
  const whole = total(own_m3h);
  const missing = Math.max(0, whole - total(left) - total(flows_m3h.map((flow) => Math.max(0, flow))));
  return missing === 0 ? left : left.map((one, index) => one + (missing * (own_m3h[index] ?? 0)) / whole);
}

function total(flows: readonly number[]): number {
  return flows.reduce((sum, flow) => sum + flow, 0);
}
