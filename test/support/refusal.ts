import { isRefusal, type Refusal } from '../../server/contract/errors.ts';

/** The refusal of a call, synchronous or not; fails if it ends otherwise. */
export async function refusalOf(call: Promise<unknown> | (() => unknown)): Promise<Refusal> {
  const run = async (): Promise<unknown> => (typeof call === 'function' ? call() : call);
  const outcome: unknown = await run().catch((error: unknown) => error);
  if (isRefusal(outcome)) return outcome;
  throw new Error(`expected a refusal, not ${JSON.stringify(outcome)}`, { cause: outcome });
}
