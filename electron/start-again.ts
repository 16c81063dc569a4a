import { app } from 'electron';

/** Path of the AppImage that runs; its runtime says it. */
export function ownProgram(): string | undefined {
  return process.env['APPIMAGE'] || undefined;
}

/** Has the program started once more when it ends. What runs of an AppImage lies in a mount that ends with it: the file itself is started. */
export function startAgain(program = ownProgram()): void {
  app.relaunch(program === undefined ? undefined : { execPath: program });
}
