import { describe, expect, it } from 'vitest';
import { checkStatuses, type CheckStatus } from '../../../../server/contract/commissioning.ts';
import { checkEvents, nextStatus, type CheckEvent } from '../../../../server/daemon/commissioning/check-states.ts';

const none = Object.fromEntries(checkEvents.map((event) => [event, undefined])) as Record<CheckEvent, undefined>;
const table: Record<CheckStatus, Record<CheckEvent, CheckStatus | undefined>> = {
  running: { ...none, tested: 'awaiting_verdict', given_up: 'awaiting_verdict', abort: 'aborted', fault: 'error' },
  awaiting_verdict: { ...none, all_judged: 'completed', retest: 'running', abort: 'aborted' },
  completed: { ...none, reopen: 'awaiting_verdict' },
  aborted: none,
  error: none,
};

describe('a check', () => {
  for (const status of checkStatuses) {
    it.each(checkEvents)(`${status} on %s`, (event) => {
      expect(nextStatus(status, event)).toBe(table[status][event]);
    });
  }
});
