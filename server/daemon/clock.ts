export interface Timer {
  cancel(): void;
}

/** The daemon's time. `now` is for storing; every wait counts `elapsed`, which setting the clock does not change. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Monotonic ms from an arbitrary start. */
  elapsed(): number;
  /** Runs once after the delay, ms; delays beyond 24 days run early, so a caller with a longer one must check again. */
  after(delayMs: number, run: () => void): Timer;
}

const longestTimeoutMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(Math.max(0, Math.ceil(delayMs)), longestTimeoutMs));
    return { cancel: () => clearTimeout(timer) };
  },
};

export interface Deadline<T> {
  clock: Clock;
  timeoutMs: number;
  /** Supplies the value when the time is over. */
  late: () => T;
}

/** Waits for a promise, at most for the given time; the promise goes on. */
export async function within<T>(promise: Promise<T>, { clock, timeoutMs, late }: Deadline<T>): Promise<T> {
  let timer: Timer | undefined;
  const over = new Promise<T>((resolve, reject) => {
    timer = clock.after(timeoutMs, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    timer?.cancel();
  }
}
