import type { CheckPhase, CheckStatus } from '../../contract/commissioning.ts';

export const checkEvents = ['tested', 'all_judged', 'retest', 'given_up', 'reopen', 'abort', 'fault'] as const;
export type CheckEvent = (typeof checkEvents)[number];

/** Where an event takes a check; a missing one is refused. */
const checkTransitions: Readonly<Record<CheckStatus, Partial<Record<CheckEvent, CheckStatus>>>> = {
  running: { tested: 'awaiting_verdict', given_up: 'awaiting_verdict', abort: 'aborted', fault: 'error' },
  awaiting_verdict: { all_judged: 'completed', retest: 'running', abort: 'aborted' },
  completed: { reopen: 'awaiting_verdict' },
  aborted: {},
  error: {},
};

export function nextStatus(status: CheckStatus, event: CheckEvent): CheckStatus | undefined {
  return checkTransitions[status][event];
}

/** The phase in which a check enters a status. */
export const phaseOf: Readonly<Record<CheckStatus, CheckPhase>> = {
  running: 'sensors',
  awaiting_verdict: 'judging',
  completed: 'ended',
  aborted: 'ended',
  error: 'ended',
};
