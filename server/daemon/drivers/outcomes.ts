import type { Outcome, ResultCode } from '../../contract/output.ts';
import { isTaken } from '../../contract/output-state.ts';
import { messageOf } from '../../contract/message-of.ts';
import { DriverError } from './driver.ts';

/** How one command ended. Of `unknown`, the code cannot_answer is a device without an answer, the rest one that did not give it. */
export interface Result {
  outcome: Outcome;
  code?: ResultCode;
  message: string;
}

export const confirmed: Result = { outcome: 'confirmed', message: 'the device confirmed it' };
export const cannotAnswer: Result = {
  outcome: 'unknown',
  code: 'cannot_answer',
  message: 'sent; the device has no way to answer',
};
export const stillWaiting: Result = { outcome: 'pending', code: 'waiting', message: 'sent; the answer is awaited' };

export function failed(code: ResultCode, message: string): Result {
  return { outcome: 'failed', code, message };
}

export function blocked(code: ResultCode, message: string): Result {
  return { outcome: 'blocked', code, message };
}

/** A command that acts as soon as it may: by whatever holds it back, with that as its code. */
export function keptUntil({ code, message }: Result): Result {
  return { outcome: 'pending', message: `kept, for now ${message}`, ...(code !== undefined && { code }) };
}

/** What a driver's refusal means for the command: unknown when it may have reached the device, else failed. */
export function resultOfError(error: unknown): Result {
  const message = messageOf(error);
  if (!(error instanceof DriverError)) return { outcome: 'unknown', code: 'bad_answer', message };
  const code = error.code === 'closed' ? 'unreachable' : error.code;
  return { outcome: error.stateIsUnknown ? 'unknown' : 'failed', code, message };
}

/** The [status, message] that Python programs get: 0 when sent and not refused, and the message begins with the outcome. */
export function statusPair({ outcome, code, message }: Result): [number, string] {
  return [isTaken({ outcome, code }) ? 0 : 1, `${outcome}: ${message}`];
}
