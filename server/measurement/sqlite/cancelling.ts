import { Refusal } from '../../contract/errors.ts';

/** Shared between the calling and the working thread: not 0 once the result is no longer wanted. */
export type CancelFlag = Int32Array<SharedArrayBuffer>;

/** Makes a flag that an aborted signal sets: it reaches a thread that is too busy to read messages. */
export function flagOf(signal: AbortSignal): CancelFlag {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const set = (): void => void Atomics.store(flag, 0, 1);
  if (signal.aborted) set();
  else signal.addEventListener('abort', set, { once: true });
  return flag;
}

/** Called between two chunks of work. Throws `not_available`, which no one receives. */
export function stopWhenCancelled(flag: CancelFlag): void {
  if (Atomics.load(flag, 0) !== 0) throw new Refusal('not_available', 'the call was cancelled');
}
