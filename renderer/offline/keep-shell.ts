import { desktopShell } from '../client/shell.ts';

/**
 * Lets the browser cache the pages for when the server is away; returns false when it does not: without service
 * workers, without trust in the service's certificate, and in the desktop application, which includes its server.
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
