import { appendFile, mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { baseMapEndpoints, BaseMap } from '../../contract/base-map.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { endingOf, faultOf, stemOf, type BaseMapService } from './base-map.ts';

interface UploadOptions {
  folder: string;
  baseMaps: Pick<BaseMapService, 'describe' | 'fileOf' | 'pathOf'>;
  audit: AuditSink;
  /** Epoch ms. */
  now: () => number;
}

interface Received {
  received_bytes: number;
  base_map: BaseMap | null;
}

/** The rest of the program needs room too. */
const reserveBytes = 256 * 1024 * 1024;
/** What nobody went on with is removed after this. */
const abandonedMs = 24 * 60 * 60_000;
/** With which the files begin: what is none is refused before gigabytes of it are sent. */
const beginnings: Readonly<Record<string, string>> = { '.mbtiles': 'SQLite format 3\0', '.pmtiles': 'PMTiles' };

/** Map files that come by parts, so that one of gigabytes can be paused, and goes on where it broke off. */
export class BaseMapUpload {
  readonly #options: UploadOptions;
  /** Names without their endings: with either of them it would be the same map. */
  readonly #busy = new Set<string>();

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  /**
   * Takes the next part; the last one makes it a map. Refuses with already_exists, unreadable_file, storage_failed, and with conflict,
   * which says how much is there, where it is not the next one.
   */
  async receive(asked: QueryOf<typeof baseMapEndpoints.upload>, bytes: Uint8Array, actor: Actor): Promise<Received> {
    const stem = stemOf(asked.name);
    if (this.#busy.has(stem)) throw new Refusal('conflict', 'a part of that file is being stored');
    this.#busy.add(stem);
    try {
      return await this.#receive(asked, bytes, actor);
    } finally {
      this.#busy.delete(stem);
    }
  }

  async #receive(
    { name, offset, total_bytes }: QueryOf<typeof baseMapEndpoints.upload>,
    bytes: Uint8Array,
    actor: Actor,
  ): Promise<Received> {
    const path = join(this.#uploads, name);
    if (offset === 0) await this.#begin(name, bytes, total_bytes);
    const stored = await sizeOf(path);
    if (offset !== stored) {
      throw new Refusal('conflict', `${stored} bytes are there`, { members: { received_bytes: stored } });
    }
    const received_bytes = stored + bytes.length;
    if (bytes.length === 0 || received_bytes > total_bytes) {
      throw refuseField('invalid_field', 'file', 'must be a part of the bytes that are left');
    }
    await this.#refuseWithoutRoom(bytes.length);
    await appendFile(path, bytes).catch((cause: unknown) => {
      throw new Refusal('storage_failed', 'the part could not be stored', { cause });
    });
    if (received_bytes < total_bytes) return { received_bytes, base_map: null };
    return { received_bytes, base_map: await this.#finish(name, actor) };
  }

  async #begin(name: string, bytes: Uint8Array, total_bytes: number): Promise<void> {
    const beginning = beginnings[endingOf(name) ?? ''] ?? '';
    if (Buffer.from(bytes.subarray(0, beginning.length)).toString('latin1') !== beginning) {
      throw unreadable('no_database', 'it does not begin as such a file does');
    }
    this.#refuseTaken(name);
    await mkdir(this.#uploads, { recursive: true });
    await this.#removeAbandoned();
    await rm(join(this.#uploads, name), { force: true });
    await this.#refuseWithoutRoom(total_bytes);
  }

  /** One of the other ending would have the same id. */
  #refuseTaken(name: string): void {
    const taken = this.#options.baseMaps.fileOf(stemOf(name));
    if (taken !== undefined) throw new Refusal('already_exists', `there is a map file ${taken}: delete it first`);
  }

  async #refuseWithoutRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#uploads);
    if (bavail * bsize < bytes + reserveBytes) throw new Refusal('storage_failed', 'the disk has no room for it');
  }

  async #finish(name: string, actor: Actor): Promise<BaseMap> {
    const { baseMaps, audit } = this.#options;
    const path = join(this.#uploads, name);
    const fault = await faultOf(path);
    if (fault !== null) {
      await rm(path, { force: true });
      throw unreadable(fault, 'it is no map that can be drawn');
    }
    this.#refuseTaken(name); // put there meanwhile
    await rename(path, baseMaps.pathOf(name));
    const made = await baseMaps.describe(name);
    if (made === undefined) throw new Refusal('not_found', 'the map file was taken away');
    audit.record({ kind: 'base_map.upload', actor, target: name, after: made });
    return made;
  }

  async #removeAbandoned(): Promise<void> {
    for (const file of await readdir(this.#uploads)) {
      const path = join(this.#uploads, file);
      const modifiedMs = await modifiedMsOf(path);
      if (this.#options.now() - modifiedMs > abandonedMs && !this.#busy.has(stemOf(file)))
        await rm(path, { force: true });
    }
  }

  get #uploads(): string {
    return join(this.#options.folder, 'uploads');
  }
}

/** `fault` is the word that the list has for it. */
function unreadable(fault: string, detail: string): Refusal {
  return new Refusal('unreadable_file', detail, { members: { fault } });
}

/** Of one that another upload has finished or removed just now: never. */
async function modifiedMsOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Infinity;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(({ size }) => size, () => 0); // prettier-ignore
}
