import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../contract/code-of.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { hasRoom } from '../../db/room.ts';

interface PartsOptions {
  /** Folder of the growing files; made when missing. */
  folder: () => string;
  /** Epoch ms. */
  now: () => number;
  /** A key that two names may not share while a part of one is stored; by default the name. */
  keyOf?: (name: string) => string;
}

interface Part {
  name: string;
  /** Bytes sent before; 0 starts anew. */
  offset: number;
  total_bytes: number;
}

/** An upload that was not continued for this long is removed. */
const abandonedMs = 24 * 60 * 60_000;

/** Files that arrive in parts, so that one of gigabytes can be paused, and continues where it broke off. */
export class FileParts {
  readonly #options: Required<PartsOptions>;
  readonly #busy = new Set<string>();

  constructor(options: PartsOptions) {
    this.#options = { keyOf: (name) => name, ...options };
  }

  pathOf(name: string): string {
    return join(this.#options.folder(), name);
  }

  /** Works with a file while no part of it is taken. Throws `conflict`. */
  async alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const key = this.#options.keyOf(name);
    if (this.#busy.has(key)) throw new Refusal('conflict', why('part_under_way'));
    this.#busy.add(key);
    try {
      return await work();
    } finally {
      this.#busy.delete(key);
    }
  }

  /**
   * Stores a part; call within `alone`. Returns how many bytes have arrived. Throws `storage_failed`, `invalid_field`,
   * and `conflict`, which states how many have arrived, when it is not the next one.
   */
  async store({ name, offset, total_bytes }: Part, bytes: Uint8Array): Promise<number> {
    if (offset === 0) await this.#begin(name, total_bytes);
    const path = this.pathOf(name);
    const stored = await sizeOf(path);
    if (offset !== stored) {
      throw new Refusal('conflict', why('part_out_of_step', { bytes: stored }), {
        members: { received_bytes: stored },
      });
    }
    const received_bytes = stored + bytes.length;
    if (bytes.length === 0 || received_bytes > total_bytes) {
      throw refusePlainly('invalid_field', 'file', 'must be a part of the bytes that are left');
    }
    await this.#refuseWithoutRoom(bytes.length);
    await appendFile(path, bytes, { mode: 0o600 }).catch((cause: unknown) => {
      throw new Refusal('storage_failed', 'the part could not be stored', { cause });
    });
    return received_bytes;
  }

  /** Removes files that were not continued for a day, whoever left them in the folder. */
  async removeAbandoned(): Promise<void> {
    const { folder, now, keyOf } = this.#options;
    for (const name of await namesIn(folder())) {
      const modifiedMs = await modifiedMsOf(this.pathOf(name));
      if (now() - modifiedMs > abandonedMs && !this.#busy.has(keyOf(name)))
        await rm(this.pathOf(name), { force: true });
    }
  }

  async #begin(name: string, total_bytes: number): Promise<void> {
    await mkdir(this.#options.folder(), { recursive: true });
    await this.removeAbandoned();
    await rm(this.pathOf(name), { force: true });
    await this.#refuseWithoutRoom(total_bytes);
  }

  async #refuseWithoutRoom(bytes: number): Promise<void> {
    if (!(await hasRoom(this.#options.folder(), bytes))) {
      throw new Refusal('storage_failed', 'the disk has no room for it');
    }
  }
}

/** Empty for a folder that does not exist yet, or is on a disk that is not connected. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Infinity for a file that another upload has just finished or removed. */
async function modifiedMsOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return Infinity;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(({ size }) => size, () => 0); // prettier-ignore
}
