import { expect, it } from 'vitest';
import { readProblem } from '../../../../renderer/client/api-error.ts';

it('hears from the server how long to wait', async () => {
  const body = { type: 'about:blank', title: 'x', status: 429, code: 'locked_out', detail: 'd', request_id: 'r' };
  const answered = (headers: HeadersInit): Response => new Response(JSON.stringify(body), { status: 429, headers });
  expect((await readProblem(answered({ 'Retry-After': '545' }))).retryAfter_s).toBe(545);
  expect((await readProblem(answered({}))).retryAfter_s).toBeUndefined();
});
