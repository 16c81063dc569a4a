interface Periodic {
  everyMs: number;
  /** Pause after a failure, e.g. because another program held the database; default a minute. */
  retryMs?: number;
  onFault: (error: unknown) => void;
}

/**
 * Runs a background task now and repeatedly, each interval counted from the end of the last run; returns a function
 * that ends it.
 */
export function periodically(
  work: () => Promise<unknown>,
  { everyMs, retryMs = 60_000, onFault }: Periodic,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const again = (afterMs: number): void => {
    if (!isEnded) timer = setTimeout(run, afterMs).unref();
  };
  const run = (): void => {
    work().then(
      () => again(everyMs),
      (error: unknown) => {
        onFault(error);
        again(retryMs);
      },
    );
  };
  run();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
