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
  /** Nobody knew the state, s. */
  unknown_s: number;
  /** Nothing was recorded, s. */
  unrecorded_s: number;
  /** On-time weighted by duty or position, s: an hour at 50 % is half an hour. */
  full_load_s: number;
  /** Times that it went on. */
  starts: number;
}

/** What the intervals come to within a span; they are in the order of time and do not overlap. */
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

/** The same within each bucket of ascending limits. */
export function stateTimes(intervals: readonly StateInterval[], limits: readonly number[]): StateTime[] {
  let first = 0;
  return limits.slice(1).map((toMs, index) => {
    const fromMs = limits[index] ?? toMs;
    while ((intervals[first + 1]?.from_ms ?? Infinity) <= fromMs) first += 1;
    let end = first;
    while ((intervals[end]?.from_ms ?? Infinity) < toMs) end += 1;
    // With the one before, which tells whether the first is a start.
    return stateTime(intervals.slice(Math.max(0, first - 1), end), { from_ms: fromMs, to_ms: toMs });
  });
}

function isOn(interval: StateInterval | undefined): boolean {
  return (interval?.state ?? 0) > 0;
}

/** Energy of an actuator, kWh: its rating over the hours at full load. What happened while its state was unknown is not in it. */
export function energyOfRating_kwh({ full_load_s }: Pick<StateTime, 'full_load_s'>, rating_kw: number): number {
  return (full_load_s / 3600) * rating_kw;
}
