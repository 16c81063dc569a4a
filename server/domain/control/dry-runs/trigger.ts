import type { Reason } from '../../../contract/reason.ts';
import type { Trigger, TriggerOf } from '../../../contract/trigger.ts';
import type { Place } from '../../solar/sun-day.ts';
import { crossing, lasting, type Edge, type Lasting, type Side } from '../triggers/crossing.ts';
import { crossingReason, lastingReason, scheduleReason, type ScheduledTrigger } from '../triggers/reasons.ts';
import { dues } from '../triggers/schedule.ts';
import type { StoredSeries, StoredStates } from './stored.ts';

export interface TriggerDryRunAsked {
  trigger: Exclude<Trigger, { kind: 'pwm_method' }>;
  /** For what it watches; null when a clock drives it. */
  stored: StoredSeries | StoredStates | null;
  place: Place;
  from_ms: number;
  to_ms: number;
  /** Maximum times listed. */
  mostListed: number;
}

export interface TriggerDryRunFound {
  runs: { at_ms: number; reason: Reason }[];
  run_count: number;
  /** The first times after the span, for a trigger by the clock. */
  next_ms: number[];
}

/** More occurrences are not counted. */
const mostCounted = 50_000;
const nextTimes = 5;

/** When a trigger would have acted by stored data, and when it is next due. */
export function triggerDryRun({ trigger, stored, mostListed, ...given }: TriggerDryRunAsked): TriggerDryRunFound {
  const found: TriggerDryRunFound = { runs: [], run_count: 0, next_ms: [] };
  const act: Act = (atMs, reason) => {
    if (atMs < given.from_ms || atMs > given.to_ms) return; // what came before tells where it stood
    found.run_count += 1;
    if (found.runs.length < mostListed) found.runs.push({ at_ms: atMs, reason });
  };
  switch (trigger.kind) {
    case 'edge':
      if (stored !== null && 'samples' in stored) crossings(trigger, stored, act);
      break;
    case 'output':
      if (stored !== null && 'states' in stored) lastings(trigger, stored, act);
      break;
    case 'output_pwm':
      if (stored !== null && 'states' in stored) positions(trigger, stored, act);
      break;
    default:
      found.next_ms = scheduled(trigger, given, act);
  }
  return found;
}

type Act = (atMs: number, reason: Reason) => void;

/** Calls `act` for each time in the span, and returns the first ones after it. */
function scheduled(
  trigger: ScheduledTrigger,
  { place, from_ms, to_ms }: Pick<TriggerDryRunAsked, 'place' | 'from_ms' | 'to_ms'>,
  act: Act,
): number[] {
  // An interval begins when it is stored, which is now: nothing was due before.
  const isInterval = trigger.kind === 'interval';
  const schedule = isInterval ? { ...trigger, anchor_ms: to_ms } : trigger;
  const nextMs: number[] = [];
  let count = 0;
  for (const due of dues(schedule, isInterval ? to_ms : from_ms, place)) {
    if (due <= to_ms) act(due, scheduleReason(trigger, due));
    else nextMs.push(due);
    count += 1;
    if (nextMs.length === nextTimes || count === mostCounted) break;
  }
  return nextMs;
}

/** Silence for longer than the maximum age of a reading hides what happened in it. */
function crossings(
  { measurement, level, direction, hysteresis = 0 }: TriggerOf<'edge'>,
  { samples: { times, values }, unit }: StoredSeries,
  act: Act,
): void {
  const follow = crossingOf({ level, direction, hysteresis });
  for (const [index, time_ms] of times.entries()) {
    const beforeMs = times[index - 1];
    if (beforeMs !== undefined && time_ms - beforeMs > measurement.max_age_s * 1000) follow(null);
    const value = values[index] ?? null;
    const side = follow(value);
    if (side !== null && value !== null) act(time_ms, crossingReason(side, { value, level, unit: unit ?? '' }));
  }
}

function positions({ level, direction }: TriggerOf<'output_pwm'>, { states }: StoredStates, act: Act): void {
  const follow = crossingOf({ level, direction, hysteresis: 0 });
  for (const { from_ms, state } of states) {
    const side = follow(state);
    if (side !== null && state !== null) act(from_ms, crossingReason(side, { value: state, level, unit: '%' }));
  }
}

/** Follows successive values; returns the side reached when the trigger is due. */
function crossingOf(edge: Edge): (value: number | null) => Side {
  let side: Side = null;
  return (value) => {
    const step = crossing(side, edge, value);
    side = step.side;
    return step.isDue ? side : null;
  };
}

function lastings(trigger: TriggerOf<'output'>, { states }: StoredStates, act: Act): void {
  const { state: wanted, for_s = 0 } = trigger;
  let since: Lasting | undefined;
  const look = (holds: boolean | null, nowMs: number): void => {
    // A state that holds at the first check began before the watch.
    since ??= { since_ms: holds === true ? nowMs : null, isTold: holds === true && for_s === 0 };
    const step = lasting(since, { holds, now_ms: nowMs, for_s });
    since = step.lasting;
    if (step.isDue) act(nowMs, lastingReason(trigger));
  };
  for (const { from_ms, to_ms, state } of states) {
    const holds = state === null ? null : state > 0 === (wanted === 'on');
    look(holds, from_ms);
    const dueMs = (since?.since_ms ?? Infinity) + for_s * 1000;
    if (for_s > 0 && dueMs > from_ms && dueMs <= to_ms) look(holds, dueMs);
  }
}
