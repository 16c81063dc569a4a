import { expect, it } from 'vitest';
import { ApiError } from '../../../../../renderer/client/api-error.ts';
import { holdersOf } from '../../../../../renderer/features/users/role-holders.ts';
import type { Problem } from '../../../../../server/contract/errors.ts';

const problem: Problem = {
  type: 'about:blank',
  title: 'In use',
  status: 409,
  code: 'in_use',
  detail: 'the role of ann',
  request_id: 'r',
  users: [{ kind: 'user', unique_id: 'u', name: 'ann' }],
};

it('reads from the refusal who has a role', () => {
  expect(holdersOf(new ApiError('in_use', 'the role of ann', { status: 409, problem }))).toEqual(['ann']);
});

it('knows nobody from any other failure', () => {
  expect(holdersOf(new ApiError('conflict', 'delivered', { status: 409, problem }))).toEqual([]);
  expect(holdersOf(new Error('x'))).toEqual([]);
});
