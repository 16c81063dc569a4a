import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../contract/code-of.ts';

interface Rotation {
  /** The size at which a file is full. */
  mostBytes: number;
  /** Full files that are kept, as FILE.1 (the latest) and on. */
  kept: number;
}

/**
 * A file of lines that is rotated when full, private to its owner; the last full ones are kept. One write at a time.
 */
export class RotatingFile {
  readonly #file: string;
  readonly #rotation: Rotation;
  #open: { handle: FileHandle; bytes: number } | undefined;
  #isAtLineEnd = true;

  constructor(file: string, rotation: Rotation) {
    this.#file = file;
    this.#rotation = rotation;
  }

  /** Appends at least one byte and resolves with how many. Rejects with the system's error. */
  async write(bytes: Buffer): Promise<number> {
    if (this.#isAtLineEnd && (this.#open?.bytes ?? 0) >= this.#rotation.mostBytes) await this.#rotate();
    this.#open ??= await this.#begin();
    const { bytesWritten } = await this.#open.handle.write(bytes);
    this.#open.bytes += bytesWritten;
    this.#isAtLineEnd = bytes[bytesWritten - 1] === newLine;
    return bytesWritten;
  }

  /** Appends synchronously, whatever the size of the file: for the end of a process. */
  writeNow(bytes: Buffer): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, bytes, { mode: 0o600 });
  }

  async close(): Promise<void> {
    const handle = this.#open?.handle;
    this.#open = undefined;
    await handle?.close();
  }

  async #begin(): Promise<{ handle: FileHandle; bytes: number }> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const handle = await open(this.#file, 'a', 0o600);
    return { handle, bytes: (await handle.stat()).size };
  }

  async #rotate(): Promise<void> {
    await this.close();
    const names = rotatedFiles(this.#file, this.#rotation.kept);
    await rm(names.at(-1) ?? '', { force: true });
    for (let at = names.length - 1; at > 0; at -= 1) await moveIfThere(names[at - 1] ?? '', names[at] ?? '');
  }
}

const newLine = 10;

/** A file and the full ones before it, latest first; they need not exist. */
export function rotatedFiles(file: string, kept: number): string[] {
  return [file, ...Array.from({ length: kept }, (_, at) => `${file}.${at + 1}`)];
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
