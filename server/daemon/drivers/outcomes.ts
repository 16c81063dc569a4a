import { deviceSays } from '../../contract/device-words.ts';
import type { Outcome, ResultCode } from '../../contract/output.ts';
import { isTaken } from '../../contract/output-state.ts';
import { messageOf } from '../../contract/message-of.ts';
import { DriverError } from './driver.ts';

/**
 * How one command ended. For `unknown`, the code cannot_answer means a device that never answers, any other one that
 * did not.
 */
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

/** The result of a command that acts as soon as it may, with the code of what holds it back. */
export function keptUntil({ code, message }: Result): Result {
  return {
    outcome: 'pending',
    message: deviceSays('kept_for_now', { said: message }),
    ...(code !== undefined && { code }),
  };
}

/** What a driver's error means for the command: unknown when it may have reached the device, else failed. */
export function resultOfError(error: unknown): Result {
  const message = messageOf(error);
  if (!(error instanceof DriverError)) return { outcome: 'unknown', code: 'bad_answer', message };
  const code = error.code === 'closed' ? 'unreachable' : error.code;
  return { outcome: error.stateIsUnknown ? 'unknown' : 'failed', code, message };
}

/**
 * The [status, message] that Python programs get: status 0 when sent and not refused; the message begins with the
 * outcome.
 */
export function statusPair({ outcome, code, message }: Result): [number, string] {
  return [isTaken({ outcome, code }) ? 0 : 1, `${outcome}: ${message}`];
}
