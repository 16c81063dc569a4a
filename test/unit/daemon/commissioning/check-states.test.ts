import { describe, expect, it } from 'vitest';
import { checkStatuses, type CheckStatus } from '../../../../server/contract/commissioning.ts';
import { checkEvents, nextStatus, type CheckEvent } from '../../../../server/daemon/commissioning/check-states.ts';

const table: Record<CheckStatus, Record<CheckEvent, CheckStatus | undefined>> = {
  running: { tested: 'awaiting_verdict', all_judged: undefined, reopen: undefined, abort: 'aborted', fault: 'error' },
  awaiting_verdict: {
    tested: undefined,
    all_judged: 'completed',
    reopen: undefined,
    abort: 'aborted',
    fault: undefined,
  },
  completed: {
    tested: undefined,
    all_judged: undefined,
    reopen: 'awaiting_verdict',
    abort: undefined,
    fault: undefined,
  },
  aborted: { tested: undefined, all_judged: undefined, reopen: undefined, abort: undefined, fault: undefined },
  error: { tested: undefined, all_judged: undefined, reopen: undefined, abort: undefined, fault: undefined },
};

describe('a check', () => {
  for (const status of checkStatuses) {
    it.each(checkEvents)(`${status} on %s`, (event) => {
      expect(nextStatus(status, event)).toBe(table[status][event]);
    });
  }
});
