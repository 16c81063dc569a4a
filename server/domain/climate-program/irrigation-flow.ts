import { clamp, type ClimateActuator, type Moment } from './moment.ts';
import type { ClimateState, Turn } from './state.ts';

export type Irrigation = ClimateState['irrigation'];

export interface Known {
  state: Irrigation;
  today: ClimateState['today'];
}

/** So long after a valve opened a reading tells whether it flows at all, s; in a short turn from its half on. */
const settle_s = 30;
/** And so long after it how much, s: meters count over a minute, or tell late. */
const settleWell_s = 65;
/** Where nobody knows when a flow was read: it is no older, s. */
const mostAge_s = 60;
/** A valve of which so many shots in a row had no valid reading of its meter is told. */
export const mostUnseen = 5;
/** Fractions of the expected flow below which there is no flow, or too little. */
const noFlowShare = 0.1;
const lowFlowShare = 0.7;
/** Too little flow is enough again where it is so many times what was too little. */
const enoughAgain = 1.1;
/** Weight of each tick's reading in the learnt flow. */
const learning = 0.1;
/** Learnt flow stays within these multiples of the valve's rating. */
const learntRange = [0.5, 2] as const;
/** Water that flows this long with all valves shut, at this rate or more, is a leak: s, l/h. */
export const leak_s = 120;
const leakLeast_l_h = 10;
type Fault = Irrigation['faults'][string];
const flowFaults = ['no_flow', 'low_flow'] as const satisfies Fault[];

/** Learns the flow of the open valve, and detects no flow, too little flow, and flow with all valves shut. */
export function flowOf(moment: Moment, { state, today }: Known): Known {
  const [turn, ...waiting] = state.turns;
  if (turn?.until_ms === undefined) {
    const flow_l_h = Object.values(moment.readings.flows_l_h).reduce<number>((sum, one) => sum + (one ?? 0), 0);
    const leaking_s = flow_l_h > leakLeast_l_h && turn === undefined ? state.leaking_s + moment.dt_s : 0;
    return { state: { ...state, leaking_s }, today };
  }
  const read = turn.shut_s === undefined ? readOf(moment, turn) : null;
  const isWithin = read !== null && read.since_s >= Math.min(settle_s, turn.seconds / 2) && read.at_ms <= turn.until_ms;
  const judged = isWithin ? judgedBy(read, turn, { state, valve: valveOfTurn(moment, turn) }) : null;
  if (judged === null) return { state: { ...state, leaking_s: 0 }, today };
  const { turn: now, faults, flows } = judged;
  return { state: { ...state, faults, flows, turns: [now, ...waiting], leaking_s: 0 }, today };
}

/** A flow with its time, and how long after the opening of its valve that was, s. */
interface FlowRead {
  l_h: number;
  at_ms: number;
  since_s: number;
}

/** The last reading of the meter of a turn; null where there is none. */
export function readOf(
  { readings, now_ms }: Moment,
  { key, until_ms = now_ms, seconds, opened_ms }: Turn,
): FlowRead | null {
  const l_h = readings.flows_l_h[key] ?? null;
  const at_ms = readings.flows_at_ms?.[key] ?? now_ms - mostAge_s * 1000;
  const openedMs = opened_ms ?? until_ms - seconds * 1000;
  return l_h === null ? null : { l_h, at_ms, since_s: (at_ms - openedMs) / 1000 };
}

type Valve = ClimateActuator['valve'];

function valveOfTurn({ house }: Moment, { key }: Turn): Valve {
  return house.actuators.find((one) => one.key === key)?.valve;
}

/** A turn after a reading. Two readings without flow end it: one may be a slip. */
function judgedBy(
  { l_h, at_ms, since_s }: FlowRead,
  turn: Turn,
  { state, valve }: { state: Irrigation; valve: Valve },
): Pick<Irrigation, 'faults' | 'flows'> & { turn: Turn } {
  const { key } = turn;
  const { [key]: told, ...others } = state.faults;
  const { dry_ms, ...judged }: Turn = { ...turn, is_judged: true };
  const expected_l_h = state.flows[key] ?? valve?.l_h ?? l_h;
  const isWell = since_s >= settleWell_s;
  if (l_h < noFlowShare * expected_l_h) {
    if (!isWell) return { ...state, turn: turn.dry_ms === undefined ? judged : { ...judged, dry_ms: turn.dry_ms } };
    if (dry_ms === undefined || dry_ms === at_ms) return { ...state, turn: { ...judged, dry_ms: at_ms } };
    return { ...state, faults: { ...others, [key]: 'no_flow' }, turn: { ...judged, has_failed: true } };
  }
  const flowing: Turn = { ...judged, has_flowed: true };
  if (!isWell) return { ...state, faults: without(state.faults, key, ['no_flow']), turn: flowing };
  // Drippers clog over weeks, and the learnt flow with them: their rating does not.
  const low_l_h = Math.max(lowFlowShare * expected_l_h, learntRange[0] * (valve?.l_h ?? 0));
  const isLow = l_h < (told === 'low_flow' ? enoughAgain * low_l_h : low_l_h);
  if (isLow) return { ...state, faults: { ...others, [key]: 'low_flow' }, turn: flowing };
  const flow_l_h = learnt(expected_l_h + learning * (l_h - expected_l_h), valve?.l_h);
  return { faults: others, flows: { ...state.flows, [key]: flow_l_h }, turn: flowing };
}

function learnt(l_h: number, rated_l_h: number | null | undefined): number {
  if (rated_l_h == null) return l_h;
  const [least, most] = learntRange;
  return clamp(l_h, least * rated_l_h, most * rated_l_h);
}

/** What a turn leaves behind. What was told of a valve ends with a turn that shows it sound. */
export function ended(
  { readings }: Pick<Moment, 'readings'>,
  { faults, unseen = {} }: Irrigation,
  { key, is_judged, has_flowed, has_failed }: Turn,
): Pick<Irrigation, 'faults' | 'unseen'> {
  const hasMeter = key in readings.flows_l_h;
  const { [key]: before = 0, ...others } = unseen;
  const shots = hasMeter && !is_judged && !has_failed ? before + 1 : 0;
  const isUnseen = !hasMeter || shots >= mostUnseen;
  const over: Fault[] = [...(has_failed ? [] : (['valve_shut'] as const)), ...(isUnseen ? flowFaults : [])];
  const isDry = is_judged === true && !has_flowed && !has_failed;
  return {
    faults: isDry ? { ...faults, [key]: 'no_flow' } : without(faults, key, over),
    unseen: shots === 0 ? others : { ...others, [key]: shots },
  };
}

export function without(faults: Irrigation['faults'], key: string, over: readonly Fault[]): Irrigation['faults'] {
  const { [key]: told, ...others } = faults;
  return told !== undefined && over.includes(told) ? others : faults;
}
