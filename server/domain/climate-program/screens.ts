import type { ClimateCause } from '../../contract/climate-reason.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import type { Drying } from './humidity.ts';
import { actuatorsOf, along, cause, clamp, loopLive, type Demand, type LoopResult, type Moment } from './moment.ts';
import { feltOutside_c } from './sky.ts';
import type { ClimateState, ScreenState } from './state.ts';

type Screens = ClimateState['screens'];

/** The sun must be this far below a step of the shade before it opens again, W/m2. */
const shade_band_w_m2 = 50;
/** An energy screen closes only below this fraction of the radiation at which it opens. */
const energy_band = 0.85;
/**
 * It is dark with less sun, W/m2; a screen that is closed for the dark opens only so much nearer to the heating
 * setpoint, K.
 */
const dark_w_m2 = 10;
const dark_band_k = 1;
/** A drawn energy screen opens so far above the ventilation setpoint, K. */
const warm_k = 1;

/** The energy screen by sun and outdoor cold, the shade by the sun; `drying` is the gap that humidity demands. */
export function screenLoop(
  moment: Moment,
  before: Screens,
  drying: Pick<Drying, 'gap_pct' | 'kept'>,
): LoopResult<Screens> {
  const { program, house, readings } = moment;
  const energy = energyOf(moment, before.energy, drying);
  const shade = shadeOf(moment, before.shade);
  const isOn = program.screens.is_on;
  const demand = (
    role: 'thermal_curtain' | 'shade_curtain',
    { pct, why }: { pct: number; why: ClimateCause },
  ): Demand[] => (isOn ? actuatorsOf(house, role).map(({ key }) => ({ key, pct, cause: why })) : []);
  const hasEnergy = actuatorsOf(house, 'thermal_curtain').length > 0;
  return {
    state: { energy: energy.state, shade: shade.state },
    demands: [
      ...demand('thermal_curtain', { pct: energy.state.pct, why: energy.why }),
      ...demand('shade_curtain', { pct: shade.state.pct, why: shade.why }),
    ],
    live: loopLive('screens', {
      target: null,
      measured: readings.radiation_w_m2,
      demand_pct: hasEnergy ? energy.state.pct : shade.state.pct,
      cause: hasEnergy ? energy.why : shade.why,
    }),
  };
}

/**
 * How far the energy screens are drawn, %: as far as they are known to be, else as they were asked to be. 0 where there
 * is none.
 */
export function screenedOf({ house, readings }: Moment, asked: ScreenState | null): number {
  const screens = actuatorsOf(house, 'thermal_curtain').map(({ key }) => readings.stands_pct[key] ?? asked?.pct ?? 0);
  return screens.reduce((sum, pct) => sum + pct, 0) / Math.max(screens.length, 1);
}

/** Radiation below which the energy screen closes at an outdoor temperature, W/m2; 0 beyond the last row. */
export function closesBelow_w_m2(table: ClimateProgram['screens']['energy'], outdoor_c: number): number {
  const above = table.findIndex((row) => row.outdoor_c >= outdoor_c);
  const [low, high] = [table[above - 1], table[above]];
  if (high === undefined) return 0;
  if (low === undefined) return high.radiation_w_m2;
  return along(outdoor_c, [low.outdoor_c, low.radiation_w_m2], [high.outdoor_c, high.radiation_w_m2]);
}

interface Screen {
  state: ScreenState;
  why: ClimateCause;
}

function energyOf(moment: Moment, known: ScreenState | null, drying: Pick<Drying, 'gap_pct' | 'kept'>): Screen {
  const {
    program: { screens: loop },
    readings,
    setpoints,
    period,
    isDay,
  } = moment;
  const before = known ?? standing(moment, 'thermal_curtain');
  // Without a pyranometer, sunrise and sunset replace it.
  const radiation_w_m2 = readings.radiation_w_m2 ?? (isDay ? 1000 : 0);
  if (period.setpoints.screen_allowed === false) return { state: opened(moment, before), why: cause('screen_refused') };
  const { temp_c } = readings;
  const { ventilation_c } = setpoints;
  // The air that vents let out at the ridge has to reach it.
  if (temp_c !== null && ventilation_c !== null && temp_c > ventilation_c + (before.wanted_pct > 0 ? warm_k : 0))
    return {
      state: opened(moment, before),
      why: cause('screen_warm', { measured_c: temp_c, target_c: ventilation_c }),
    };
  if (readings.outdoor_c === null) return { state: opened(moment, before), why: cause('no_sensor') };
  const felt_c = feltOutside_c(readings.outdoor_c, readings.sky_w_m2);
  const limit_w_m2 = Math.max(closesBelow_w_m2(loop.energy, felt_c), darkLimit_w_m2(moment, before, felt_c));
  const numbers = { radiation_w_m2, limit_w_m2, outdoor_c: felt_c };
  const isClosed = radiation_w_m2 < limit_w_m2 * (before.wanted_pct > 0 ? 1 : energy_band);
  if (!isClosed) return { state: opened(moment, before), why: cause('screen_open', numbers) };
  const stood_pct = before.wanted_pct > 0 ? 100 - before.wanted_pct : 0;
  const gap_pct = clamp(stood_pct, drying.gap_pct, drying.kept.gap_pct);
  const state = closed(moment, before, 100 - Math.round(gap_pct));
  return { state, why: gap_pct >= 1 ? cause('screen_gap', { ...numbers, gap_pct }) : cause('screen_cold', numbers) };
}

/** A heated house is screened in the dark also where the table would leave it open. */
function darkLimit_w_m2(
  { program: { screens: loop }, setpoints: { heating_c } }: Moment,
  before: ScreenState,
  felt_c: number,
): number {
  if (loop.dark_k === null || heating_c === null) return 0;
  const colder_k = loop.dark_k - (before.wanted_pct > 0 ? dark_band_k : 0);
  return loop.energy.length > 0 && heating_c - felt_c > colder_k ? dark_w_m2 : 0;
}

function shadeOf(moment: Moment, known: ScreenState | null): Screen {
  const {
    program: { screens: loop },
    readings,
  } = moment;
  const before = known ?? standing(moment, 'shade_curtain');
  const sun = readings.radiation_w_m2;
  if (sun === null) return { state: closed(moment, before, 0), why: cause('no_sensor') };
  const rows = loop.shade.filter(
    ({ radiation_w_m2, closed_pct }) => sun >= radiation_w_m2 - (closed_pct <= before.wanted_pct ? shade_band_w_m2 : 0),
  );
  const pct = isCool(moment, before) ? 0 : (rows.at(-1)?.closed_pct ?? 0);
  const why = cause(pct > 0 ? 'shade_sun' : 'shade_open', { radiation_w_m2: sun, closed_pct: pct });
  return { state: closed(moment, before, pct), why };
}

/**
 * A house that is not yet to be ventilated has a use for the light and the warmth of the sun: the shade closes with the
 * vents' first opening, and opens again nearer to heating than to ventilation.
 */
function isCool({ readings: { temp_c }, setpoints }: Moment, before: ScreenState): boolean {
  const { heating_c, ventilation_c } = setpoints;
  if (temp_c === null || heating_c === null || ventilation_c === null) return false;
  return temp_c < (before.wanted_pct > 0 ? (heating_c + ventilation_c) / 2 : ventilation_c);
}

function standing({ house, readings, now_ms }: Moment, role: 'thermal_curtain' | 'shade_curtain'): ScreenState {
  const [first] = actuatorsOf(house, role);
  const pct = (first && readings.stands_pct[first.key]) ?? 0;
  return { pct, moved_ms: 0, wanted_pct: pct, wanted_ms: now_ms };
}

/** Goes to a position at once, when demanded long enough and the screen has paused. */
function closed({ program: { screens: loop }, now_ms }: Moment, before: ScreenState, to_pct: number): ScreenState {
  const state = calledFor(before, to_pct, now_ms);
  const isDue = now_ms - state.wanted_ms >= loop.delay_s * 1000 && now_ms - state.moved_ms >= loop.pause_s * 1000;
  return isDue && state.pct !== to_pct ? { ...state, pct: to_pct, moved_ms: now_ms } : state;
}

/** Opens in steps, so that the cold air above sinks slowly. */
function opened({ program: { screens: loop }, now_ms }: Moment, before: ScreenState): ScreenState {
  const state = calledFor(before, 0, now_ms);
  if (state.pct === 0 || now_ms - state.wanted_ms < loop.delay_s * 1000) return state;
  const isBegun = state.moved_ms > state.wanted_ms;
  const rest_s = isBegun ? loop.open_step_s : loop.pause_s;
  if (now_ms - state.moved_ms < rest_s * 1000) return state;
  return { ...state, pct: Math.max(0, state.pct - loop.open_step_pct), moved_ms: now_ms };
}

/** Only a change of direction restarts the delay: a gap that grows by a per cent does not. */
function calledFor(state: ScreenState, wanted_pct: number, nowMs: number): ScreenState {
  if (wanted_pct === state.wanted_pct) return state;
  const isTurn = wanted_pct === 0 || state.wanted_pct === 0 || Math.abs(wanted_pct - state.wanted_pct) >= 10;
  return { ...state, wanted_pct, wanted_ms: isTurn ? nowMs : state.wanted_ms };
}
