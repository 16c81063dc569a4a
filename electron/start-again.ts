import { app } from 'electron';

/** Path of the running AppImage, which its runtime provides. */
export function ownProgram(): string | undefined {
  return process.env['APPIMAGE'] || undefined;
}

/**
 * Restarts the program when it ends. A running AppImage is in a mount that ends with it, so the file itself is started.
 */
export function startAgain(program = ownProgram()): void {
  app.relaunch(program === undefined ? undefined : { execPath: program });
}
