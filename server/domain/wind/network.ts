import { airDensity_kg_m3, gravity_m_s2 } from '../climate/air.ts';

/** An opening in the network. */
export interface FlowPath {
  /** Wind pressure coefficient of its face. */
  cp: number;
  area_m2: number;
  height_m: number;
  /** Above 0 to 1. */
  dischargeCoefficient: number;
}

export interface Conditions {
  windSpeed_m_s: number;
  indoor_c: number;
  outdoor_c: number;
  /** Of the air, Pa; default that at sea level. */
  pressure_pa?: number | undefined;
}

export interface Balance {
  /** Inside minus undisturbed outside at floor level, Pa. */
  internalPressure_pa: number;
  /** Outside minus inside at each path, Pa. */
  pressures_pa: number[];
  /** Mass flow through each path, positive inwards, kg/s. */
  flows_kg_s: number[];
}

/** Relative to the flow through all paths; a thousandth of the answer's accuracy, for ten more halvings. */
const balanceTolerance = 1e-12;
const mostHalvings = 2000;

/**
 * Balance of one zone with the outside: the internal pressure at which as much air enters as leaves. Drive at a path:
 * 0.5 rho_o Cp U2 + (rho_i - rho_o) g z less the internal pressure. Flow: Cd A sqrt(2 rho |dp|) with the density of the
 * passing air (orifice equation; AIVC guide, Liddament 1996). The sum of the flows decreases strictly with the internal
 * pressure, so bisection always ends.
 */
export function balanceNetwork(paths: readonly FlowPath[], conditions: Conditions): Balance {
  const zone = openZone(paths, conditions);
  const { anchor, offset } = findBalance(zone);
  const pressures_pa = zone.map((path) => path.drive_pa - anchor - offset);
  return {
    internalPressure_pa: anchor + offset,
    pressures_pa,
    flows_kg_s: zone.map((path) => flowThrough(path, path.drive_pa - anchor - offset)),
  };
}

/** A path with its constants during the search for the balance. */
interface DrivenPath {
  /** Pressure that drives air in before the zone's own counteracts it, Pa. */
  drive_pa: number;
  /** Flow at 1 Pa inwards and outwards, kg/s. */
  inward: number;
  outward: number;
}

function openZone(paths: readonly FlowPath[], conditions: Conditions): DrivenPath[] {
  const inside = airDensity_kg_m3(conditions.indoor_c, conditions.pressure_pa);
  const outside = airDensity_kg_m3(conditions.outdoor_c, conditions.pressure_pa);
  const dynamic_pa = 0.5 * outside * conditions.windSpeed_m_s ** 2;
  return paths.map((path) => ({
    drive_pa: path.cp * dynamic_pa + (inside - outside) * gravity_m_s2 * path.height_m,
    inward: path.dischargeCoefficient * path.area_m2 * Math.sqrt(2 * outside),
    outward: path.dischargeCoefficient * path.area_m2 * Math.sqrt(2 * inside),
  }));
}

function flowThrough(path: DrivenPath, pressure_pa: number): number {
  if (pressure_pa === 0) return 0;
  return pressure_pa > 0 ? path.inward * Math.sqrt(pressure_pa) : -path.outward * Math.sqrt(-pressure_pa);
}

interface Bracket {
  /** Drive of the path closest to the solution. */
  anchor: number;
  /** Distance of the solution from it. Kept separately: a flow near zero depends on digits that the sum would lose. */
  offset: number;
}

/** 1 when more enters than leaves at an internal pressure of anchor + offset, -1 when less, 0 when it balances. */
function surplus(zone: readonly DrivenPath[], anchor: number, offset: number): -1 | 0 | 1 {
  let net = 0;
  let gross = 0;
  for (const path of zone) {
    const flow = flowThrough(path, path.drive_pa - anchor - offset);
    net += flow;
    gross += Math.abs(flow);
  }
  if (Math.abs(net) <= balanceTolerance * gross) return 0;
  return net > 0 ? 1 : -1;
}

/** Finds the two drives between which the sum changes sign, then bisects from the nearer one. */
function findBalance(zone: readonly DrivenPath[]): Bracket {
  const steps = zone.map((path) => path.drive_pa).sort((a, b) => a - b);
  let low = steps[0] ?? 0;
  for (const step of steps) {
    const sign = surplus(zone, step, 0);
    if (sign === 0) return { anchor: step, offset: 0 };
    if (sign < 0) return bisect(zone, low, step);
    low = step;
  }
  return { anchor: low, offset: 0 };
}

function bisect(zone: readonly DrivenPath[], low: number, high: number): Bracket {
  const half = (high - low) / 2;
  const fromLow = surplus(zone, low, half) < 0;
  const anchor = fromLow ? low : high;
  let near = 0;
  let far = fromLow ? half : -half;
  for (let halving = 0; halving < mostHalvings; halving += 1) {
    const offset = (near + far) / 2;
    const sign = surplus(zone, anchor, offset);
    if (sign === 0 || offset === near || offset === far) return { anchor, offset };
    if (sign < 0 === fromLow) far = offset;
    else near = offset;
  }
  return { anchor, offset: (near + far) / 2 };
}
