/** A level that a measurement crosses. */
export interface Edge {
  level: number;
  direction: 'rising' | 'falling' | 'both';
  /** How far back beyond the level the measurement must go before it can cross it again. */
  hysteresis: number;
}

/** The side of the level on which the measurement was last seen; null while unknown. */
export type Side = 'above' | 'below' | null;

/**
 * Whether a measurement crosses a level. The first reading, and the first after a missing one, only sets the side: what
 * happened in between is unknown.
 */
export function crossing(
  side: Side,
  { level, direction, hysteresis }: Edge,
  value: number | null,
): { side: Side; isDue: boolean } {
  if (value === null || !Number.isFinite(value)) return { side: null, isDue: false };
  if (side === null) return { side: value > level ? 'above' : 'below', isDue: false };
  if (side === 'below' && value > level) return { side: 'above', isDue: direction !== 'falling' };
  if (side === 'above' && value < level - hysteresis) return { side: 'below', isDue: direction !== 'rising' };
  return { side, isDue: false };
}

/** The state that an output should have, and for how long. */
export interface LastingState {
  /** null while unknown. */
  holds: boolean | null;
  now_ms: number;
  for_s: number;
}

/** Since when a state lasts, by the caller's elapsed time, and whether that was reported. */
export interface Lasting {
  since_ms: number | null;
  isTold: boolean;
}

/**
 * Due once each time that a state has lasted for the given time. An unknown state starts afresh, without being due by
 * itself.
 */
export function lasting(
  { since_ms, isTold }: Lasting,
  { holds, now_ms, for_s }: LastingState,
): { lasting: Lasting; isDue: boolean } {
  if (holds !== true) return { lasting: { since_ms: null, isTold: false }, isDue: false };
  const sinceMs = since_ms ?? now_ms;
  const isDue = !isTold && now_ms - sinceMs >= for_s * 1000;
  return { lasting: { since_ms: sinceMs, isTold: isTold || isDue }, isDue };
}
