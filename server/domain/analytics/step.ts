/** A value that holds from one moment to another, epoch ms. */
export interface Step {
  from_ms: number;
  to_ms: number;
  value: number;
}

/** Means of buckets of equal width, in order of time. */
export interface Means {
  start_ms: readonly number[];
  mean: readonly number[];
  width_ms: number;
}

/**
 * Each mean holds until the next, but at most for `hold_ms`, or for its own bucket: longer silence is a gap, not a
 * value. The last holds for the period of its sensor.
 */
export function heldSteps(
  { start_ms, mean, width_ms }: Means,
  { hold_ms, to_ms, period_ms = 0 }: { hold_ms: number; to_ms: number; period_ms?: number | undefined },
): Step[] {
  return start_ms.flatMap((fromMs, index) => {
    const nextMs = start_ms[index + 1] ?? fromMs + Math.max(width_ms, period_ms);
    const endMs = Math.min(nextMs, fromMs + Math.max(hold_ms, width_ms), to_ms);
    const value = mean[index];
    return value === undefined || endMs <= fromMs ? [] : [{ from_ms: fromMs, to_ms: endMs, value }];
  });
}

/** The steps within each bucket between ascending limits; one across a limit is cut there. */
export function splitAt<Kind extends Step>(steps: readonly Kind[], limits: readonly number[]): Kind[][] {
  let next = 0;
  return limits.slice(1).map((endMs, index) => {
    const beginMs = limits[index] ?? endMs;
    while ((steps[next]?.to_ms ?? Infinity) <= beginMs) next += 1;
    const within: Kind[] = [];
    for (let at = next; ; at += 1) {
      const step = steps[at];
      if (step === undefined || step.from_ms >= endMs) return within;
      within.push({ ...step, from_ms: Math.max(step.from_ms, beginMs), to_ms: Math.min(step.to_ms, endMs) });
    }
  });
}

/** Combines two series over the times when both have a value. */
export function overlap(
  ones: readonly Step[],
  others: readonly Step[],
  combine: (one: number, other: number) => number,
): Step[] {
  const both: Step[] = [];
  for (let i = 0, j = 0; ;) {
    const [one, other] = [ones[i], others[j]];
    if (one === undefined || other === undefined) return both;
    const fromMs = Math.max(one.from_ms, other.from_ms);
    const toMs = Math.min(one.to_ms, other.to_ms);
    if (fromMs < toMs) both.push({ from_ms: fromMs, to_ms: toMs, value: combine(one.value, other.value) });
    if (one.to_ms <= other.to_ms) i += 1;
    else j += 1;
  }
}

/** The integral over time of `rate` of each value, in its unit times seconds. */
export function integral(steps: readonly Step[], rate: (value: number) => number): number {
  return steps.reduce((sum, { from_ms, to_ms, value }) => sum + (rate(value) * (to_ms - from_ms)) / 1000, 0);
}

/** Seconds with a value. */
export function covered_s(steps: readonly Step[]): number {
  return integral(steps, () => 1);
}
