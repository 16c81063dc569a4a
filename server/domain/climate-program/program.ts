import {
  climateLimits,
  type ClimateFallback,
  type ClimateLoopLive,
  type ClimateSetpointsNow,
  type ClimateSums,
} from '../../contract/climate-live.ts';
import {
  type ClimatePeriod,
  type ClimateProgram,
  type SetpointName,
  setpointNames,
} from '../../contract/climate-settings.ts';
import type { ActuatorRole, SensorRole } from '../../contract/facility-binding.ts';
import { sunPhotons_umol_j } from '../analytics/light-sum.ts';
import { circulationLoop } from './circulation.ts';
import { co2Loop, isCo2Stuck } from './co2.ts';
import type { DayPlan } from './day-plan.ts';
import { heatingLoop } from './heating.ts';
import { dryingOf, humidityLoop, mostHumidity_pct } from './humidity.ts';
import { irrigationLoop } from './irrigation.ts';
import { lampLoop, sunAheadOf } from './lamps.ts';
import { crossedNow, ventLimits } from './limits.ts';
import { meanOf, meanTemperature } from './mean-temperature.ts';
import {
  actuatorsOf,
  ventRoles,
  type ClimateHouse,
  type ClimateReadings,
  type Demand,
  type LoopResult,
  type Moment,
} from './moment.ts';
import { influenceSensors, neededSensors } from './needed-sensors.ts';
import { screenedOf, screenLoop } from './screens.ts';
import { influenceKeys, setpointsOf, shiftsOf } from './setpoints.ts';
import { freshState, notAhead, type ClimateState } from './state.ts';
import { ventilationLoop } from './ventilation.ts';
import { isStuck } from './wind-side.ts';

/** A longer silence counts as a stop, and the time between counts as nothing, s. */
const longest_step_s = 600;

export interface ClimateLook {
  program: ClimateProgram;
  plan: DayPlan;
  house: ClimateHouse;
  readings: ClimateReadings;
  now_ms: number;
}

export interface ClimateStep {
  state: ClimateState;
  period: ClimatePeriod;
  setpoints: ClimateSetpointsNow;
  demands: Demand[];
  loops: ClimateLoopLive[];
  fallbacks: ClimateFallback[];
  sums: ClimateSums;
}

/** One tick of a climate program: periods, setpoints, influences, loops, limits, in this order. */
export function climateStep(saved: ClimateState, look: ClimateLook): ClimateStep {
  const { program, plan, house, readings, now_ms } = look;
  const before = notAhead(saved, now_ms);
  const passed_s = before.at_ms === null ? 0 : (now_ms - before.at_ms) / 1000;
  const dt_s = passed_s > 0 && passed_s <= longest_step_s ? passed_s : 0;
  const isAfterStop = passed_s > longest_step_s;
  const sky = { program, house, readings, now_ms, dt_s, isAfterStop, isDay: plan.isDay(now_ms) };
  const counted = todayOf(before, look, dt_s);
  const mean = meanTemperature(sky, before.mean);
  const remembered = { temperature_mean: meanOf(mean.state), light_sum: outdoorLight_mol_m2(counted) };
  const { influences } = program;
  const keys = influenceKeys(influences);
  const shiftsBefore = keys.map((key) => before.shifts[key]);
  const shifts = shiftsOf(shiftsBefore, { influences, readings, remembered, dt_s });
  const period = plan.periodAt(now_ms);
  const setpoints = setpointsOf({
    program,
    period: periodsAt(plan, now_ms),
    now_ms,
    state: { shifts, mean: mean.state },
  });
  const moment: Moment = { ...sky, period, setpoints: valuesOf(setpoints) };
  const crossed = crossedNow(moment, before.crossed);
  const limits = ventLimits(moment, crossed);
  const drying = dryingOf(moment);
  const screens = screenLoop(moment, before.screens, drying);
  const vents = ventilationLoop(moment, before, { drying, limits });
  const vents_pct = widest(moment, vents.demands);
  const humidity = humidityLoop(moment, before.fog, { drying, vents_pct });
  const heating = heatingLoop(moment, before, {
    dry_pct: drying.heat_pct,
    screened_pct: screenedOf(moment, screens.state.energy),
    held_open_pct: heldOpen(moment),
  });
  const sun = plan.sunOf(now_ms);
  const lamps = lampLoop(moment, before.lamps, { today: counted, sunAhead_mol_m2: sunAheadOf(moment, counted, sun) });
  const isUnknown = openingsOf(moment, ...ventRoles, 'exhaust_fan').includes(null);
  const opened = { vents_pct, areFansOn: areFansOn(moment, vents.demands), isUnknown };
  const co2 = co2Loop(moment, before.co2, { ...opened, areLampsLit: isLit(moment, lamps.state.lit) });
  const day = { ...sun, clock_ms: plan.clockBefore(now_ms) };
  const irrigation = irrigationLoop(moment, { state: before.irrigation, today: counted }, day);
  const { today } = irrigation.state;
  const circulation = circulationLoop(moment);
  const loops = [mean, screens, humidity, vents, heating, lamps, co2, irrigation, circulation];
  const state: ClimateState = {
    version: 1,
    at_ms: now_ms,
    shifts: keyed(keys, shifts),
    mean: mean.state,
    ...heating.state,
    crossed,
    screens: screens.state,
    fog: humidity.state,
    co2: co2.state,
    lamps: lamps.state,
    today,
    irrigation: irrigation.state.state,
    ...vents.state,
  };
  return {
    state,
    period,
    setpoints,
    fallbacks: [...fallbacksOf(look, state), ...irrigation.faults],
    sums: sumsOf(state, look),
    demands: loops.flatMap(({ demands }) => demands),
    loops: loops.filter((one) => isAtWork(one, moment)).map((one) => handFirst(one, moment)),
  };
}

/** A loop that is on and effective: it has actuators, or other loops depend on it. */
function isAtWork({ live: { loop }, demands }: Pick<LoopResult<unknown>, 'live' | 'demands'>, moment: Moment): boolean {
  if (!moment.program[loop].is_on) return false;
  return (
    demands.length > 0 || loop === 'mean_temperature' || (loop === 'humidity' && mostHumidity_pct(moment) !== null)
  );
}

/** A person's hand and a commissioning check are above all other limits. */
function handFirst(
  { live, demands }: Pick<LoopResult<unknown>, 'live' | 'demands'>,
  { readings: { held } }: Moment,
): ClimateLoopLive {
  const holds = demands.flatMap(({ key }) => held?.get(key) ?? []);
  const limits = [...climateLimits.filter((one) => holds.some((hold) => hold === one)), ...live.limits];
  return { ...live, limits };
}

function keyed(keys: readonly string[], shifts: readonly number[]): ClimateState['shifts'] {
  return Object.fromEntries(keys.map((key, index) => [key, shifts[index] ?? 0]));
}

/** The setpoints of the periods alone at a moment. */
export function periodsAt({ curves }: DayPlan, timeMs: number): Record<SetpointName, number | null> {
  const values = setpointNames.map((name) => [name, curves[name](timeMs)]);
  return Object.fromEntries(values) as Record<SetpointName, number | null>; // of every name
}

function valuesOf(setpoints: ClimateSetpointsNow): Moment['setpoints'] {
  const values = setpointNames.map((name) => [name, setpoints[name].value]);
  return Object.fromEntries(values) as Moment['setpoints']; // of every name
}

/** Position of the widest vent, actual or demanded, whoever moves it; one that nobody knows counts as open. */
function widest(moment: Moment, demands: readonly Demand[]): number {
  const vents = actuatorsOf(moment.house, ...ventRoles).map(({ key }) => key);
  const asked = demands.filter(({ key }) => vents.includes(key)).map(({ pct }) => pct ?? 0);
  return Math.max(0, ...asked, ...openingsOf(moment, ...ventRoles).map((pct) => pct ?? 100));
}

/** A vent that is held open by no more than that beyond the minimum of the period costs no heat to speak of, %. */
const slightly_pct = 5;

/** How far the widest vent stands open by a person's hand or another controller, %; 0 where none does. */
function heldOpen({ house, setpoints, readings: { stands_pct, held } }: Moment): number {
  const vents = actuatorsOf(house, ...ventRoles).filter(({ key }) => held?.has(key) === true);
  const others = (house.others ?? []).filter(({ role }) => ventRoles.some((one) => one === role));
  const widest_pct = Math.max(0, ...[...vents, ...others].map(({ key }) => stands_pct[key] ?? 0));
  return widest_pct > (setpoints.vent_min_pct ?? 0) + slightly_pct ? widest_pct : 0;
}

/** Where actuators of these roles stand, %; null for one whose position nobody knows. */
function openingsOf({ house, readings: { stands_pct } }: Moment, ...roles: ActuatorRole[]): (number | null)[] {
  const others = (house.others ?? []).filter(({ role }) => roles.includes(role));
  return [
    ...actuatorsOf(house, ...roles).map(({ key }) => (key in stands_pct ? (stands_pct[key] ?? null) : 0)),
    ...others.map(({ key }) => stands_pct[key] ?? null),
  ];
}

/** An exhaust fan runs or is to run, whoever switches it. */
function areFansOn(moment: Moment, demands: readonly Demand[]): boolean {
  const fans = actuatorsOf(moment.house, 'exhaust_fan').map(({ key }) => key);
  const asked = demands.some(({ key, pct }) => fans.includes(key) && (pct ?? 0) > 0);
  return asked || openingsOf(moment, 'exhaust_fan').some((pct) => (pct ?? 0) > 0);
}

/** Lamps are demanded, and at least one may be on: a user or an interlock may hold off all of them. */
function isLit({ house, readings }: Pick<Moment, 'house' | 'readings'>, lit: number): boolean {
  const groups = actuatorsOf(house, 'lighting').slice(0, lit);
  return groups.some(({ key }) => readings.stands_pct[key] !== 0);
}

/** CO2 is demanded, and at least one supply may be open. */
function isDosed({ house, readings }: ClimateLook, { is_on }: ClimateState['co2']): boolean {
  return is_on && actuatorsOf(house, 'co2_supply').some(({ key }) => readings.stands_pct[key] !== 0);
}

/** Totals since site midnight: the present step belongs to the day in which it ends. */
function todayOf(before: ClimateState, look: ClimateLook, dt_s: number): ClimateState['today'] {
  const { plan, now_ms, readings, program } = look;
  const date = plan.dateOf(now_ms);
  const { today, co2, lamps } = before;
  const known = today.date === date ? today : { ...freshState.today, date };
  const sun_j_m2 = Math.max(0, readings.radiation_w_m2 ?? 0) * dt_s;
  const areLit = isLit(look, lamps.lit);
  const lamp_mol_m2 = areLit ? (program.lamps.lamp_umol_m2_s * dt_s) / 1e6 : 0;
  const sun_mol_m2 = (sun_j_m2 * sunPhotons_umol_j * program.lamps.transmittance) / 1e6;
  return {
    ...known,
    radiation_j_m2: known.radiation_j_m2 + sun_j_m2,
    light_mol_m2: known.light_mol_m2 + sun_mol_m2 + lamp_mol_m2,
    co2_s: known.co2_s + (isDosed(look, co2) ? dt_s : 0),
    lamps_s: known.lamps_s + (areLit ? dt_s : 0),
  };
}

function outdoorLight_mol_m2({ radiation_j_m2 }: ClimateState['today']): number {
  return (radiation_j_m2 * sunPhotons_umol_j) / 1e6;
}

function sumsOf({ today, mean }: ClimateState, { house: { floor_m2, sensors }, program }: ClimateLook): ClimateSums {
  const { capacity_kg_h } = program.co2;
  const hasDrain = sensors.has('drain_flow') && today.water_l > 0;
  return {
    radiation_j_cm2: today.radiation_j_m2 / 1e4,
    light_mol_m2: today.light_mol_m2,
    mean_temp_c: meanOf(mean),
    degree_hours: mean.degree_hours,
    co2_h: today.co2_s / 3600,
    co2_kg: capacity_kg_h === null ? null : (today.co2_s / 3600) * capacity_kg_h,
    lamps_h: today.lamps_s / 3600,
    water_l_m2: today.water_l / Math.max(floor_m2 ?? 1, 1),
    drain_pct: hasDrain ? (100 * today.drain_l) / today.water_l : null,
    shots: today.shots,
  };
}

function fallbacksOf({ house, readings, program }: ClimateLook, { vane, co2 }: ClimateState): ClimateFallback[] {
  const { sensors } = house;
  const needed = new Set(
    neededSensors(program, new Set(house.actuators.map(({ role }) => role))).map(({ role }) => role),
  );
  // Bound or not: whoever unbinds a sensor on which a program relies is told.
  const isExpected = (role: SensorRole): boolean => sensors.has(role) || needed.has(role);
  const isInfluenceLost =
    influenceSensors(program).some(({ role }) => !sensors.has(role)) ||
    program.influences.some(
      ({ source }, index) => source === 'measurement' && (readings.measured[index] ?? null) === null,
    );
  const hasVents = program.ventilation.is_on && actuatorsOf(house, ...ventRoles).length > 0;
  const lost: [ClimateFallback, boolean][] = [
    ['substitute', readings.substituted.length > 0],
    ['no_thermometer', readings.temp_c === null],
    ['station_lost', sensors.has('outdoor_wind') && readings.wind_m_s === null],
    ['no_station', hasVents && !sensors.has('outdoor_wind')],
    ['vane_stuck', isStuck(vane)],
    ['no_vane', sensors.has('outdoor_wind_dir') && readings.wind_dir_deg === null],
    ['no_rain', sensors.has('rain') && readings.rain === null],
    ['no_co2', isExpected('indoor_co2') && readings.co2_ppm === null],
    ['co2_stuck', isCo2Stuck(co2)],
    ['no_humidity', sensors.has('indoor_humidity') && readings.humidity_pct === null],
    ['no_radiation', isExpected('outdoor_solar') && readings.radiation_w_m2 === null],
    ['no_outdoor', sensors.has('outdoor_temp') && readings.outdoor_c === null],
    ['no_pipe', isExpected('pipe_temp') && readings.pipe_c === null],
    ['no_sky', sensors.has('outdoor_longwave') && readings.sky_w_m2 === null],
    ['no_influence', isInfluenceLost],
    ['no_moisture', needed.has('soil_moisture') && readings.moisture_pct === null],
    ['no_drain', needed.has('drain_flow') && readings.drain_l_h === null],
  ];
  return lost.filter(([, isLost]) => isLost).map(([name]) => name);
}
