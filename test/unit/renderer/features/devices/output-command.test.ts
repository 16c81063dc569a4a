import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../../renderer/client/api-error.ts';
import {
  answerOfRefusal,
  readsOn,
  positionOf,
  requestOf,
} from '../../../../../renderer/features/devices/output-command.ts';
import type { ErrorCode } from '../../../../../server/contract/errors.ts';

describe('requestOf', () => {
  it.each([
    [{ state: true }, { state: true }],
    [{ state: false }, { state: false }],
    [
      { state: true, duration_s: 600 },
      { state: true, duration_s: 600 },
    ],
    [
      { state: true, position_pct: 35 },
      { state: true, duty_cycle_pct: 35 },
    ],
    [{ state: true, position_pct: 0 }, { state: false }],
    [
      { state: false, override_until: '2026-03-01T06:00:00Z', reason: 'repair' },
      { state: false, override_until: '2026-03-01T06:00:00Z', reason: 'repair' },
    ],
  ])('of %j is %j', (wanted, request) => {
    expect(requestOf(wanted)).toEqual(request);
  });
});

describe('isOn and positionOf', () => {
  it.each([
    ['on', true, 100],
    ['off', false, 0],
    [40, true, 40],
    [0, false, 0],
    [null, null, null],
    [undefined, null, null],
  ] as const)('read %s as %s, %s %%', (state, on, position) => {
    expect(readsOn(state)).toBe(on);
    expect(positionOf(state)).toBe(position);
  });
});

describe('answerOfRefusal', () => {
  const refusal = (code: ErrorCode, members: object = {}): ApiError =>
    new ApiError(code, 'detail', {
      problem: { type: 'about:blank', title: '', status: 409, code, detail: 'detail', request_id: '1', ...members },
    });

  it.each([
    ['blocked', 'blocked'],
    ['command_failed', 'failed'],
    ['command_unknown', 'unknown'],
  ] as const)('reads %s as the end of a command', (code, outcome) => {
    expect(answerOfRefusal(refusal(code))).toEqual({ outcome, message: 'detail' });
  });

  it('prefers what was said of the device itself', () => {
    const results = [{ message: 'roof vent is open', outcome: 'blocked', code: 'interlock' }];
    const answer = { outcome: 'blocked', code: 'interlock', message: 'roof vent is open' };
    expect(answerOfRefusal(refusal('blocked', { results }))).toEqual(answer);
  });

  it('takes the code of why from the refusal of one output', () => {
    expect(answerOfRefusal(refusal('command_failed', { reason: 'refused' }))).toMatchObject({ code: 'refused' });
  });

  it('leaves every other failure to whoever asks', () => {
    expect(answerOfRefusal(refusal('forbidden'))).toBeNull();
    expect(answerOfRefusal(new ApiError('network', 'gone', {}))).toBeNull();
    expect(answerOfRefusal(new Error('bug'))).toBeNull();
  });
});
