import type { ClimateFallback } from '../../contract/climate-live.ts';
import type { ClimateCause } from '../../contract/climate-reason.ts';
import {
  actuatorsOf,
  cause,
  clamp,
  loopLive,
  type ClimateActuator,
  type Demand,
  type Moment,
  type LoopResult,
} from './moment.ts';
import { ended, flowOf, leak_s, mostUnseen, readOf, without, type Irrigation, type Known } from './irrigation-flow.ts';
import type { Turn } from './state.ts';

/** A clock time missed by more than this is skipped, ms; so is the water of a valve that stays shut this long. */
const lateMs = 600_000;
/** Valves that wait for longer than this since their shot began are not watered after a stop, ms. */
const staleMs = 2 * 3_600_000;
/** A shot that is cut by no more is no fault, s. */
const shortMost_s = 1;

/** Inputs besides the moment: the day's sun times and the last clock time passed, epoch ms. */
export interface IrrigationDay {
  sunrise_ms: number | null;
  sunset_ms: number | null;
  clock_ms: number | null;
}

/**
 * Waters in shots, triggered by the light sum, the maximum rest, the clock or the substrate moisture; valves take
 * turns. The state holds what was given, is due and is running, so that a restart repeats nothing.
 */
export function irrigationLoop(
  moment: Moment,
  before: Known,
  day: IrrigationDay,
): LoopResult<Known> & { faults: ClimateFallback[] } {
  const { is_on } = moment.program.irrigation;
  const valves = is_on ? actuatorsOf(moment.house, 'irrigation_valve') : [];
  const stopped = is_on ? stoppedOf(moment.house, 'irrigation_valve') : [];
  const hasValves = valves.length + stopped.length > 0;
  const known = { ...before, state: hasValves ? resumed(moment, before.state, day) : resting(before.state) };
  const seen = flowOf(moment, counted(moment, { ...known, state: awaiting(moment, known.state) }));
  const turning = remembering(turned(moment, seen.state), day, moment.now_ms);
  const [starts, why] = startOf(moment, { state: turning, today: seen.today }, day);
  const is_timed = why.code === 'irrigate_time';
  const state = starts && hasValves ? { ...begun(moment, turning, { valves, stopped, day }), is_timed } : turning;
  const running = state.turns[0];
  const isBegun = running !== undefined && turning.turns.length === 0;
  const today = isBegun ? { ...seen.today, shots: seen.today.shots + 1 } : seen.today;
  return {
    state: { state: corrected(moment, { state, today }), today },
    demands: demandsOf(moment, { valves, running, faults: state.faults, why }),
    live: loopLive('irrigation', {
      target: thresholdOf(moment, state),
      measured: state.sum_j_m2 / 1e4,
      demand_pct: running?.until_ms === undefined ? 0 : 100,
      cause: why,
    }),
    faults: faultsOf(state, moment, { valves, stopped }),
  };
}

/** Bound actuators of a role whose output is not running: known to give nothing. */
function stoppedOf({ stopped = [] }: Moment['house'], of: ClimateActuator['role']): string[] {
  return stopped.filter(({ role }) => role === of).map(({ key }) => key);
}

/** Without a running valve nothing is due: the first rest starts when there is one. */
function resting({ due_ms: _due, ...state }: Irrigation): Irrigation {
  return { ...state, begun_ms: null, sum_j_m2: 0, turns: [] };
}

/**
 * After a stop nobody knows what the running valve gave: it is not repeated. The valves that follow are given their
 * water where a shot of that kind may begin now: of one by the sun in its window, of one by the clock at any hour. Else
 * they are left out. Both are told.
 */
function resumed(moment: Moment, before: Irrigation, day: IrrigationDay): Irrigation {
  if (!moment.isAfterStop) return before;
  const { due_ms: _due, ...state } = before;
  const [first, ...waiting] = state.turns;
  if (first === undefined) return state;
  const maySunStart = isWithin(moment, day) && moment.period.setpoints.irrigation_allowed !== false;
  const mayGoOn = state.is_timed === true || maySunStart;
  const isFresh = state.begun_ms !== null && moment.now_ms - state.begun_ms < staleMs;
  const turns = mayGoOn && isFresh ? waiting : [];
  const cut = turns.length > 0 ? [first] : state.turns;
  const faults = { ...state.faults, ...Object.fromEntries(cut.map(({ key }) => [key, 'shot_cut' as const])) };
  return { ...state, turns, faults };
}

/** A clock time that passes while a shot runs is due after it. */
function remembering(state: Irrigation, { clock_ms }: IrrigationDay, nowMs: number): Irrigation {
  if (state.turns.length === 0 || !isDue(state, clock_ms, nowMs)) return state;
  return { ...state, due_ms: clock_ms ?? nowMs };
}

function isDue({ clock_ms: used_ms, due_ms }: Irrigation, clock_ms: number | null, nowMs: number): boolean {
  return (
    clock_ms !== null && clock_ms > Math.max(used_ms ?? -Infinity, due_ms ?? -Infinity) && nowMs - clock_ms < lateMs
  );
}

/**
 * A turn is extended by the time its valve, or every pump, is known to have been shut: a blocked or failed command is
 * repeated, and what a stop left out is given. Beyond a limit the turn is given up.
 */
function awaiting({ readings, house, program, now_ms, dt_s }: Moment, state: Irrigation): Irrigation {
  const [turn, ...others] = state.turns;
  if (turn?.until_ms === undefined) return state;
  // Of a look in which it was shut only in part, as when a daemon was killed, the rest has flowed.
  const stopped = new Set(house.stopped?.map(({ key }) => key));
  const shutFor_s = (key: string): number => {
    if (stopped.has(key)) return dt_s;
    return readings.stands_pct[key] === 0 ? Math.min(dt_s, readings.shut_s?.[key] ?? dt_s) : 0;
  };
  const running = actuatorsOf(house, 'irrigation_pump').map(({ key }) => key);
  const pumps = program.irrigation.is_on ? [...running, ...stoppedOf(house, 'irrigation_pump')] : [];
  const pumpless_s = pumps.length === 0 ? 0 : Math.min(...pumps.map(shutFor_s));
  const blocked_s = Math.max(shutFor_s(turn.key), pumpless_s);
  // A valve whose time is over has shut by itself: repeating the command would repeat its last seconds each tick.
  if (blocked_s === 0 || now_ms >= turn.until_ms) {
    const { shut_s: _shut, ...flowing } = turn;
    return turn.shut_s === undefined ? state : { ...state, turns: [{ ...flowing, opened_ms: now_ms }, ...others] };
  }
  const shut_s = (turn.shut_s ?? 0) + blocked_s;
  if (shut_s * 1000 <= lateMs)
    return { ...state, turns: [{ ...turn, shut_s, until_ms: turn.until_ms + blocked_s * 1000 }, ...others] };
  const given_up: Turn = { ...turn, shut_s, until_ms: now_ms, has_failed: true };
  return { ...state, turns: [given_up, ...others], faults: { ...state.faults, [turn.key]: 'valve_shut' } };
}

/** Radiation since the last shot, and the day's water and drain. */
function counted(moment: Moment, { state, today }: Known): Known {
  const { readings, dt_s, now_ms } = moment;
  const [turn] = state.turns;
  const fromMs = now_ms - dt_s * 1000;
  const open_s = turn?.until_ms === undefined ? 0 : Math.max(0, Math.min(now_ms, turn.until_ms) - fromMs) / 1000;
  // Without a meter, a valve known to have been shut gave nothing.
  const rated_l_h = turn === undefined || turn.shut_s !== undefined ? 0 : (3600 * turn.litres) / turn.seconds;
  const isDry = turn !== undefined && state.faults[turn.key] === 'no_flow';
  const read = turn === undefined ? null : readOf(moment, turn);
  const l_h = read !== null && read.since_s >= 0 ? read.l_h : isDry ? 0 : rated_l_h;
  return {
    // The first rest starts when the program was activated.
    state: {
      ...state,
      begun_ms: state.begun_ms ?? now_ms,
      sum_j_m2: state.sum_j_m2 + Math.max(0, readings.radiation_w_m2 ?? 0) * dt_s,
    },
    today: {
      ...today,
      water_l: today.water_l + (open_s * l_h) / 3600,
      drain_l: today.drain_l + (Math.max(0, readings.drain_l_h ?? 0) * dt_s) / 3600,
    },
  };
}

/** The next valve opens when the previous one has had its water, or has failed. */
function turned(moment: Pick<Moment, 'now_ms' | 'readings'>, state: Irrigation): Irrigation {
  const [first, ...rest] = state.turns;
  if (first === undefined) return state;
  const { now_ms } = moment;
  const isDone = first.until_ms !== undefined && (now_ms >= first.until_ms || first.has_failed === true);
  const known = isDone ? { ...state, ...ended(moment, state, first), turns: rest } : state;
  const [next, ...others] = known.turns;
  if (next === undefined || next.until_ms !== undefined) return known;
  const opened = { ...next, until_ms: now_ms + next.seconds * 1000 };
  // It gets its water now.
  return { ...known, turns: [opened, ...others], faults: without(known.faults, next.key, ['shot_cut']) };
}

/** Light sum between shots, J/cm2, corrected by the drain. */
function thresholdOf({ program: { irrigation: loop } }: Moment, { correction_pct }: Irrigation): number | null {
  return loop.sum_j_cm2 === null ? null : loop.sum_j_cm2 * (1 + correction_pct / 100);
}

function startOf(moment: Moment, { state, today }: Known, day: IrrigationDay): [boolean, ClimateCause] {
  const { program, readings, now_ms, house } = moment;
  const { irrigation: loop } = program;
  const rested_min = state.begun_ms === null ? Infinity : (now_ms - state.begun_ms) / 60_000;
  const threshold = thresholdOf(moment, state);
  const water_l_m2 = today.water_l / Math.max(house.floor_m2 ?? 1, 1);
  const sum_j_cm2 = state.sum_j_m2 / 1e4;
  const shown = { sum_j_cm2, threshold_j_cm2: threshold ?? 0, water_l_m2, rested_min: Math.min(rested_min, 9999) };
  if (state.turns.length > 0) return [false, cause('irrigate_now', { ...shown, valves: state.turns.length })];
  if (water_l_m2 >= loop.most_l_m2) return [false, cause('irrigate_most', { water_l_m2, most_l_m2: loop.most_l_m2 })];
  const isPending = state.due_ms !== undefined && now_ms - state.due_ms < staleMs;
  if (isPending || isDue(state, day.clock_ms, now_ms)) return [true, cause('irrigate_time', shown)];
  if (moment.period.setpoints.irrigation_allowed === false) return [false, cause('irrigate_refused', shown)];
  if (!isWithin(moment, day)) return [false, cause('irrigate_window', shown)];
  if (rested_min < loop.least_rest_min)
    return [false, cause('irrigate_rest', { ...shown, least_rest_min: loop.least_rest_min })];
  const isDry =
    loop.moisture_below_pct !== null &&
    readings.moisture_pct !== null &&
    readings.moisture_pct < loop.moisture_below_pct;
  if (isDry) return [true, cause('irrigate_moisture', { ...shown, moisture_pct: readings.moisture_pct ?? 0 })];
  if (threshold !== null && sum_j_cm2 >= threshold) return [true, cause('irrigate_sum', shown)];
  if (loop.most_rest_min !== null && rested_min >= loop.most_rest_min)
    return [true, cause('irrigate_late', { ...shown, most_rest_min: loop.most_rest_min })];
  return [false, cause('irrigate_wait', shown)];
}

function isWithin(
  { program: { irrigation: loop }, now_ms }: Moment,
  { sunrise_ms, sunset_ms }: IrrigationDay,
): boolean {
  if (sunrise_ms === null || sunset_ms === null) return false;
  return now_ms >= sunrise_ms + loop.begin_min * 60_000 && now_ms <= sunset_ms - loop.end_min * 60_000;
}

interface Beginning {
  valves: readonly ClimateActuator[];
  /** Keys of those whose output is not running. */
  stopped: readonly string[];
  day: IrrigationDay;
}

/** What a valve gives in a shot, and how long that takes; null when its flow is unknown. */
function shotOf(
  { key, valve }: Pick<ClimateActuator, 'key' | 'valve'>,
  flows: Irrigation['flows'],
  { shot_ml_m2 }: Moment['program']['irrigation'],
): { litres: number; l_h: number; seconds: number } | null {
  const l_h = flows[key] ?? valve?.l_h ?? null;
  if (valve === undefined || l_h === null) return null;
  const litres = (shot_ml_m2 * valve.area_m2) / 1000;
  return { litres, l_h, seconds: (3600 * litres) / l_h };
}

/**
 * A shot for each valve, as long as its flow requires; valves of unknown flow are left out, and those that cannot open.
 */
function begun(moment: Moment, state: Irrigation, { valves, stopped, day }: Beginning): Irrigation {
  const { irrigation: loop } = moment.program;
  const turns = valves.flatMap((one): Turn[] => {
    const shot = shotOf(one, state.flows, loop);
    if (shot === null) return [];
    const { litres, l_h } = shot;
    const seconds = clamp(shot.seconds, 1, loop.most_valve_s);
    return [{ key: one.key, litres: Math.min(litres, (l_h * seconds) / 3600), seconds }];
  });
  const clockMs = day.clock_ms ?? state.clock_ms;
  const { due_ms: _due, ...before } = state;
  const known = new Set(turns.map(({ key }) => key));
  // A valve that gets no turn has none that could show it sound.
  const sound = valves.reduce(
    (all, { key }) => (known.has(key) ? all : without(all, key, ['valve_shut'])),
    before.faults,
  );
  const faults = { ...sound, ...Object.fromEntries(stopped.map((key) => [key, 'valve_shut' as const])) };
  return turned(moment, { ...before, faults, turns, clock_ms: clockMs, begun_ms: moment.now_ms, sum_j_m2: 0 });
}

/**
 * Too little drain brings the next shots forward, too much delays them, within a limit; from the second shot of the
 * day.
 */
function corrected({ program: { irrigation: loop }, readings }: Moment, { state, today }: Known): Irrigation {
  if (loop.drain_target_pct === null) return state.correction_pct === 0 ? state : { ...state, correction_pct: 0 };
  if (readings.drain_l_h === null || today.shots < 2 || today.water_l <= 0) return state;
  const over_pct = (100 * today.drain_l) / today.water_l - loop.drain_target_pct;
  const correction_pct = clamp(over_pct * loop.drain_gain, -loop.drain_most_pct, loop.drain_most_pct);
  return { ...state, correction_pct };
}

interface Running {
  valves: readonly ClimateActuator[];
  running: Turn | undefined;
  faults: Irrigation['faults'];
  why: ClimateCause;
}

/** The running valve and its pump are opened once, for the rest of the turn. */
function demandsOf({ house, now_ms, program }: Moment, { valves, running, faults, why }: Running): Demand[] {
  const untilMs = running?.until_ms;
  const opened =
    untilMs === undefined || untilMs <= now_ms
      ? null
      : { id: String(untilMs), for_s: Math.ceil((untilMs - now_ms) / 1000) };
  const pumps = program.irrigation.is_on ? actuatorsOf(house, 'irrigation_pump') : [];
  const runs = (key: string): boolean => running?.key === key;
  return [...valves, ...pumps].map(({ key, role }): Demand => {
    const isOn = opened !== null && (role === 'irrigation_pump' ? valves.some((one) => runs(one.key)) : runs(key));
    const own = faults[key] === 'no_flow' && !isOn ? cause('valve_no_flow') : why;
    return isOn ? { key, pct: 100, cause: own, once: opened } : { key, pct: 0, cause: own };
  });
}

function faultsOf(
  { faults, unseen = {}, leaking_s }: Irrigation,
  { program: { irrigation: loop } }: Moment,
  { valves, stopped }: Pick<Beginning, 'valves' | 'stopped'>,
): ClimateFallback[] {
  // Of a valve that is taken out, or of irrigation that is off, nothing is to be done any more.
  const keys = [...valves.map(({ key }) => key), ...stopped];
  const found = new Set<ClimateFallback>(keys.flatMap((key) => faults[key] ?? []));
  // By what a valve is rated for: the learnt flow moves with each look.
  if (valves.some((valve) => (shotOf(valve, {}, loop)?.seconds ?? 0) > loop.most_valve_s + shortMost_s))
    found.add('shot_short');
  if (keys.some((key) => (unseen[key] ?? 0) >= mostUnseen)) found.add('flow_unseen');
  if (leaking_s >= leak_s) found.add('leak');
  return [...found];
}
