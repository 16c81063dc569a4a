import type { ClimateCause } from '../../contract/climate-reason.ts';
import {
  actuatorsOf,
  along,
  cause,
  clamp,
  loopLive,
  type ClimateActuator,
  type Demand,
  type LoopResult,
  type Moment,
} from './moment.ts';
import { stepTo } from './motor.ts';
import { mixingValve, pipeTarget_c } from './pipe.ts';
import { ventedBand_k } from './setpoints.ts';
import { feltOutside_c } from './sky.ts';
import type { ClimateState, Moved, Stage } from './state.ts';

type Heating = ClimateState['heating'];
type HeatingState = Pick<ClimateState, 'heating' | 'dimmed'>;

/** Limit of the integral under a lasting error, % of installed heat. */
const most_integral_pct = 60;

interface Asked {
  /** Heat that humidity asks for at least, %. */
  dry_pct: number;
  /** How far the energy screens are drawn, %. */
  screened_pct: number;
  /** How far a vent stands open that somebody or something else holds, %. */
  held_open_pct: number;
}

/**
 * Heat by the heat balance of the house at the present difference (feed-forward) and a PI law on the air. While vents
 * are wanted for warmth there is no more than that: the two never work against each other.
 */
export function heatingLoop(moment: Moment, before: HeatingState, asked: Asked): LoopResult<HeatingState> {
  const { program, house, readings, setpoints } = moment;
  const heaters = program.heating.is_on ? actuatorsOf(house, 'heater', 'mixing_valve') : [];
  const is_vented = isVentedNow(moment, before.heating.is_vented);
  const { pct, integral_pct, why } = demandOf(moment, { ...asked, integral: before.heating.integral_pct, is_vented });
  const stages = stagesOf(
    heaters.filter(({ kind, role }) => kind === 'switch' && role === 'heater'),
    { ...before.heating, demand_pct: pct ?? 0, moment },
  );
  const target_c = pct === null ? null : pipeTarget_c(moment, pct, is_vented);
  const dimmed = dimmedOf(heaters, { pct, target_c, moment, before: before.dimmed });
  const demands = heaters.map(({ key }): Demand => {
    const moved = dimmed[key];
    if (pct === null || moved === null) return { key, pct: null, cause: pct === null ? why : cause('no_pipe') };
    if (moved !== undefined) return { key, pct: moved.pct, cause: why };
    const isOn = stages.stages[key]?.is_on === true;
    return { key, pct: isOn ? 100 : 0, cause: isOn || pct === 0 ? why : pauseOf(key, { why, pct, stages, moment }) };
  });
  return {
    state: { heating: { integral_pct, is_vented, ...stages }, dimmed: known(dimmed) },
    demands,
    live: loopLive('heating', { target: setpoints.heating_c, measured: readings.temp_c, demand_pct: pct, cause: why }),
  };
}

interface Pausing {
  why: ClimateCause;
  pct: number;
  stages: Pick<Heating, 'stages' | 'owed_stages'>;
  moment: Moment;
}

/**
 * Why a switched heater is off although heat is demanded, and for the one whose turn is next when it comes on at the
 * present demand; no time while those that are on give all of it.
 */
function pauseOf(key: string, { why, pct, stages: { stages, owed_stages }, moment }: Pausing): ClimateCause {
  const { now_ms, program } = moment;
  const { stage_min_s } = program.heating;
  const all = Object.entries(stages);
  const off = all.filter(([, { is_on }]) => !is_on).sort(([, a], [, b]) => a.hours - b.hours);
  const missing = (pct / 100) * all.length - (all.length - off.length);
  const [next, stage] = off[0] ?? [];
  if (next !== key || stage === undefined || missing <= 0) return cause('heat_pause', why.values);
  const owedAtMs = now_ms + ((stage_min_s / 2 - owed_stages) / missing) * 1000;
  const restedAtMs = stage.since_ms + stage_min_s * 1000;
  return cause('heat_pause', { ...why.values, on_at_ms: Math.max(now_ms, owedAtMs, restedAtMs) });
}

/** Heaters driven safe are omitted: their position is read when they are driven again. */
function known(dimmed: Readonly<Record<string, Moved | null>>): HeatingState['dimmed'] {
  return Object.fromEntries(Object.entries(dimmed).filter((entry): entry is [string, Moved] => entry[1] !== null));
}

interface Dimming {
  pct: number | null;
  /** Of the water behind a mixing valve. */
  target_c: number | null;
  moment: Moment;
  before: HeatingState['dimmed'];
}

/** A dimmed heater moves in steps, but switches off at once; a mixing valve follows the water behind it. null: safe. */
function dimmedOf(
  heaters: readonly ClimateActuator[],
  { pct, target_c, moment, before }: Dimming,
): Record<string, Moved | null> {
  const { now_ms, program, readings } = moment;
  const { least_step_pct, pause_s } = program.heating;
  const moves = heaters.flatMap((heater): [string, Moved | null][] => {
    const { key, kind, role } = heater;
    if (role === 'mixing_valve') return [[key, mixingValve(heater, before[key], { moment, target_c })]];
    if (kind !== 'dimmer') return [];
    const known = before[key] ?? { pct: readings.stands_pct[key] ?? 0, moved_ms: 0 };
    const target = Math.round(pct ?? 0);
    if (target === 0) return [[key, known.pct === 0 ? known : { pct: 0, moved_ms: now_ms }]];
    return [[key, stepTo(target, known, { now_ms, least_step_pct, pause_s })]];
  });
  return Object.fromEntries(moves);
}

/** With hysteresis, so that air fluctuating around the ventilation setpoint does not switch the heat. */
function isVentedNow({ readings: { temp_c }, setpoints }: Moment, before: boolean): boolean {
  const { ventilation_c } = setpoints;
  if (temp_c === null || ventilation_c === null) return false;
  return temp_c >= (before ? ventilation_c - ventedBand_k(setpoints) : ventilation_c);
}

function demandOf(
  moment: Moment,
  { integral, dry_pct, screened_pct, held_open_pct, is_vented }: Asked & { integral: number; is_vented: boolean },
): { pct: number | null; integral_pct: number; why: ClimateCause } {
  const {
    program: { heating: loop },
    readings,
    setpoints,
    dt_s,
  } = moment;
  const { temp_c } = readings;
  const target_c = setpoints.heating_c;
  if (temp_c === null || target_c === null) return { pct: null, integral_pct: 0, why: cause('no_thermometer') };
  const error_k = beyond(target_c - temp_c, loop.dead_band_k);
  const ahead_pct = aheadOf(moment, target_c, screened_pct);
  const before_pct = ahead_pct + loop.gain_pct_per_k * error_k + integral;
  const step_pct = (loop.gain_pct_per_k * error_k * dt_s) / (loop.integral_min * 60);
  const isWound = (before_pct >= 100 && step_pct > 0) || (before_pct <= 0 && step_pct < 0);
  const integral_pct = isWound ? integral : clamp(integral + step_pct, -most_integral_pct, most_integral_pct);
  const asked = clamp(ahead_pct + loop.gain_pct_per_k * error_k + integral_pct, 0, 100);
  const numbers = {
    measured_c: temp_c,
    error_k: target_c - temp_c,
    target_c,
    ahead_pct,
    integral_pct,
    demand_pct: asked,
  };
  const heat_pct = is_vented ? 0 : asked;
  // Vents that are open for warmth take out more water than heat could.
  if (dry_pct > heat_pct && !is_vented)
    return { pct: dry_pct, integral_pct, why: cause('dry_by_heat', { ...numbers, demand_pct: dry_pct }) };
  if (is_vented) return { pct: 0, integral_pct, why: cause('vents_warm', numbers) };
  if (heat_pct > 0 && held_open_pct > 0)
    return { pct: heat_pct, integral_pct, why: cause('heat_open', { ...numbers, vents_pct: held_open_pct }) };
  const why = heat_pct === 0 ? 'warm_enough' : ahead_pct === 0 ? 'heat_below' : 'heat_loss';
  return { pct: heat_pct, integral_pct, why: cause(why, numbers) };
}

/**
 * What of an error lies beyond the band below the setpoint in which it changes nothing: heat above the setpoint is lost
 * at once.
 */
function beyond(error_k: number, band_k: number): number {
  return error_k > 0 ? Math.max(0, error_k - band_k) : error_k;
}

/**
 * Heat that holds the setpoint against the loss of the house less what the sun gives, % of what is installed; 0 where
 * it is not known.
 */
function aheadOf({ program, house, readings }: Moment, target_c: number, screened_pct: number): number {
  const { loss, heating_kw, floor_m2 } = house;
  const { outdoor_c, sky_w_m2, radiation_w_m2 } = readings;
  if (!program.heating.has_feed_forward || loss === null || heating_kw === null || outdoor_c === null) return 0;
  const loss_w_k = along(screened_pct, [0, loss.open_w_k], [100, loss.screened_w_k]);
  const sun_w = program.heating.sun_heat_share * (radiation_w_m2 ?? 0) * (floor_m2 ?? 0);
  return clamp((loss_w_k * (target_c - feltOutside_c(outdoor_c, sky_w_m2)) - sun_w) / (10 * heating_kw), 0, 100);
}

/**
 * Which switched heaters are on: on average as many as demanded. Heat demanded but not given is carried over
 * (first-order sigma-delta), so that the mean is right and no heater switches sooner than `stage_min_s`; one of which
 * all is wanted goes on at once. The heater with the fewest hours switches on first, the one with the most switches off
 * first.
 */
function stagesOf(
  heaters: readonly ClimateActuator[],
  { demand_pct, moment, stages: before, owed_stages }: Heating & { demand_pct: number; moment: Moment },
): Pick<Heating, 'stages' | 'owed_stages'> {
  const {
    now_ms,
    dt_s,
    program: {
      heating: { stage_min_s },
    },
  } = moment;
  const fresh: Stage = { is_on: false, since_ms: 0, hours: 0 };
  const stages = heaters.map(({ key }) => {
    const stage = before[key] ?? fresh;
    return { key, ...stage, hours: stage.hours + (stage.is_on ? dt_s / 3600 : 0) };
  });
  const count = stages.filter(({ is_on }) => is_on).length;
  const asked = (demand_pct / 100) * heaters.length;
  const owed = clamp(owed_stages + (asked - count) * dt_s, -stage_min_s, stage_min_s);
  const isRested = ({ since_ms }: Stage): boolean => now_ms - since_ms >= stage_min_s * 1000;
  const isMissing = asked >= count + 1 || owed >= stage_min_s / 2;
  const wants = demand_pct === 0 ? 'off' : isMissing ? 'on' : owed <= -stage_min_s / 2 ? 'off' : 'stay';
  const next =
    wants === 'on'
      ? stages.filter((one) => !one.is_on && isRested(one)).sort((a, b) => a.hours - b.hours)[0]
      : wants === 'off'
        ? stages.filter((one) => one.is_on && isRested(one)).sort((a, b) => b.hours - a.hours)[0]
        : undefined;
  const entries = stages.map(({ key, ...stage }) => [
    key,
    key === next?.key ? { ...stage, is_on: !stage.is_on, since_ms: now_ms } : stage,
  ]);
  return {
    owed_stages: demand_pct === 0 ? Math.min(owed, 0) : owed,
    stages: Object.fromEntries(entries) as Record<string, Stage>,
  };
}
