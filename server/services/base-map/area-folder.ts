import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { constants, copyFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Refusal } from '../../contract/errors.ts';
import { areaDownload, type AreaDownload } from '../../contract/map-area.ts';
import { hasRoom } from '../../db/room.ts';
import { AreaFile, type AreaFileAbout } from '../../tiles/area-file.ts';
import type { AreaInWork } from './area-run.ts';
import type { BaseMapService } from './base-map.ts';

interface FolderOptions {
  /** Folder of the finished map files; areas in progress are in a folder inside it. */
  folder: string;
  maps: Pick<BaseMapService, 'release'>;
}

/** An incomplete copy does not count as an area. */
const copyEnding = '.copy';

/** The files of areas: in progress, and moved among the maps when complete. */
export class AreaFolder {
  readonly #options: FolderOptions;

  constructor(options: FolderOptions) {
    this.#options = options;
  }

  /** Opens what an earlier run left; moves complete areas among the maps. */
  open(): AreaInWork[] {
    const names = filesIn(this.#folder);
    for (const name of names.filter((one) => one.endsWith(copyEnding))) removeFile(join(this.#folder, name));
    return names.filter((name) => extname(name) === '.mbtiles').flatMap((name) => this.#opened(name) ?? []);
  }

  /** Throws `storage_failed` if the disk lacks room for `bytes`. */
  async requireRoom(bytes: number): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    if (!(await hasRoom(this.#folder, bytes))) throw new Refusal('storage_failed', 'the disk has no room for it');
  }

  /** Makes a new file for an area. */
  make(state: AreaDownload, about: AreaFileAbout): AreaInWork {
    const file = new AreaFile(this.#pathOf(state.base_map_id), about);
    file.keepState(JSON.stringify(state));
    return { file, state };
  }

  /** Copies a complete map to be extended; the map stays in use meanwhile. Throws `storage_failed`. */
  async copy(state: AreaDownload): Promise<AreaInWork> {
    const path = this.#pathOf(state.base_map_id);
    const copied = path + copyEnding;
    try {
      await copyFile(this.#mapOf(state.base_map_id), copied, constants.COPYFILE_FICLONE);
      const begun = new AreaFile(copied);
      begun.keepState(JSON.stringify(state));
      begun.close();
      renameSync(copied, path);
      return { file: new AreaFile(path), state };
    } catch (cause) {
      removeFile(copied);
      throw new Refusal('storage_failed', 'the map file could not be copied', { cause });
    }
  }

  /** Turns it into a map, replacing one of the same name. */
  async finish({ file, state: { base_map_id, missing } }: AreaInWork): Promise<void> {
    file.finish(missing);
    file.close();
    const path = this.#pathOf(base_map_id);
    await this.#options.maps.release(basename(path)); // Windows replaces no file that is open
    this.#moveAmongMaps(path);
  }

  /** Throws `storage_failed`. */
  remove(id: string): void {
    removeFile(this.#pathOf(id));
  }

  /** undefined for a file that is not an area, and for a complete one that only awaits its last step. */
  #opened(name: string): AreaInWork | undefined {
    const path = join(this.#folder, name);
    let file: AreaFile | undefined;
    try {
      file = new AreaFile(path);
      if (file.isFinished) {
        file.seal();
        file.close();
        this.#moveAmongMaps(path);
        return undefined;
      }
      const state = areaDownload.parse(JSON.parse(file.state ?? ''));
      if (`${state.base_map_id}.mbtiles` !== name) throw new Error('it was renamed');
      return { file, state };
    } catch {
      file?.close();
      return undefined; // the disk lost it: it is asked for anew
    }
  }

  #moveAmongMaps(path: string): void {
    renameSync(path, join(this.#options.folder, basename(path)));
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.mbtiles`);
  }

  #mapOf(id: string): string {
    return join(this.#options.folder, `${id}.mbtiles`);
  }

  get #folder(): string {
    return join(this.#options.folder, 'downloads');
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody has begun one
  }
}

function removeFile(path: string): void {
  try {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  } catch (cause) {
    throw new Refusal('storage_failed', 'the file could not be deleted', { cause });
  }
}
