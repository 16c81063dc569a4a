const longestWaitMs = 2_000;

/** Runs once the browser is idle; Safari cannot tell, so it gets a delay. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: longestWaitMs });
  else setTimeout(run, 200);
}
