import type { ClimateCause } from '../../contract/climate-reason.ts';
import { vapourDeficit_kpa, vapourDensity_kg_m3 } from '../climate/air.ts';
import {
  actuatorsOf,
  along,
  cause,
  clamp,
  loopLive,
  ventRoles,
  type Demand,
  type LoopResult,
  type Moment,
} from './moment.ts';
import type { ClimateState } from './state.ts';

/** What dries the air, in order of use: the gap of a screen, vents, heat. */
export interface Drying {
  gap_pct: number;
  vent_pct: number;
  heat_pct: number;
  /** What is open by now may stay as wide as that: air that has just become dry enough shuts nothing. */
  kept: { gap_pct: number; vent_pct: number };
}

const none: Drying = { gap_pct: 0, vent_pct: 0, heat_pct: 0, kept: { gap_pct: 0, vent_pct: 0 } };

/** The air must be so much drier before a vent or gap shuts again, % relative humidity. */
const dry_band_pct = 3;
/**
 * So far below the heating setpoint vents begin to shut against the cold, and here they are of no use for drying, K
 * (Katzin 2021, GreenLight controls: tVentOff 1, ventColdPband 1).
 */
const cold_k = [1, 2] as const;

/**
 * The humidity from which the air is dried at its present temperature, %: the lowest of what the period asks for. null:
 * nothing.
 */
export function mostHumidity_pct({ setpoints, period, readings: { temp_c } }: Moment): number | null {
  const { deficit_kpa, deficit_g_m3 } = period.setpoints;
  const full_kpa = temp_c === null ? null : vapourDeficit_kpa(temp_c, 0);
  const full_g_m3 = temp_c === null ? null : 1000 * vapourDensity_kg_m3(temp_c, 100);
  const byDeficit = (deficit: number | undefined, full: number | null): number[] =>
    deficit === undefined || full === null ? [] : [clamp(100 * (1 - deficit / full), 0, 100)];
  const asked = [
    ...(setpoints.humidity_pct === null ? [] : [setpoints.humidity_pct]),
    ...byDeficit(deficit_kpa, full_kpa),
    ...byDeficit(deficit_g_m3, full_g_m3),
  ];
  return asked.length === 0 ? null : Math.min(...asked);
}

/** A vent that is open stays while the air is no more than that colder, K. */
const cold_band_k = 0.5;

/**
 * What may still be opened for humidity: all of it in a house that is warm enough, nothing in one that its heat does
 * not keep. A house without heat has none to lose.
 */
function warmShare({ program, house, readings: { temp_c }, setpoints: { heating_c } }: Moment, band_k = 0): number {
  if (temp_c === null || heating_c === null || !hasHeat({ program, house })) return 1;
  return along(heating_c - temp_c - band_k, [cold_k[0], 1], [cold_k[1], 0]);
}

function hasHeat({ program, house }: Pick<Moment, 'program' | 'house'>): boolean {
  return program.heating.is_on && actuatorsOf(house, 'heater', 'mixing_valve').length > 0;
}

/** Vents dry only while the outside air holds less water (Hoogendoorn: 85 % -> 0, 90 % -> 5 % vent). */
export function dryingOf(moment: Moment): Drying {
  const { program, readings } = moment;
  const { humidity: loop } = program;
  const { temp_c, humidity_pct, outdoor_c, outdoor_humidity_pct } = readings;
  const target = mostHumidity_pct(moment);
  if (!loop.is_on || target === null || temp_c === null || humidity_pct === null) return none;
  if (humidity_pct <= target - dry_band_pct) return none;
  const excess = humidity_pct - target;
  const isDrier =
    outdoor_c !== null &&
    vapourDensity_kg_m3(outdoor_c, outdoor_humidity_pct ?? 100) < vapourDensity_kg_m3(temp_c, humidity_pct);
  const hasVents = program.ventilation.is_on && actuatorsOf(moment.house, ...ventRoles).length > 0;
  const mayVent = isDrier && hasVents && loop.vent_pct_per_pct > 0;
  const ventMost_pct = (band_k = 0): number => (mayVent ? loop.vent_most_pct * warmShare(moment, band_k) : 0);
  const openingsOf = (over: number, vent_most_pct: number): Drying['kept'] => ({
    gap_pct: clamp(over * loop.gap_pct_per_pct, 0, loop.gap_most_pct),
    vent_pct: clamp(over * loop.vent_pct_per_pct, 0, vent_most_pct),
  });
  // Heat follows once the vents are at their maximum, or at once when they are of no use.
  const left = mayVent ? excess - ventMost_pct() / loop.vent_pct_per_pct : excess;
  return {
    ...openingsOf(excess, ventMost_pct()),
    kept: openingsOf(excess + dry_band_pct, ventMost_pct(cold_band_k)),
    heat_pct: hasHeat(moment) ? clamp(left * loop.heat_pct_per_pct, 0, loop.heat_most_pct) : 0,
  };
}

/**
 * Fogs in pulses while the air is too dry, and reports how the air is dried while it is too humid. `vents_pct` is the
 * position of the widest vent.
 */
export function humidityLoop(
  moment: Moment,
  before: ClimateState['fog'],
  { drying, vents_pct }: { drying: Drying; vents_pct: number },
): LoopResult<ClimateState['fog']> {
  const { program, readings, house } = moment;
  const target_pct = mostHumidity_pct(moment);
  const { temp_c, humidity_pct } = readings;
  const deficit_kpa = temp_c === null || humidity_pct === null ? null : vapourDeficit_kpa(temp_c, humidity_pct);
  const fog = fogging(moment, before, { deficit_kpa, vents_pct });
  const why =
    humidity_pct === null
      ? cause('no_sensor')
      : drying === none || humidity_pct <= (target_pct ?? 100)
        ? cause('dry_enough', { humidity_pct, target_pct: target_pct ?? 100 })
        : cause('humid', { humidity_pct, target_pct: target_pct ?? 100, ...openingsAndHeat(drying) });
  const foggers = program.humidity.is_on ? actuatorsOf(house, 'fogger') : [];
  return {
    state: fog.state,
    demands: foggers.map(({ key }) => fogDemand(key, fog, moment.now_ms)),
    live: loopLive('humidity', {
      target: target_pct,
      measured: humidity_pct,
      demand_pct: drying.vent_pct,
      cause: fog.is_on ? fog.cause : why,
    }),
  };
}

function openingsAndHeat({ gap_pct, vent_pct, heat_pct }: Drying): Record<string, number> {
  return { gap_pct, vent_pct, heat_pct };
}

/** A pulse is shorter than the time between two looks: it is given once, for its length. */
function fogDemand(key: string, { is_on, state: { until_ms }, cause: why }: Fog, nowMs: number): Demand {
  if (!is_on) return { key, pct: 0, cause: why };
  const once = { id: String(until_ms), for_s: Math.ceil((until_ms - nowMs) / 1000) };
  return { key, pct: 100, cause: why, once };
}

interface Fog {
  state: ClimateState['fog'];
  is_on: boolean;
  cause: ClimateCause;
}

function fogging(
  { program: { humidity: loop }, now_ms, isDay }: Moment,
  before: ClimateState['fog'],
  { deficit_kpa, vents_pct }: { deficit_kpa: number | null; vents_pct: number },
): Fog {
  const numbers = { deficit_kpa: deficit_kpa ?? 0, limit_kpa: loop.fog_above_kpa ?? 0 };
  const off = { state: { ...before, until_ms: 0 }, is_on: false, cause: cause('fog_off', numbers) };
  if (loop.fog_above_kpa === null || deficit_kpa === null || !isDay || vents_pct > loop.fog_vent_most_pct) return off;
  if (now_ms < before.until_ms) return { state: before, is_on: true, cause: cause('fog_pulse', numbers) };
  if (now_ms < before.next_ms) return { state: before, is_on: false, cause: cause('fog_pause', numbers) };
  if (deficit_kpa <= loop.fog_above_kpa) return off;
  const untilMs = now_ms + loop.fog_pulse_s * 1000;
  const state = { until_ms: untilMs, next_ms: untilMs + loop.fog_pause_s * 1000 };
  return { state, is_on: true, cause: cause('fog_pulse', numbers) };
}
