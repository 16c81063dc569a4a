import type { ShellApi } from '../../electron/ipc/contract.ts';

declare global {
  interface Window {
    /** Put there by the desktop shell's preload. */
    orangery?: ShellApi;
  }
}

/** What the desktop shell can do for the page; undefined in a plain browser. */
export function desktopShell(): ShellApi | undefined {
  return window.orangery;
}
