import { expect, it } from 'vitest';
import type { CheckOverview } from '../../../../../server/contract/commissioning.ts';
import { commissioningDue } from '../../../../../renderer/features/house/commissioning-due.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');

const check = (changes: Partial<CheckOverview>, total = 5, held = 0): CheckOverview => ({
  check_id: 'c',
  facility_uuid: 'f',
  facility_name: 'House 1',
  phase: 'ended',
  reason: null,
  started_by: 'kim',
  status: 'completed',
  started_at: '2026-05-01T06:00:00Z',
  ended_at: '2026-05-01T07:00:00Z',
  progress: { done: total, total },
  summary: { results: {}, approved: total - held, held, unjudged: 0 },
  ...changes,
});

it.each([
  ['has nothing bound', undefined, 0, null],
  ['was never checked', undefined, 5, 'never'],
  ['is being checked', check({ status: 'running', ended_at: null }), 5, null],
  ['has results that nobody judged', check({ status: 'awaiting_verdict' }), 5, 'unjudged'],
  ['was left half checked', check({ status: 'aborted' }), 5, 'unfinished'],
  ['was checked while something failed', check({ status: 'error' }), 5, 'unfinished'],
  ['has a device that was held', check({}, 5, 1), 5, 'held'],
  ['has all approved', check({}), 5, null],
  ['lost a device since', check({}), 4, null],
  ['got a device since', check({}), 6, 'changed'],
  ['was checked a year ago', check({ ended_at: '2025-06-01T12:00:00Z' }), 5, null],
  ['was checked over a year ago', check({ ended_at: '2025-05-31T12:00:00Z' }), 5, 'old'],
])('a house that %s', (_, latest, bound, due) => {
  expect(commissioningDue(latest, bound, nowMs)).toBe(due);
});
