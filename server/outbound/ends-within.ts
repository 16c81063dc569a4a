import { OutboundError } from './outbound-error.ts';

/** Settles as the work does, or rejects after the limit; the signal then makes the work release what it holds. */
export async function endsWithin<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const given = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new OutboundError('timed_out', `it took longer than ${limitMs / 1000} s`)),
    limitMs,
  );
  try {
    return await Promise.race([work(given.signal), late]);
  } finally {
    clearTimeout(timer);
    given.abort();
  }
}
