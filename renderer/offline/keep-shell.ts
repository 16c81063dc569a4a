import { desktopShell } from '../client/shell.ts';

/**
 * Has the browser keep the pages for when the server is away; false where it does not: one without service workers, one that
 * does not trust the certificate of this service, and the window of the application, which has its server with it.
 */
export async function keepShell(): Promise<boolean> {
  if (!('serviceWorker' in navigator) || desktopShell() !== undefined) return false;
  try {
    await navigator.serviceWorker.register('/service-worker.js');
    return true;
  } catch {
    return false;
  }
}
