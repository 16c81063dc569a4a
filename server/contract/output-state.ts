import type { Outcome, OutputChannel, OutputChannelState, OutputState } from './output.ts';
import { why, type Said } from './refusal-reason.ts';

/** True for on and for any value above 0; unknown is not on. */
export function isOn(state: OutputState | undefined): boolean {
  return typeof state === 'number' ? state > 0 : state === 'on';
}

/**
 * Off for the pause of the cycle in which its controller switches it on and off: it goes on by itself. What was asked
 * for the pause says nothing of a device that stayed on or that is not known.
 */
export function isPausing({ state, rule, cause }: Pick<OutputChannelState, 'state' | 'rule' | 'cause'>): boolean {
  return state !== null && !isOn(state) && rule === null && cause?.reason?.code === 'heat_pause';
}

/** The device did it, or it was sent and the device has no way to answer: nothing more will ever be known. */
export function isDone({ outcome, code }: { outcome: Outcome; code?: string | undefined }): boolean {
  return outcome === 'confirmed' || (outcome === 'unknown' && code === 'cannot_answer');
}

/** A command that succeeded or still may: it is under way, or kept until it may act. */
export function isTaken(answer: { outcome: Outcome; code?: string | undefined }): boolean {
  return answer.outcome === 'pending' || isDone(answer);
}

/**
 * What a failed command still asks of a device that was not reached: found so, its channel needs no other command. One
 * that refused has answered, and must carry out a command to show that it works.
 */
export function stillAsked(failed: { code?: string | undefined; requested?: OutputState | undefined }) {
  return failed.code === 'unreachable' ? failed.requested : undefined;
}

/** The amounts that a command can state beside on and off. */
export const amounts = ['duration_s', 'duty_cycle_pct', 'value', 'volume_ml'] as const;
export type Amount = (typeof amounts)[number];

/** What a channel lacks for this amount; undefined when it can take it. */
export function lackedBy(channel: OutputChannel, amount: Amount): Said | undefined {
  const isSwitch = channel.kind === 'switch';
  switch (amount) {
    case 'value':
      return isSwitch ? why('needs_dimmer') : undefined;
    case 'duty_cycle_pct':
      return isSwitch && channel.pwm_cycle_s === null ? why('needs_dimmer_or_cycle') : undefined;
    case 'volume_ml':
      return channel.flow_ml_s === null ? why('needs_flow') : undefined;
    case 'duration_s':
      return undefined;
  }
}
