import { dayPlan } from '../../server/domain/climate-program/day-plan.ts';
import { runFast, type Drive, type Driver } from '../../server/domain/rehearsal/fast-clock.ts';
import { climateDefaults, type ClimateProgram } from '../../server/contract/climate-settings.ts';
import type { Place } from '../../server/domain/solar/sun-day.ts';
import type { ClimateHouse, ClimateReadings } from '../../server/domain/climate-program/moment.ts';
import { equipmentOf, programDriver } from '../../server/domain/rehearsal/program-driver.ts';
import { tallying, type Tally } from '../../server/domain/rehearsal/tally.ts';
import { bangBang } from '../../server/domain/control/functions/bang-bang.ts';
import { controlLimits, demandOf, type DemandRange } from '../../server/domain/control/pid-demand.ts';
import { pidStep, restingPid, type PidDirection } from '../../server/domain/control/pid.ts';
import { simulatedHouse } from '../../server/domain/simulation/simulated-house.ts';
import { modelHouse, programOf } from '../support/climate-run.ts';
import { elsewhere, yearSite, type ClimateSite } from '../support/climate-sites.ts';
import type { Figure } from './figure.ts';

const fromMs = Date.UTC(2026, 0, 1, 6);
const dayMs = 86_400_000;
const look_s = 60;

/** The simulated house with an energy screen; all strategies drive the same of it. */
const used = ['heater', 'roof_vent', 'side_vent', 'co2', 'shade'];
const house: ClimateHouse = {
  ...modelHouse,
  actuators: [
    ...modelHouse.actuators.filter(({ key }) => used.includes(key)),
    { key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null },
  ],
};

interface Setpoints {
  heating_c: number;
  ventilation_c: number;
  co2_ppm: number | null;
  isDay: boolean;
}

/** The setpoints of the program for strategies that take them one by one, as methods and schedules would have it. */
function schedule(place: Place): (atMs: number) => Setpoints {
  const plan = dayPlan(programOf(), place);
  return (atMs) => ({
    heating_c: plan.curves.heating_c(atMs) ?? 0,
    ventilation_c: plan.curves.ventilation_c(atMs) ?? 0,
    co2_ppm: plan.curves.co2_ppm(atMs),
    isDay: plan.isDay(atMs),
  });
}

/**
 * What both have beside their loops: screen by night, shade by a threshold of the sun, CO2 by a threshold, the same
 * limits on vents.
 */
function besides() {
  let isShaded = false;
  let isDosing = false;
  return (sun_w_m2: number, ppm: number, { co2_ppm, isDay }: Setpoints): Record<string, number> => {
    const rule = { setpoint: 600, hysteresis: 50, direction: 'lower' } as const;
    isShaded = bangBang(isShaded, rule, sun_w_m2);
    isDosing = co2_ppm !== null && bangBang(isDosing, { setpoint: co2_ppm, hysteresis: 25, direction: 'raise' }, ppm);
    return { screen: isDay ? 0 : 100, shade: isShaded ? 70 : 0, co2: isDosing ? 100 : 0 };
  };
}

const { storm_m_s, rain_vent_most_pct } = climateDefaults.limits;

/** Vents under the limits of the program: shut in a storm, and hardly open in rain. */
function vents(pct: number, { wind_m_s, rain }: ClimateReadings): Record<string, number> {
  const most_pct = (wind_m_s ?? 0) > storm_m_s ? 0 : (rain ?? 0) > 0 ? rain_vent_most_pct : 100;
  const open_pct = Math.min(pct, most_pct);
  return { roof_vent: open_pct, side_vent: open_pct };
}

/** (a) Two thermostats with the tolerance of Home Assistant's generic thermostat, 0.3 K: one heats, one ventilates. */
function thermostats({ place }: ClimateSite): Driver {
  const setpointsAt = schedule(place);
  const other = besides();
  let isHeating = false;
  let isOpen = false;
  return (readings, atMs): Drive => {
    const { temp_c, radiation_w_m2, co2_ppm } = readings;
    const now = setpointsAt(atMs);
    const air_c = temp_c ?? now.heating_c;
    const rule = { hysteresis: 0.3, direction: 'raise' } as const;
    isHeating = bangBang(isHeating, { ...rule, setpoint: now.heating_c }, air_c);
    isOpen = bangBang(isOpen, { hysteresis: 0.3, direction: 'lower', setpoint: now.ventilation_c }, air_c);
    const positions_pct = {
      heater: isHeating ? 100 : 0,
      ...vents(isOpen ? 100 : 0, readings),
      ...other(radiation_w_m2 ?? 0, co2_ppm ?? 0, now),
    };
    return { ...now, positions_pct };
  };
}

/** A PID whose output is switched for so many seconds of each period. */
function durationPid(direction: PidDirection, gains: { kp: number; ki: number }) {
  const period_s = 600;
  const range: DemandRange = { kind: 'duration', min: look_s, max: period_s, min_off_s: 0 };
  const outputs = { direction, period_s, ...(direction === 'raise' ? { raise: range } : { lower: range }) };
  const settings = { ...gains, kd: 0, derivative_filter_s: 0, integrator_min: null, integrator_max: null, band: 0 };
  let state = restingPid;
  let on_s = 0;
  return (setpoint: number, measurement: number, atMs: number): number => {
    const since_s = ((atMs - fromMs) / 1000) % period_s;
    if (since_s === 0) {
      const step = pidStep(
        state,
        { ...settings, limits: controlLimits(outputs) },
        { setpoint, measurement, dt_s: period_s },
      );
      state = step.state;
      const demand = demandOf(step.terms?.control ?? 0, outputs);
      on_s = demand.raise ?? demand.lower ?? 0;
    }
    return since_s < Math.round(on_s / look_s) * look_s ? 100 : 0;
  };
}

/**
 * (b) One PID raises with the heater by duration, one lowers with the vents by duration, each with its own setpoint.
 */
function pids({ place }: ClimateSite): Driver {
  const setpointsAt = schedule(place);
  const other = besides();
  const gains = { kp: 150, ki: 150 / 3600 };
  const [raise, lower] = [durationPid('raise', gains), durationPid('lower', gains)];
  return (readings, atMs): Drive => {
    const { temp_c, radiation_w_m2, co2_ppm } = readings;
    const now = setpointsAt(atMs);
    const air_c = temp_c ?? now.heating_c;
    const open = lower(now.ventilation_c, air_c, atMs);
    const positions_pct = {
      heater: raise(now.heating_c, air_c, atMs),
      ...vents(open, readings),
      ...other(radiation_w_m2 ?? 0, co2_ppm ?? 0, now),
    };
    return { ...now, positions_pct };
  };
}

/**
 * (c) The climate program. It is judged by the setpoints of its periods as the others are, wherever it moves its own.
 */
function climateProgram({ place }: ClimateSite, changes: Partial<ClimateProgram> = {}): Driver {
  const setpointsAt = schedule(place);
  const driver = programDriver({ program: programOf(changes), place, house });
  return (readings, atMs) => ({ ...driver(readings, atMs), ...setpointsAt(atMs) });
}

/** A year of weather at a place. */
const strategies = {
  'a: thermostats': thermostats,
  'b: two PIDs by duration': pids,
  'c: climate program': climateProgram,
} satisfies Record<string, (site: ClimateSite) => Driver>;

/** Some days of a site under a strategy, from a day of the year on. */
function runStrategy(driver: Driver, { weatherAt }: ClimateSite, { day, days }: Span): Tally {
  const { sums, looked } = tallying(simulatedHouse);
  const from_ms = fromMs + day * dayMs;
  const span = { from_ms, to_ms: from_ms + days * dayMs, look_s };
  runFast({ model: simulatedHouse, weatherAt, ...span, driver, equipmentOf: equipmentOf(house), looked });
  return sums;
}

interface Span {
  day: number;
  days: number;
}

const wholeYear: Span[] = [{ day: 0, days: 365 }];
/** Elsewhere a week in four. */
const weeks: Span[] = Array.from({ length: 13 }, (_, index) => ({ day: 28 * index, days: 7 }));

/**
 * The year of the tests, or of the file that CLIMATE_WEATHER names, under three strategies with the same setpoints and
 * equipment.
 */
export function benchClimate(): Figure[] {
  const site = yearSite();
  const sums = Object.entries(strategies).map(([what, of]) => ({ what, tally: runAll(of, site, wholeYear) }));
  const [, b, c] = sums.map(({ tally }) => tally);
  return [
    ...sums.map(({ what, tally }) => ({ what, value: wordsOf(tally) })),
    ...(b && c ? [against(b, c, 'the year')] : []),
    ...elsewhere.map((one) => against(runAll(pids, one, weeks), runAll(climateProgram, one, weeks), one.name)),
  ];
}

function runAll(of: (site: ClimateSite) => Driver, site: ClimateSite, spans: readonly Span[]): Tally {
  const [first, ...others] = spans.map((span) => runStrategy(of(site), site, span));
  if (first === undefined) throw new RangeError('no span to run');
  return others.reduce(together, first);
}

function together(one: Tally, other: Tally): Tally {
  const sum = (key: Exclude<keyof Tally, 'moves'>): number => one[key] + other[key];
  const keys = [...new Set([...Object.keys(one.moves), ...Object.keys(other.moves)])];
  return {
    hours: sum('hours'),
    cold_kh: sum('cold_kh'),
    warm_kh: sum('warm_kh'),
    humid_h: sum('humid_h'),
    heat_kwh_m2: sum('heat_kwh_m2'),
    lamps_kwh_m2: sum('lamps_kwh_m2'),
    co2_kg_m2: sum('co2_kg_m2'),
    co2_lost_kg_m2: sum('co2_lost_kg_m2'),
    moves: Object.fromEntries(keys.map((key) => [key, (one.moves[key] ?? 0) + (other.moves[key] ?? 0)])),
  };
}

/** Aimed at: 0.9 of the heat and 0.3 of the moves at no more K h. */
function against(b: Tally, c: Tally, where: string): Figure {
  const ratio = (of: (tally: Tally) => number): string => (of(c) / of(b)).toFixed(3);
  const value = [
    `heat ${ratio(({ heat_kwh_m2 }) => heat_kwh_m2)}`,
    `K h ${ratio(({ cold_kh, warm_kh }) => cold_kh + warm_kh)}`,
    `moves ${ratio(motorsOf)}`,
    `CO2 lost ${ratio(({ co2_lost_kg_m2 }) => co2_lost_kg_m2)}`,
  ].join(', ');
  return { what: `c against b, ${where}`, value };
}

/** Moves of motors and heaters; a CO2 valve is none. */
function motorsOf({ moves }: Tally): number {
  return Object.entries(moves).reduce((sum, [key, count]) => sum + (key === 'co2' ? 0 : count), 0);
}

function wordsOf(tally: Tally): string {
  const { cold_kh, warm_kh, humid_h, heat_kwh_m2, co2_kg_m2, co2_lost_kg_m2, moves } = tally;
  const each = Object.entries(moves).map(([key, count]) => `${key} ${count}`);
  return [
    `${Math.round(cold_kh + warm_kh)} K h outside the band (${Math.round(cold_kh)} cold, ${Math.round(warm_kh)} warm)`,
    `${Math.round(humid_h)} h above 90 % humidity`,
    `${heat_kwh_m2.toFixed(1)} kWh/m2 heat`,
    `${co2_lost_kg_m2.toFixed(2)} of ${co2_kg_m2.toFixed(2)} kg/m2 CO2 lost`,
    `${motorsOf(tally)} moves and ${moves['co2'] ?? 0} of the CO2 valve (${each.join(', ')})`,
  ].join('; ');
}
