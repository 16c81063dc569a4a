import type { OutputChannel, OutputState } from '../../contract/output.ts';
import type { OutputValue } from './driver.ts';

/**
 * The one form of a value for a kind of channel: a switch is on or off (100 and 0 % count as that), a dimmer off or
 * 0..100 %. undefined when the kind cannot take the value.
 */
export function canonical(value: OutputValue, kind: OutputChannel['kind']): OutputValue | undefined {
  if (value === 'off' || value === 0) return 'off';
  if (kind === 'dimmer') return value === 'on' ? 100 : inRange(value);
  return value === 'on' || value === 100 ? 'on' : undefined;
}

function inRange(value: number): number | undefined {
  return value > 0 && value <= 100 ? value : undefined;
}

/** How far it is open or on, %: on counts 100, and an unknown state is Infinity. */
export function positionPct(state: OutputState): number {
  if (state === null) return Infinity;
  return typeof state === 'number' ? state : Number(state === 'on') * 100;
}
