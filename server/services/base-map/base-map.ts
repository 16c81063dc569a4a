import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { baseMapId, type BaseMap } from '../../contract/base-map.ts';
import { Refusal } from '../../contract/errors.ts';
import { MbTiles, MbTilesError, type MbTilesAbout } from '../../tiles/mbtiles.ts';
import { pictureTypeOf } from '../../tiles/picture.ts';

interface Tile {
  body: Buffer;
  type: string;
  etag: string;
}

interface Opened {
  /** Changes with the file. */
  version: string;
  tiles: MbTiles;
}

const ending = '.mbtiles';
const vectorFormats = ['pbf', 'mvt'];

/** Map files in a folder: put there, they are there; nothing is asked of any network. */
export class BaseMapService {
  readonly #folder: string;
  readonly #opened = new Map<string, Opened>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** By name. A file that cannot be drawn says why. */
  list(): BaseMap[] {
    return filesIn(this.#folder)
      .filter((file) => file.toLowerCase().endsWith(ending))
      .sort()
      .flatMap((file) => this.#describe(file) ?? []);
  }

  /** Refuses with not_found, also where the file is none that can be read. */
  tile(id: string, at: { z: number; x: number; y: number }): Tile {
    const opened = this.#openReadable(`${id}${ending}`);
    const body = opened?.tiles.tile(at);
    const type = body && pictureTypeOf(body);
    if (opened === undefined || body === undefined || type === undefined) {
      throw new Refusal('not_found', 'there is no such tile');
    }
    return { body, type, etag: `"${opened.version}-${at.z}-${at.x}-${at.y}"` };
  }

  close(): void {
    for (const { tiles } of this.#opened.values()) tiles.close();
    this.#opened.clear();
  }

  #describe(file: string): BaseMap | undefined {
    const stats = statsOf(join(this.#folder, file));
    if (stats === undefined) return undefined;
    const stem = file.slice(0, -ending.length);
    const isNamed = file.endsWith(ending) && baseMapId.safeParse(stem).success;
    const about = this.#aboutOf(file);
    return {
      ...{ file, bytes: Math.min(stats.size, 1_000_000_000), base_map_id: isNamed ? stem : null },
      ...{ name: stem, attribution: '', min_zoom: null, max_zoom: null },
      ...(typeof about === 'object' && shownOf(about, stem)),
      fault: typeof about === 'string' ? about : !isNamed ? 'name' : faultOf(about),
    };
  }

  #openReadable(file: string): Opened | undefined {
    return typeof this.#aboutOf(file) === 'string' ? undefined : this.#opened.get(file);
  }

  #aboutOf(file: string): MbTilesAbout | MbTilesError['code'] {
    try {
      return this.#open(file)?.tiles.about ?? 'no_database';
    } catch (error) {
      if (error instanceof MbTilesError) return error.code;
      throw error;
    }
  }

  /** A file that was replaced is opened anew; undefined where there is none. */
  #open(file: string): Opened | undefined {
    const stats = statsOf(join(this.#folder, file));
    const known = this.#opened.get(file);
    const version = stats && `${Math.round(stats.mtimeMs).toString(36)}${stats.size.toString(36)}`;
    if (known !== undefined && known.version === version) return known;
    known?.tiles.close();
    this.#opened.delete(file);
    if (version === undefined) return undefined;
    const opened = { version, tiles: new MbTiles(join(this.#folder, file)) };
    this.#opened.set(file, opened);
    return opened;
  }
}

function shownOf({ name, attribution, min_zoom, max_zoom }: MbTilesAbout, stem: string): Partial<BaseMap> {
  return { name: (name || stem).slice(0, 200), attribution: attribution.slice(0, 500), min_zoom, max_zoom };
}

function faultOf({ format }: MbTilesAbout): BaseMap['fault'] {
  return vectorFormats.includes(format) ? 'vector' : null;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody has put a map there
  }
}

function statsOf(path: string): Stats | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats : undefined;
}
