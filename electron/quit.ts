import { app } from 'electron';
import type { Service } from '../server/service.ts';

/** A stop that takes longer ends the application where it stands. */
const stopMs = 5_000;

/**
 * Lets the application end when its outputs are safe and its databases closed, not before, however often it is asked and
 * even while it starts. The signal that it gives is aborted at the first time of asking.
 */
export function stopBeforeQuit(starting: Promise<Service>): AbortSignal {
  const asked = new AbortController();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    const service = await starting;
    await service.stop();
    isStopped = true;
    app.quit();
  };
  app.on('before-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    if (asked.signal.aborted) return;
    asked.abort();
    setTimeout(() => app.exit(1), stopMs).unref();
    stop().catch(() => app.exit(1));
  });
  app.on('window-all-closed', () => app.quit());
  return asked.signal;
}
