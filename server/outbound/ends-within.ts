/** Settles as the work does, or rejects after so long; the work is told by the signal to let go of what it holds. */
export async function endsWithin<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const given = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${limitMs / 1000} s`)), limitMs);
  try {
    return await Promise.race([work(given.signal), late]);
  } finally {
    clearTimeout(timer);
    given.abort();
  }
}
