import { workerEntry } from '../../worker-entry.ts';
import { WorkerClient } from '../../worker/client.ts';
import type { DesignService } from './design.ts';
import type { ShapeFileFormat, ShapeFileTasks } from './shape-file-tasks.ts';

interface ShapeFileParts {
  designs: Pick<DesignService, 'get' | 'revision'>;
}

interface Download {
  map_uuid: string;
  crs: string | undefined;
  revision: number | undefined;
}

/** The largest file takes some ten seconds on a small machine; one that takes longer hangs. */
const timeoutMs = 120_000;

/** Reads shapes from files, and writes maps as files, in its own thread. */
export class ShapeFileService {
  readonly #designs: ShapeFileParts['designs'];
  readonly #worker = new WorkerClient<null, ShapeFileTasks>({
    entry: workerEntry('shape-file-worker', import.meta.url),
    data: null,
    timeoutMs,
  });

  constructor({ designs }: ShapeFileParts) {
    this.#designs = designs;
  }

  /** JSON of a file's contents. Throws `unreadable_file`, `unknown_crs`, `payload_too_large`. */
  read(file: string | Uint8Array, crs: string | undefined): Promise<Buffer> {
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : new Uint8Array(file);
    return this.#worker.run('readShapeFile', { bytes, crs });
  }

  /** A map as a file, named after the map. Throws `not_found`, `unknown_crs`. */
  async write(format: ShapeFileFormat, { map_uuid, crs = 'EPSG:4326', revision }: Download): Promise<Buffer> {
    const json = await (revision === undefined
      ? this.#designs.get(map_uuid)
      : this.#designs.revision(map_uuid, revision));
    const design = typeof json === 'string' ? new TextEncoder().encode(json) : new Uint8Array(json);
    return Buffer.from(await this.#worker.run('writeShapeFile', { design, format, crs }));
  }

  close(): Promise<void> {
    return this.#worker.end();
  }
}
