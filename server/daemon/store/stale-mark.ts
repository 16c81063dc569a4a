import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createPrivate } from '../../db/private-file.ts';

/** What control.db lacks: nothing, the latest changes, or those and an emergency stop that holds. */
export type Stale = 'no' | 'behind' | 'stopped';

const letters = { no: '0', behind: '1', stopped: 'E' } as const satisfies Record<Stale, string>;
const values = ['no', 'behind', 'stopped'] as const satisfies Stale[];

/**
 * How far control.db may be trusted: one byte in a file beside it, overwritten in place, for which a full disk has
 * room.
 */
export class StaleMark {
  readonly #file: string;
  #wanted: Stale;
  #written: Stale;
  #writing: Promise<void> | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#written = readMark(file);
    this.#wanted = this.#written;
  }

  get value(): Stale {
    return this.#wanted;
  }

  /** Resolves when it is written. A disk that refuses even this (a read-only one, say) already has an alarm. */
  set(value: Stale): Promise<void> {
    this.#wanted = value;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#written !== this.#wanted) {
      const value = this.#wanted;
      try {
        const file = await open(this.#file, 'r+');
        try {
          await file.write(letters[value], 0);
          await file.datasync();
        } finally {
          await file.close();
        }
        this.#written = value;
      } catch {
        return;
      }
    }
  }
}

/** Creates the byte before it is needed: a full disk has no room for a new file. */
function readMark(file: string): Stale {
  try {
    createPrivate(file);
    const [letter] = readFileSync(file, 'latin1');
    if (letter === undefined) writeFileSync(file, letters.no);
    return values.find((value) => letters[value] === letter) ?? 'no';
  } catch {
    return 'no';
  }
}
