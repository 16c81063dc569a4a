import type { ShellApi } from '../../electron/ipc/contract.ts';

declare global {
  interface Window {
    /** Set by the preload script of the desktop shell. */
    orangery?: ShellApi;
  }
}

/** The desktop shell's functions for the page; undefined in a plain browser. */
export function desktopShell(): ShellApi | undefined {
  return window.orangery;
}
