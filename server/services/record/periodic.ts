interface Periodic {
  everyMs: number;
  /** After a failure, e.g. because another program held the database; a minute when absent. */
  retryMs?: number;
  onFault: (error: unknown) => void;
}

/** Does a background work now and from then on, the next time counted from the end of the last; returns a function that ends it. */
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
