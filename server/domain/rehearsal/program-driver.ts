import type { ClimateProgram } from '../../contract/climate-settings.ts';
import type { ActuatorRole } from '../../contract/facility-binding.ts';
import { allOff, type Equipment } from '../simulation/house-model.ts';
import type { Place } from '../solar/sun-day.ts';
import { dayPlan } from '../climate-program/day-plan.ts';
import type { Drive, Driver } from './fast-clock.ts';
import type { ClimateHouse, Demand } from '../climate-program/moment.ts';
import { climateStep, type ClimateStep } from '../climate-program/program.ts';
import { freshState } from '../climate-program/state.ts';

/** The part of the model that actuators of a role move. */
const partOf: Partial<Record<ActuatorRole, keyof Equipment>> = {
  heater: 'heater',
  mixing_valve: 'heater',
  exhaust_fan: 'fan',
  side_vent: 'side_vent',
  roof_vent: 'roof_vent',
  co2_supply: 'co2',
  lighting: 'lighting',
  shade_curtain: 'shade',
  thermal_curtain: 'screen',
  fogger: 'fogger',
};

interface Programmed {
  program: ClimateProgram;
  place: Place;
  house: ClimateHouse;
  /** Called with each step. */
  stepped?: (step: ClimateStep) => void;
}

/** A climate program as the driver of a house, with its state. */
export function programDriver({ program, place, house, stepped }: Programmed): Driver {
  const plan = dayPlan(program, place);
  let state = freshState;
  return (readings, nowMs): Drive => {
    const look_s = state.at_ms === null ? 0 : (nowMs - state.at_ms) / 1000;
    const step = climateStep(state, { program, plan, house, readings, now_ms: nowMs });
    state = step.state;
    stepped?.(step);
    return {
      positions_pct: Object.fromEntries(step.demands.map((demand) => [demand.key, meanOf_pct(demand, look_s)])),
      heating_c: step.setpoints.heating_c.value,
      ventilation_c: step.setpoints.ventilation_c.value,
    };
  };
}

/** What is given once, for less than a look, counts by its share of it. */
function meanOf_pct({ pct, once }: Demand, look_s: number): number {
  const share = once === undefined || look_s <= 0 ? 1 : Math.min(1, once.for_s / look_s);
  return (pct ?? 0) * share;
}

/** Temperature of the pipe behind a fully open mixing valve, C: usual for pipe heating at full load. */
const fullWater_c = 80;

/**
 * The pipe temperature behind the mixing valves at an air temperature: between air and boiler water in proportion to
 * their opening. null without one.
 */
export function pipeOf({ actuators }: Pick<ClimateHouse, 'actuators'>) {
  const valves = actuators.filter(({ role }) => role === 'mixing_valve');
  return (positions_pct: Drive['positions_pct'], indoor_c: number): number | null => {
    if (valves.length === 0) return null;
    const open_pct = valves.reduce((sum, { key }) => sum + (positions_pct[key] ?? 0), 0) / valves.length;
    return indoor_c + (open_pct / 100) * Math.max(0, fullWater_c - indoor_c);
  };
}

/** Each part of the model has the mean position of its actuators; for heat, weighted by rating. */
export function equipmentOf({ actuators }: Pick<ClimateHouse, 'actuators'>) {
  const byPart = Map.groupBy(actuators, ({ role }) => partOf[role]);
  return (positions_pct: Drive['positions_pct']): Equipment => {
    const equipment: Equipment = { ...allOff };
    for (const [part, group] of byPart) {
      if (part === undefined) continue;
      const weights = group.map(({ rating_kw }) => rating_kw);
      const weightOf = (index: number): number => (weights.includes(undefined) ? 1 : (weights[index] ?? 1));
      const whole = group.reduce((sum, _, index) => sum + weightOf(index), 0);
      const given = group.reduce((sum, { key }, index) => sum + weightOf(index) * (positions_pct[key] ?? 0), 0);
      equipment[part] = given / (100 * whole);
    }
    return equipment;
  };
}

/** Travel time of each actuator's drive from end to end, s; undefined when the house has none. */
export function travelOf_s({ actuators }: Pick<ClimateHouse, 'actuators'>) {
  const times = new Map(actuators.map(({ key, run_time_s }) => [key, run_time_s]));
  return (key: string): number | undefined => times.get(key);
}
