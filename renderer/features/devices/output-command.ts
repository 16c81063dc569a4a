import type { Outcome, OutputRequest, OutputState } from '../../../server/contract/output.ts';
import { isOn } from '../../../server/contract/output-state.ts';
import { isApiError } from '../../client/api-error.ts';

/** A user's command for an output: on, off, a position in %, or on for a while. */
export interface Wanted {
  state: boolean;
  position_pct?: number;
  duration_s?: number;
  /** With an end, ISO 8601, automatic commands wait until then. */
  override_until?: string;
  /** Waits when something holds the channel, instead of being refused. */
  keep?: boolean;
  reason?: string;
}

export interface CommandAnswer {
  outcome: Outcome;
  /** Why it was not confirmed. */
  code?: string | undefined;
  message: string;
}

/** The request of an output for a command; a position of 0 is off. */
export function requestOf({ override_until, keep, reason, ...wanted }: Wanted): OutputRequest {
  return {
    ...valueOf(wanted),
    ...(override_until !== undefined && { override_until }),
    ...(keep !== undefined && { keep }),
    ...(reason !== undefined && { reason }),
  };
}

function valueOf({ state, position_pct, duration_s }: Wanted): OutputRequest {
  if (position_pct !== undefined && position_pct > 0) return { state: true, duty_cycle_pct: position_pct };
  if (!state || position_pct === 0) return { state: false };
  return duration_s === undefined ? { state: true } : { state: true, duration_s };
}

/** True when a state is on or open by more than 0; null when unknown. */
export function readsOn(state: OutputState | undefined): boolean | null {
  if (state === null || state === undefined) return null;
  return isOn(state);
}

/** A state as a position in %; null when unknown. */
export function positionOf(state: OutputState | undefined): number | null {
  if (state === null || state === undefined) return null;
  if (typeof state === 'number') return state;
  return state === 'on' ? 100 : 0;
}

/** How a refused command ended and why; null for any other error. */
export function answerOfRefusal(error: unknown): CommandAnswer | null {
  if (!isApiError(error) || error.problem === undefined) return null;
  const { reason, results, detail } = error.problem;
  const answer = firstResult(results) ?? { code: textOf(reason), message: detail };
  if (error.code === 'blocked') return { outcome: 'blocked', ...answer };
  if (error.code === 'command_failed') return { outcome: 'failed', ...answer };
  if (error.code === 'command_unknown') return { outcome: 'unknown', ...answer };
  return null;
}

/** A refused apply gives the reason for each device. */
function firstResult(results: unknown): Pick<CommandAnswer, 'code' | 'message'> | null {
  const first: unknown = Array.isArray(results) ? results[0] : undefined;
  if (typeof first !== 'object' || first === null || !('message' in first)) return null;
  const message = textOf(first.message);
  return message === undefined ? null : { code: 'code' in first ? textOf(first.code) : undefined, message };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
