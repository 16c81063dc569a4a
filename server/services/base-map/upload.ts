import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { baseMapEndpoints, BaseMap } from '../../contract/base-map.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import { FileParts } from '../record/file-parts.ts';
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

/** The first bytes of each format: anything else is refused before gigabytes are sent. */
const beginnings: Readonly<Record<string, string>> = { '.mbtiles': 'SQLite format 3\0', '.pmtiles': 'PMTiles' };

/** Map files that arrive in parts. */
export class BaseMapUpload {
  readonly #options: UploadOptions;
  readonly #parts: FileParts;

  constructor(options: UploadOptions) {
    this.#options = options;
    // Keyed without the ending: with either one it would be the same map.
    this.#parts = new FileParts({ folder: () => join(options.folder, 'uploads'), now: options.now, keyOf: stemOf });
  }

  /**
   * Takes the next part; the last one completes the map. Refuses with already_exists, unreadable_file, storage_failed,
   * and with conflict, which states how much has arrived, when it is not the next one.
   */
  async receive(asked: QueryOf<typeof baseMapEndpoints.upload>, bytes: Uint8Array, actor: Actor): Promise<Received> {
    const { name, offset, total_bytes } = asked;
    return this.#parts.alone(name, async () => {
      if (offset === 0) this.#refuseOther(name, bytes);
      const received_bytes = await this.#parts.store(asked, bytes);
      return { received_bytes, base_map: received_bytes < total_bytes ? null : await this.#finish(name, actor) };
    });
  }

  #refuseOther(name: string, bytes: Uint8Array): void {
    const beginning = beginnings[endingOf(name) ?? ''] ?? '';
    if (Buffer.from(bytes.subarray(0, beginning.length)).toString('latin1') !== beginning) {
      throw unreadable('no_database', 'it does not begin as such a file does');
    }
    this.#refuseTaken(name);
  }

  /** A file with the other ending would have the same id. */
  #refuseTaken(name: string): void {
    const taken = this.#options.baseMaps.fileOf(stemOf(name));
    if (taken !== undefined) throw new Refusal('already_exists', `there is a map file ${taken}: delete it first`);
  }

  async #finish(name: string, actor: Actor): Promise<BaseMap> {
    const { baseMaps, audit } = this.#options;
    const path = this.#parts.pathOf(name);
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
}

/** `fault` is the word for it in the list of maps. */
function unreadable(fault: string, detail: string): Refusal {
  return new Refusal('unreadable_file', detail, { members: { fault } });
}
