import pino from 'pino';
import { expect, it } from 'vitest';
import type { ApiContext } from '../../../server/api/context.ts';
import { problems } from '../../../server/api/middleware/problems.ts';
import { Refusal } from '../../../server/contract/errors.ts';
import { OutboundError, UpstreamError } from '../../../server/outbound/outbound-error.ts';
import { refusalOf } from '../../../server/services/proxy/refusal.ts';

/** How many lines a request logs that ends with the error. */
async function logged(error: unknown): Promise<number> {
  const lines: string[] = [];
  const answer = { state: { requestId: 'r' }, req: {}, set: () => undefined, remove: () => undefined };
  const fail = async () => {
    throw error;
  };
  await problems(pino({}, { write: (line) => void lines.push(line) }))(answer as unknown as ApiContext, fail);
  return lines.length;
}

it('leaves to the gate what the gate logs of an outside service, and logs what it cannot know', async () => {
  expect(await logged(refusalOf(new UpstreamError('failed', 'it answered 500')))).toBe(0);
  expect(await logged(refusalOf(new OutboundError('timed_out', 'no answer in time')))).toBe(0);
  expect(await logged(new Refusal('provider_answer_invalid', 'it answered no parcels'))).toBe(1);
  expect(await logged(new TypeError('a fault of our own'))).toBe(1);
  expect(await logged(new Refusal('not_found', 'no such thing'))).toBe(0);
});
