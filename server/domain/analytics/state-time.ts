/** An output in one state for a time; null is unknown, which is not off. In %: 0 off, 100 on. */
export interface StateInterval {
  from_ms: number;
  to_ms: number;
  state: number | null;
}

export interface StateTime {
  /** At more than 0 %, s. */
  on_s: number;
  off_s: number;
  /** State unknown, s. */
  unknown_s: number;
  /** Nothing recorded, s. */
  unrecorded_s: number;
  /** On-time weighted by duty or position, s: an hour at 50 % counts as half an hour. */
  full_load_s: number;
  /** Number of switches to on. */
  starts: number;
}

/** Totals of the intervals within a span; they are in order of time and do not overlap. */
export function stateTime(intervals: readonly StateInterval[], span: { from_ms: number; to_ms: number }): StateTime {
  const time: StateTime = { on_s: 0, off_s: 0, unknown_s: 0, unrecorded_s: 0, full_load_s: 0, starts: 0 };
  let before: StateInterval | undefined;
  for (const interval of intervals) {
    const { state } = interval;
    const seconds = Math.max(0, Math.min(interval.to_ms, span.to_ms) - Math.max(interval.from_ms, span.from_ms)) / 1000;
    if (state === null) time.unknown_s += seconds;
    else if (state > 0) time.on_s += seconds;
    else time.off_s += seconds;
    time.full_load_s += (seconds * (state ?? 0)) / 100;
    const isWithin = interval.from_ms >= span.from_ms && interval.from_ms < span.to_ms;
    if (isWithin && isOn(interval) && !isOn(before)) time.starts += 1;
    before = interval;
  }
  const whole_s = (span.to_ms - span.from_ms) / 1000;
  time.unrecorded_s = Math.max(0, whole_s - time.on_s - time.off_s - time.unknown_s);
  return time;
}

/** The same for each bucket between ascending limits. */
export function stateTimes(intervals: readonly StateInterval[], limits: readonly number[]): StateTime[] {
  let first = 0;
  return limits.slice(1).map((toMs, index) => {
    const fromMs = limits[index] ?? toMs;
    while ((intervals[first + 1]?.from_ms ?? Infinity) <= fromMs) first += 1;
    let end = first;
    while ((intervals[end]?.from_ms ?? Infinity) < toMs) end += 1;
    // Including the one before, which decides whether the first is a start.
    return stateTime(intervals.slice(Math.max(0, first - 1), end), { from_ms: fromMs, to_ms: toMs });
  });
}

function isOn(interval: StateInterval | undefined): boolean {
  return (interval?.state ?? 0) > 0;
}

/** Energy of an actuator, kWh: its rating over the hours at full load. Times of unknown state are not included. */
export function energyOfRating_kwh({ full_load_s }: Pick<StateTime, 'full_load_s'>, rating_kw: number): number {
  return (full_load_s / 3600) * rating_kw;
}
