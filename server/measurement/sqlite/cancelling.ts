import { Refusal } from '../../contract/errors.ts';

/** Shared between the thread that asks and the one that works: not 0 when nobody waits for the result any more. */
export type CancelFlag = Int32Array<SharedArrayBuffer>;

/** Makes the flag that an aborted signal sets: it reaches a thread that reads no messages because it is busy. */
export function flagOf(signal: AbortSignal): CancelFlag {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const set = (): void => void Atomics.store(flag, 0, 1);
  if (signal.aborted) set();
  else signal.addEventListener('abort', set, { once: true });
  return flag;
}

/** Called between two chunks of work. Throws `not_available`, which nobody hears. */
export function stopWhenCancelled(flag: CancelFlag): void {
  if (Atomics.load(flag, 0) !== 0) throw new Refusal('not_available', 'nobody waits for the answer any more');
}
