import type { Outcome, OutputState } from './output.ts';

/** True for on and for any value above 0; unknown is not on. */
export function isOn(state: OutputState | undefined): boolean {
  return typeof state === 'number' ? state > 0 : state === 'on';
}

/** The device did it, or was told and has no way to answer: nobody will ever know more. */
export function isDone({ outcome, code }: { outcome: Outcome; code?: string | undefined }): boolean {
  return outcome === 'confirmed' || (outcome === 'unknown' && code === 'cannot_answer');
}

/** A command that succeeded, or that may yet: it is under way, or kept until it may act. */
export function isTaken(answer: { outcome: Outcome; code?: string | undefined }): boolean {
  return answer.outcome === 'pending' || isDone(answer);
}
