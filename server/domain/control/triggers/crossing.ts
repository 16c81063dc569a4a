/** A level that a measurement passes. */
export interface Edge {
  level: number;
  direction: 'rising' | 'falling' | 'both';
  /** How far back the measurement must go beyond the level before it can pass it again. */
  hysteresis: number;
}

/** On which side of the level the measurement was seen last; null while unknown. */
export type Side = 'above' | 'below' | null;

/**
 * Whether a measurement passes a level. The first reading, and the first after a missing one, only tells the side: what happened
 * meanwhile nobody saw.
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

/** A state that an output is to be in, and for how long. */
export interface LastingState {
  /** null while nobody knows whether it is so. */
  holds: boolean | null;
  now_ms: number;
  for_s: number;
}

/** Since when a state lasts by the elapsed time of the caller, and whether that was told. */
export interface Lasting {
  since_ms: number | null;
  isTold: boolean;
}

/** Due once each time that a state has lasted for so long. An unknown state begins anew, without being due by itself. */
export function lasting(
  { since_ms, isTold }: Lasting,
  { holds, now_ms, for_s }: LastingState,
): { lasting: Lasting; isDue: boolean } {
  if (holds !== true) return { lasting: { since_ms: null, isTold: false }, isDue: false };
  const sinceMs = since_ms ?? now_ms;
  const isDue = !isTold && now_ms - sinceMs >= for_s * 1000;
  return { lasting: { since_ms: sinceMs, isTold: isTold || isDue }, isDue };
}
