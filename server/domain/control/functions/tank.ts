/** The effect of a dosing pump on the reading. */
export type DoseSide = 'raise' | 'lower';

/** A dose of another function into the same water. Times in s. */
export interface TankDose {
  at_ms: number;
  side: DoseSide;
  /** The unit identifies the quantity that is brought to a target. */
  unit: string;
  mixing_s: number;
  lock_s: number;
}

interface Span {
  since_ms: number;
  until_ms: number;
}

/**
 * Until when no reading of the water is reliable; null when everything is mixed in. The longer of both mixing times
 * counts.
 */
export function mixingOf(others: readonly TankDose[], mixing_s: number, nowMs: number): Span | null {
  return longest(
    others.map((one) => spanOf(one, Math.max(one.mixing_s, mixing_s))),
    nowMs,
  );
}

/**
 * Until when a pump of this side rests because another function worked against it; null when none did. The longer of
 * both locks counts.
 */
export function lockOf(
  others: readonly TankDose[],
  { side, unit, lock_s, now_ms }: { side: DoseSide; unit: string; lock_s: number; now_ms: number },
): Span | null {
  const against = others.filter((one) => one.side !== side && one.unit === unit);
  return longest(
    against.map((one) => spanOf(one, Math.max(one.lock_s, lock_s))),
    now_ms,
  );
}

function spanOf({ at_ms }: TankDose, length_s: number): Span {
  return { since_ms: at_ms, until_ms: at_ms + length_s * 1000 };
}

/** The unfinished one that ends last. */
export function longest(spans: readonly Span[], nowMs: number): Span | null {
  return spans.reduce<Span | null>(
    (last, one) => (one.until_ms > nowMs && one.until_ms > (last?.until_ms ?? -Infinity) ? one : last),
    null,
  );
}
