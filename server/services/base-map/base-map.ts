import { readdirSync, statSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import { baseMapId, type BaseMap } from '../../contract/base-map.ts';
import { Refusal } from '../../contract/errors.ts';
import {
  MapFileError,
  type MapFile,
  type MapFileAbout,
  type MapFileFault,
  type TilePlace,
} from '../../tiles/map-file.ts';
import { MbTiles } from '../../tiles/mbtiles.ts';
import { pictureTypeOf } from '../../tiles/picture.ts';
import { PmTiles } from '../../tiles/pmtiles.ts';
import { RecentPictures } from '../../tiles/recent-pictures.ts';

interface Tile {
  body: Buffer;
  type: string;
  etag: string;
}

interface Opened {
  /** Changes with the file. */
  version: string;
  /** Rejects with `MapFileError`. */
  map: Promise<MapFile>;
}

interface BaseMapOptions {
  folder: string;
  audit: AuditSink;
}

const openers: Readonly<Record<string, (path: string) => Promise<MapFile>>> = {
  '.mbtiles': async (path) => new MbTiles(path),
  '.pmtiles': (path) => PmTiles.open(path),
};
const mapFileEndings: readonly string[] = Object.keys(openers);
const vectorType = 'application/vnd.mapbox-vector-tile';

/** The tiles in view take a few MB; vector tiles are kept here unpacked. */
const mostRecentBytes = 32 * 1024 * 1024;

/** Map files in a folder: copying one there installs it; no network is used. */
export class BaseMapService {
  readonly #options: BaseMapOptions;
  readonly #opened = new Map<string, Opened>();
  readonly #recent = new RecentPictures(mostRecentBytes);

  constructor(options: BaseMapOptions) {
    this.#options = options;
  }

  /** Sorted by name. A file that cannot be drawn states why. */
  async list(): Promise<BaseMap[]> {
    const files = filesIn(this.#options.folder)
      .filter((file) => endingOf(file) !== undefined)
      .sort();
    return (await Promise.all(files.map((file) => this.describe(file)))).filter((one) => one !== undefined);
  }

  /** undefined when there is no such file. */
  async describe(file: string): Promise<BaseMap | undefined> {
    const stats = statsOf(this.pathOf(file));
    if (stats === undefined) return undefined;
    const stem = stemOf(file);
    const nameFault = this.#nameFaultOf(file);
    const about = await this.#aboutOf(file);
    return {
      file,
      bytes: stats.size,
      base_map_id: nameFault === null ? stem : null,
      name: stem,
      attribution: '',
      kind: 'raster',
      min_zoom: null,
      max_zoom: null,
      layers: [],
      missing_tiles: null,
      area: null,
      ...(typeof about === 'object' && shownOf(about, stem)),
      fault: typeof about === 'string' ? about : nameFault,
    };
  }

  /** A picture. Refuses with not_found, also for an unreadable file. */
  async tile(id: string, at: TilePlace): Promise<Tile> {
    const { body, version } = await this.#read(id, 'raster', at);
    const type = body && pictureTypeOf(body);
    if (body === undefined || type === undefined) throw noTile();
    return { body, type, etag: etagOf(version, at) };
  }

  /** A vector tile (Mapbox Vector Tile 2), empty when the file has none. Refuses like `tile`. */
  async vectorTile(id: string, at: TilePlace): Promise<Tile> {
    const { body = Buffer.alloc(0), version } = await this.#read(id, 'vector', at);
    return { body, type: vectorType, etag: etagOf(version, at) };
  }

  /** Refuses with not_found, storage_failed. */
  async remove(id: string, actor: Actor): Promise<{ base_map_id: string; deleted: true }> {
    const file = this.fileOf(id);
    if (file === undefined) throw new Refusal('not_found', 'there is no such map file');
    await this.#forget(file); // Windows deletes no file that is open
    await rm(this.pathOf(file)).catch((cause: unknown) => {
      throw new Refusal('storage_failed', 'the map file could not be deleted', { cause });
    });
    this.#options.audit.record({ kind: 'base_map.delete', actor, target: file });
    return { base_map_id: id, deleted: true };
  }

  /** Closes a file that is about to be replaced; the next request opens it again. */
  async release(file: string): Promise<void> {
    await this.#forget(file);
  }

  pathOf(file: string): string {
    return join(this.#options.folder, file);
  }

  /** The file with this id, the name without its ending; the first if several share it. */
  fileOf(id: string): string | undefined {
    return mapFileEndings.map((ending) => `${id}${ending}`).find((file) => statsOf(this.pathOf(file)) !== undefined);
  }

  close(): void {
    for (const file of [...this.#opened.keys()]) void this.#forget(file);
  }

  async #read(id: string, kind: MapFileAbout['kind'], at: TilePlace): Promise<{ body?: Buffer; version: string }> {
    const [file, opened] = this.#openedOf(id);
    try {
      const map = await opened.map;
      if (map.about.kind !== kind) throw noTile();
      const known = `${file} ${etagOf(opened.version, at)}`;
      const body = this.#recent.get(known) ?? (await map.tile(at));
      if (body !== undefined) this.#recent.put(known, body);
      return { version: opened.version, ...(body && { body }) };
    } catch (cause) {
      throw cause instanceof Refusal ? cause : noTile(cause); // damaged there, or the file could not be opened
    }
  }

  /** The file of an id, with one disk access, as every tile passes here. */
  #openedOf(id: string): [file: string, opened: Opened] {
    for (const ending of mapFileEndings) {
      const file = `${id}${ending}`;
      const opened = this.#open(file);
      if (opened !== undefined) return [file, opened];
    }
    throw noTile();
  }

  /** Why a file has no id. */
  #nameFaultOf(file: string): 'name' | 'same_name' | null {
    const stem = stemOf(file);
    if (!mapFileEndings.includes(extname(file)) || !baseMapId.safeParse(stem).success) return 'name';
    return this.fileOf(stem) === file ? null : 'same_name';
  }

  async #aboutOf(file: string): Promise<MapFileAbout | MapFileFault> {
    try {
      return (await this.#open(file)?.map)?.about ?? 'no_tiles';
    } catch (error) {
      if (error instanceof MapFileError) return error.code;
      throw error;
    }
  }

  /** Reopens a file that was replaced; undefined when there is none. */
  #open(file: string): Opened | undefined {
    const path = this.pathOf(file);
    const stats = statsOf(path);
    const known = this.#opened.get(file);
    const version = stats && `${Math.round(stats.mtimeMs).toString(36)}${stats.size.toString(36)}`;
    if (known !== undefined && known.version === version) return known;
    void this.#forget(file);
    const opener = openers[endingOf(file) ?? ''];
    if (version === undefined || opener === undefined) return undefined;
    const opened = { version, map: opener(path) };
    this.#opened.set(file, opened);
    return opened;
  }

  /** Forgets it at once, and resolves when it is closed. */
  async #forget(file: string): Promise<void> {
    const map = this.#opened.get(file)?.map;
    this.#opened.delete(file);
    (await map?.catch(() => undefined))?.close();
  }
}

/** Why a file cannot be drawn; null when it can. */
export async function faultOf(path: string): Promise<MapFileFault | null> {
  const opener = openers[endingOf(path) ?? ''];
  if (opener === undefined) return 'format';
  try {
    (await opener(path)).close();
    return null;
  } catch (error) {
    if (error instanceof MapFileError) return error.code;
    throw error;
  }
}

/** The ending of a map file, in lower case; undefined for any other file. */
export function endingOf(file: string): string | undefined {
  const ending = extname(file).toLowerCase();
  return mapFileEndings.includes(ending) ? ending : undefined;
}

/** The name without its ending, which identifies the map. */
export function stemOf(file: string): string {
  return file.slice(0, -extname(file).length);
}

function shownOf(about: MapFileAbout, stem: string): Partial<BaseMap> {
  const { name, attribution } = about;
  return { ...about, name: (name || stem).slice(0, 200), attribution: plainText(attribution).slice(0, 500) };
}

const entities: Readonly<Record<string, string>> = { copy: '©', amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Files write attributions as HTML (TileJSON 3, attribution); here they become text. */
function plainText(html: string): string {
  const bare = html.slice(0, 2_000).replaceAll(/<[^<>]*>/g, '');
  return bare.replaceAll(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole).trim();
}

function etagOf(version: string, { z, x, y }: TilePlace): string {
  return `"${version}-${z}-${x}-${y}"`;
}

function noTile(cause?: unknown): Refusal {
  return new Refusal('not_found', 'there is no such tile', { cause });
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
