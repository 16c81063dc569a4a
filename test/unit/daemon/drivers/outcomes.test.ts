import { describe, expect, it } from 'vitest';
import { DriverError } from '../../../../server/daemon/drivers/driver.ts';
import {
  blocked,
  cannotAnswer,
  confirmed,
  failed,
  resultOfError,
  statusPair,
  stillWaiting,
} from '../../../../server/daemon/drivers/outcomes.ts';

describe('what a driver error means for the command', () => {
  it.each([
    ['refused', 'failed', 'refused'],
    ['unreachable', 'failed', 'unreachable'],
    ['unsupported', 'failed', 'unsupported'],
    ['closed', 'failed', 'unreachable'],
    ['timed_out', 'unknown', 'timed_out'],
    ['bad_answer', 'unknown', 'bad_answer'],
  ] as const)('%s: %s', (thrown, outcome, code) => {
    expect(resultOfError(new DriverError(thrown, 'why'))).toEqual({ outcome, code, message: 'why' });
  });

  it('is unknown for a fault of the driver itself', () => {
    expect(resultOfError(new TypeError('x is undefined'))).toMatchObject({ outcome: 'unknown' });
  });
});

it.each([
  [confirmed, 0],
  [stillWaiting, 0],
  [cannotAnswer, 0],
  [resultOfError(new DriverError('timed_out', 'no answer')), 1],
  [failed('refused', 'no'), 1],
  [blocked('min_off', 'rest'), 1],
])('%o is status %i, with the outcome first in the message', (result, status) => {
  expect(statusPair(result)).toEqual([status, `${result.outcome}: ${result.message}`]);
});
