import type { ClimateCause } from '../../contract/climate-reason.ts';
import type { Drying } from './humidity.ts';
import type { VentLimit } from './limits.ts';
import {
  actuatorsOf,
  along,
  cause,
  clamp,
  loopLive,
  ventRoles,
  type ClimateActuator,
  type Demand,
  type LoopResult,
  type Moment,
} from './moment.ts';
import { small_step_pct, stepTo } from './motor.ts';
import { ventedBand_k } from './setpoints.ts';
import type { ClimateState, Vent } from './state.ts';
import { isLee, windOf } from './wind-side.ts';

export type VentState = Pick<
  ClimateState,
  'vents' | 'vent_integral_pct' | 'fans' | 'fans_ms' | 'wind' | 'side' | 'vane'
>;

/**
 * Excess at which a vent is fully open, K: wider when it is cold or windy outside, where a small opening has a large
 * effect.
 */
function bandOf({ program: { ventilation: loop }, readings: { outdoor_c, wind_m_s } }: Moment): number {
  // Unknown weather counts as cold: the gentler response.
  const base = along(outdoor_c ?? loop.cold_c, [loop.cold_c, loop.band_cold_k], [loop.warm_c, loop.band_warm_k]);
  return base * (1 + loop.band_share_per_m_s * (wind_m_s ?? 0));
}

/** A lasting excess opens the vents no further beyond their band than that, %. */
const most_integral_pct = 100;
/** A smaller share is left out of the reason, %. */
const told_integral_pct = 5;

/**
 * What a lasting excess adds to the band. It winds up neither beyond open nor in a storm, and is gone where heat may
 * come again.
 */
function integralOf({ moment, excess_k, band_k, limits }: Seen, before_pct: number): number {
  const { integral_min } = moment.program.ventilation;
  if (integral_min === null || excess_k === null || excess_k < -ventedBand_k(moment.setpoints)) return 0;
  const band_pct = (100 * excess_k) / band_k;
  const most_pct = limits.reduce((least, one) => Math.min(least, one.most_pct), moment.setpoints.vent_max_pct ?? 100);
  const isWound = excess_k > 0 && band_pct + before_pct >= most_pct;
  if (isWound) return before_pct;
  const step_pct = (band_pct * moment.dt_s) / (integral_min * 60);
  return clamp(before_pct + step_pct, 0, most_integral_pct);
}

interface Asked {
  drying: Pick<Drying, 'vent_pct' | 'kept'>;
  limits: readonly VentLimit[];
}

/**
 * Opens the lee side by the excess over a band, the windward side after an offset, then fans; limits take precedence.
 */
export function ventilationLoop(moment: Moment, before: VentState, asked: Asked): LoopResult<VentState> {
  const { program, house, readings, setpoints } = moment;
  const { wind, side, vane } = windOf(moment, before);
  const excess_k = readings.temp_c === null ? null : readings.temp_c - (setpoints.ventilation_c ?? Infinity);
  const found = program.ventilation.is_on ? actuatorsOf(house, ...ventRoles) : [];
  const given = { moment, excess_k, band_k: bandOf(moment), ...asked };
  const vent_integral_pct = integralOf(given, before.vent_integral_pct);
  const seen = { ...given, integral_pct: vent_integral_pct };
  const moves = found.map((vent) => moveOf(vent, before.vents[vent.key], { ...seen, isLee: isLee(vent, side) }));
  const areShut = moves.length > 0 && moves.every(({ moved }) => moved.pct === 0);
  const fans = fansOf({ ...seen, hasVents: found.length > 0, areShut }, before);
  const [first] = moves.map(({ demand }) => demand).concat(fans.demands);
  const vents = Object.fromEntries(moves.map(({ demand: { key }, moved }) => [key, moved]));
  return {
    state: { vents, vent_integral_pct, ...fans.state, wind, side, vane },
    demands: [...moves.map(({ demand }) => demand), ...fans.demands],
    live: loopLive(
      'ventilation',
      {
        target: setpoints.ventilation_c,
        measured: readings.temp_c,
        demand_pct:
          moves.length === 0 ? (fans.demands[0]?.pct ?? null) : Math.max(...moves.map(({ moved }) => moved.pct)),
        cause: first?.cause ?? closedBy(moment, {}),
      },
      asked.limits.map(({ limit }) => limit),
    ),
  };
}

interface Seen extends Asked {
  moment: Moment;
  excess_k: number | null;
  band_k: number;
}

interface Opening extends Seen {
  /** What a lasting excess adds. */
  integral_pct: number;
}

function moveOf(
  vent: ClimateActuator,
  before: Vent | undefined,
  seen: Opening & { isLee: boolean },
): { demand: Demand; moved: Vent } {
  const { moment, limits } = seen;
  const known = before ?? { pct: moment.readings.stands_pct[vent.key] ?? 0, moved_ms: 0 };
  // Warmth keeps nothing open that warmth did not open, nor does humidity.
  const kept = {
    kept_pct: Math.min(before?.warm_pct ?? 0, known.pct),
    humid_kept_pct: Math.min(before?.humid_pct ?? 0, known.pct),
  };
  const { wanted, why, warm_pct, humid_pct } = wantedOf({ ...seen, ...kept });
  const most = limits.reduce((least, one) => (one.most_pct < least.most_pct ? one : least), unlimited);
  const target = targetOf(vent, { wanted, most_pct: most.most_pct, stands_pct: known.pct });
  // A move forced by a limit waits for no pause.
  const isBeyond = known.pct > most.most_pct;
  const { now_ms, program } = moment;
  const step_pct = program.ventilation.least_step_pct;
  const least_step_pct = Math.min(target, known.pct) < step_pct ? Math.min(small_step_pct, step_pct) : step_pct;
  // Left slightly open because the step is too small, it would lose heat from a cold house.
  const rests_pct = seen.isLee ? (moment.setpoints.vent_min_pct ?? 0) : 0;
  const rules = { now_ms, least_step_pct, pause_s: program.ventilation.pause_s, rests_pct };
  const moved = isBeyond ? { pct: target, moved_ms: now_ms } : stepTo(target, known, rules);
  const reason = isBeyond || wanted > most.most_pct ? most.cause : why;
  return {
    demand: { key: vent.key, pct: moved.pct, cause: told(reason, moved.pct) },
    moved: { ...moved, warm_pct, humid_pct },
  };
}

/** Names the position that the vent is sent to: what it is to do waits for its pause and its least move. */
function told(why: ClimateCause, pct: number): ClimateCause {
  return 'demand_pct' in why.values ? cause(why.code, { ...why.values, demand_pct: pct }) : why;
}

const unlimited: VentLimit = { limit: 'frost', most_pct: 100, cause: cause('vent_excess') };

/** A vent that is only open or shut stays shut under a limit. */
function targetOf(
  { kind }: ClimateActuator,
  { wanted, most_pct, stands_pct }: { wanted: number; most_pct: number; stands_pct: number },
): number {
  if (kind === 'dimmer') return Math.min(wanted, most_pct);
  return most_pct < 100 ? 0 : switched(wanted, stands_pct);
}

interface Kept extends Opening {
  isLee: boolean;
  /** How far it stands open for warmth. */
  kept_pct: number;
  /** How far it stands open for humidity. */
  humid_kept_pct: number;
}

interface Wanted {
  wanted: number;
  why: ClimateCause;
  warm_pct: number;
  humid_pct: number;
}

function wantedOf(seen: Kept): Wanted {
  const { moment, excess_k, band_k, integral_pct, isLee: lee, drying, humid_kept_pct } = seen;
  const { setpoints, readings, period } = moment;
  const { warm_pct, isKept } = warmthOf(seen);
  // Only the lee side stands open for humidity, or by the minimum of the period.
  const humid_pct = lee ? clamp(humid_kept_pct, drying.vent_pct, drying.kept.vent_pct) : 0;
  const least_pct = lee ? (setpoints.vent_min_pct ?? 0) : 0;
  const side_pct = lee ? 100 : (period.setpoints.wind_side_max_pct ?? 100);
  const most_pct = Math.min(setpoints.vent_max_pct ?? 100, side_pct);
  const wanted = Math.min(Math.max(warm_pct, least_pct, humid_pct), most_pct);
  const numbers = {
    demand_pct: wanted,
    excess_k: excess_k ?? 0,
    ...airOf(moment),
    band_k,
    ...(readings.outdoor_c !== null && { outdoor_c: readings.outdoor_c }),
  };
  const whyOf = (): ClimateCause => {
    if (wanted === 0) return closedBy(moment, numbers);
    if (warm_pct >= humid_pct && warm_pct > least_pct) {
      if (isKept) return cause('vent_until', { ...numbers, shut_c: shutBelow_c(seen) });
      const isTold = integral_pct >= told_integral_pct;
      return isTold ? cause('vent_lasting', { ...numbers, integral_pct }) : cause('vent_excess', numbers);
    }
    return humid_pct > least_pct
      ? cause('vent_humid', { ...numbers, humidity_pct: readings.humidity_pct ?? 0 })
      : cause('vent_least', { ...numbers, least_pct });
  };
  return { wanted, why: whyOf(), warm_pct, humid_pct };
}

function offsetOf({ moment, isLee: lee }: Kept): number {
  return lee ? 0 : moment.program.ventilation.wind_side_offset_k;
}

/**
 * Opening for warmth. A vent opens by the excess and shuts by an excess that is `ventedBand_k` greater: air that its
 * own opening has cooled does not shut it again. Heat comes no sooner.
 */
function warmthOf(seen: Kept): { warm_pct: number; isKept: boolean } {
  const { moment, excess_k, band_k, integral_pct, kept_pct } = seen;
  const ofExcess = (over_k: number): number => clamp((100 * (over_k - offsetOf(seen))) / band_k + integral_pct, 0, 100);
  const opens_pct = ofExcess(excess_k ?? 0);
  const shuts_pct = excess_k === null ? opens_pct : ofExcess(excess_k + ventedBand_k(moment.setpoints));
  return { warm_pct: clamp(kept_pct, opens_pct, shuts_pct), isKept: kept_pct > opens_pct };
}

/** Colder than that, this vent is not open for warmth. */
function shutBelow_c(seen: Kept): number {
  const { moment, band_k, integral_pct } = seen;
  const vented_k = ventedBand_k(moment.setpoints);
  // Where heat may come again, what a lasting excess has added is gone.
  const below_k = Math.min(vented_k, vented_k - offsetOf(seen) + (integral_pct * band_k) / 100);
  return (moment.setpoints.ventilation_c ?? 0) - below_k;
}

/** The air inside and what it is to be, as far as they are known. */
function airOf({ readings: { temp_c }, setpoints: { ventilation_c } }: Moment): Record<string, number> {
  return {
    ...(temp_c !== null && { measured_c: temp_c }),
    ...(ventilation_c !== null && { target_c: ventilation_c }),
  };
}

function closedBy(moment: Moment, numbers: Record<string, number>): ClimateCause {
  if (moment.readings.temp_c === null) return cause('no_thermometer');
  return cause('vent_closed', { ...airOf(moment), ...numbers });
}

/** A vent that is only open or shut: half-way, with hysteresis. */
function switched(pct: number, stands_pct: number): number {
  return pct >= (stands_pct >= 50 ? 30 : 60) ? 100 : 0;
}

/**
 * Fans start one by one, a K apart, and stop `ventedBand_k` below their start; none is switched again within the pause
 * of the vents, but all stop where heat may come, and where a limit shuts the vents.
 */
function fansOf(seen: Seen & { hasVents: boolean; areShut: boolean }, before: Pick<VentState, 'fans' | 'fans_ms'>) {
  const { moment, excess_k, band_k, hasVents } = seen;
  const { program, house, now_ms, setpoints } = moment;
  const fans = program.ventilation.is_on ? actuatorsOf(house, 'exhaust_fan') : [];
  const start_k = hasVents ? program.ventilation.fan_offset_k : 0;
  // Without an inlet a fan draws on the covering. A wind that nobody knows may last all summer: then they run.
  const isShut =
    seen.areShut && seen.limits.length > 0 && seen.limits.every(({ cause: { code } }) => code !== 'station_lost');
  const stop_k = ventedBand_k(setpoints);
  const turns = fans.map(({ key, kind }, index) => {
    const over_k = (excess_k ?? -Infinity) - start_k - index;
    const [wasOn, since_ms] = [before.fans[key] === true, before.fans_ms?.[key] ?? 0];
    const mayHeat = (excess_k ?? -Infinity) < -stop_k;
    const isRested = now_ms - since_ms >= program.ventilation.pause_s * 1000;
    const wants = wasOn ? over_k > -stop_k : over_k > 0;
    const isOn = !isShut && (isRested || mayHeat ? wants : wasOn);
    const pct = !isOn ? 0 : kind === 'switch' ? 100 : Math.ceil(clamp((100 * over_k) / band_k, 20, 100) / 10) * 10;
    const numbers = { ...airOf(moment), start_c: (setpoints.ventilation_c ?? Infinity) + start_k + index };
    const why =
      excess_k === null
        ? cause('no_thermometer')
        : cause(isOn ? 'fan_excess' : isShut && wants ? 'fan_shut' : 'fan_off', { ...numbers, demand_pct: pct });
    return { demand: { key, pct, cause: why }, isOn, switched_ms: isOn === wasOn ? since_ms : now_ms };
  });
  return {
    demands: turns.map(({ demand }): Demand => demand),
    state: {
      fans: Object.fromEntries(turns.map(({ demand: { key }, isOn }) => [key, isOn])),
      fans_ms: Object.fromEntries(turns.map(({ demand: { key }, switched_ms }) => [key, switched_ms])),
    },
  };
}
