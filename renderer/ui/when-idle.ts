const longestWaitMs = 2_000;

/** Runs once the browser has nothing better to do; Safari, which does not tell, is given a moment. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: longestWaitMs });
  else setTimeout(run, 200);
}
