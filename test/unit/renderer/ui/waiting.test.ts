import { expect, it } from 'vitest';
import { readProblem } from '../../../../renderer/client/api-error.ts';
import { clockText } from '../../../../renderer/ui/waiting.ts';

it.each([
  [0, '0:00'],
  [9, '0:09'],
  [545, '9:05'],
  [3600, '60:00'],
])('writes %d s as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});

it('hears from the server how long to wait', async () => {
  const body = { type: 'about:blank', title: 'x', status: 429, code: 'locked_out', detail: 'd', request_id: 'r' };
  const answered = (headers: HeadersInit): Response => new Response(JSON.stringify(body), { status: 429, headers });
  expect((await readProblem(answered({ 'Retry-After': '545' }))).retryAfter_s).toBe(545);
  expect((await readProblem(answered({}))).retryAfter_s).toBeUndefined();
});
