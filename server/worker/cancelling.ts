/** Set to 1 to end work. On shared memory, as a busy thread reads no messages. */
export type CancelFlag = Int32Array<SharedArrayBuffer>;

/** Work that ended on request. */
class Cancelled extends Error {
  readonly code = 'cancelled';
}

/** A flag that the signal sets, to hand to a worker with its task. */
export function cancelFlag(signal: AbortSignal): CancelFlag {
  const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const set = (): void => void Atomics.store(flag, 0, 1);
  if (signal.aborted) set();
  else signal.addEventListener('abort', set, { once: true });
  return flag;
}

/** Throws Cancelled once the flag is set. */
export function throwIfCancelled(flag: CancelFlag | undefined): void {
  if (flag !== undefined && Atomics.load(flag, 0) === 1) throw new Cancelled('the work was cancelled');
}
