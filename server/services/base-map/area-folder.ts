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
  /** Where the finished map files lie; areas in work lie in a folder in it. */
  folder: string;
  maps: Pick<BaseMapService, 'release'>;
}

/** A copy is no area before it is whole. */
const copyEnding = '.copy';

/** The files of areas: in work, and moved among the maps when they are whole. */
export class AreaFolder {
  readonly #options: FolderOptions;

  constructor(options: FolderOptions) {
    this.#options = options;
  }

  /** What an earlier run left; what is whole is moved among the maps. */
  open(): AreaInWork[] {
    const names = filesIn(this.#folder);
    for (const name of names.filter((one) => one.endsWith(copyEnding))) removeFile(join(this.#folder, name));
    return names.filter((name) => extname(name) === '.mbtiles').flatMap((name) => this.#opened(name) ?? []);
  }

  /** Throws `storage_failed` where the disk has no room for so many bytes. */
  async requireRoom(bytes: number): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    if (!(await hasRoom(this.#folder, bytes))) throw new Refusal('storage_failed', 'the disk has no room for it');
  }

  /** A new file for an area. */
  make(state: AreaDownload, about: AreaFileAbout): AreaInWork {
    const file = new AreaFile(this.#pathOf(state.base_map_id), about);
    file.keepState(JSON.stringify(state));
    return { file, state };
  }

  /** A copy of a whole map, to be filled further: the map serves meanwhile. Throws `storage_failed`. */
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

  /** Makes it a map; one of that name is replaced. */
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

  /** Undefined for what is no area, and for a whole one whose last step is still to be done. */
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
