import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { language } from '../server/contract/language.ts';
import { shellThemes } from './ipc/contract.ts';

/** Maximum windows. */
export const mostWindows = 20;

const pixels = z.int().min(-100_000).max(100_000);
const windowState = z.object({
  bounds: z.object({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) }),
  is_maximized: z.boolean(),
  is_full_screen: z.boolean(),
  path: z.string().max(2_000).catch('/').describe('Of the page, on the service'),
});
export type WindowState = z.infer<typeof windowState>;

const shellState = z.object({
  windows: z.array(windowState).max(mostWindows).catch([]),
  is_kiosk: z.boolean().catch(false),
  shows_alarms: z.boolean().catch(true).describe('As notifications of the system'),
  language: language.nullable().catch(null).describe('That of the page; null: that of the system'),
  theme: z.enum(shellThemes).catch('system').describe('That of the page'),
  was_told_of_tray: z.boolean().catch(false).describe('That closing the last window does not end control'),
  pins: z.record(z.string(), z.string()).catch({}).describe('Fingerprint of the authority a person took, by address'),
  crashes_ms: z.array(z.number()).max(100).catch([]).describe('When the application failed, epoch ms'),
});
export type ShellState = z.infer<typeof shellState>;

/** What the shell remembers between starts, in a file of its profile. A damaged file is started afresh. */
export class ShellMemory {
  readonly #file: string;
  #state: ShellState;

  constructor(file: string) {
    this.#file = file;
    this.#state = shellState.parse(readObject(file));
  }

  get state(): Readonly<ShellState> {
    return this.#state;
  }

  /** Keeps it only in memory when the disk refuses: that must not end the application. */
  change(patch: Partial<ShellState>): void {
    this.#state = { ...this.#state, ...patch };
    try {
      const next = `${this.#file}.next`;
      writeFileSync(next, JSON.stringify(this.#state), { mode: 0o600 });
      renameSync(next, this.#file);
    } catch {
      // The next change tries again.
    }
  }
}

function readObject(file: string): object {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : {};
  } catch {
    return {};
  }
}
