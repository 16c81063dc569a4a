import Sqlite from 'better-sqlite3';
import type { AreaBox } from './area.ts';
import type { TilePlace } from './map-file.ts';

/** The description of the map, for drawing it (MBTiles 1.3), and the source of its tiles. */
export interface AreaFileAbout {
  name: string;
  attribution: string;
  layer: string;
  bbox: AreaBox;
  min_zoom: number;
  max_zoom: number;
}

const formats: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/webp': 'webp' };
/** The metadata row with the progress of the work; a finished map has none. */
const stateName = 'orangery_download';
/** The metadata row that names the area's layer of a tile service. */
export const layerName = 'orangery_layer';
/** The metadata row of a finished map that counts the tiles that the service did not have. */
export const missingName = 'orangery_missing_tiles';

/** A map file that is being filled. Each tile is stored together with the progress of the work. */
export class AreaFile {
  readonly #db: Sqlite.Database;
  readonly #put;
  readonly #set;

  /** Makes the file when it is missing. Throws the SQLite error. */
  constructor(path: string, about?: AreaFileAbout) {
    this.#db = new Sqlite(path, { fileMustExist: about === undefined });
    this.#db.pragma('synchronous = NORMAL');
    this.#db.pragma('journal_mode = WAL'); // a write for each tile
    if (about !== undefined) begin(this.#db, about);
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?)');
    this.#set = this.#db.prepare('INSERT OR REPLACE INTO metadata VALUES (?, ?)');
  }

  /** As last stored; undefined in a finished map. */
  get state(): string | undefined {
    return this.#value(stateName);
  }

  /** Whether it was completed: then it has tiles, and with them a format. */
  get isFinished(): boolean {
    return this.state === undefined && this.#value('format') !== undefined;
  }

  /** `has` says whether a tile is in the file now: read from the index alone. */
  tiles(): { has: (place: TilePlace) => boolean } {
    const rows = this.#db
      .prepare<[], [number, number, number]>('SELECT zoom_level, tile_column, tile_row FROM tiles')
      .raw()
      .all();
    const known = new Set(rows.map((row) => row.join()));
    return { has: ({ z, x, y }) => known.has([z, x, rowFromSouth(z, y)].join()) };
  }

  keepState(state: string): void {
    this.#set.run(stateName, state);
  }

  /** The format of the map is that of its first tile. */
  put({ z, x, y }: TilePlace, tile: { body: Buffer; type: string } | undefined, state: string): void {
    this.#db.transaction(() => {
      if (tile !== undefined) {
        this.#put.run(z, x, rowFromSouth(z, y), tile.body);
        this.#db
          .prepare(
            "INSERT INTO metadata SELECT 'format', ? WHERE NOT EXISTS (SELECT 1 FROM metadata WHERE name = 'format')",
          )
          .run(formats[tile.type] ?? 'png');
      }
      this.keepState(state);
    })();
  }

  /** Makes it a normal map, which states how many of its tiles are missing. */
  finish(missing: number): void {
    this.#set.run(missingName, String(missing));
    this.seal();
  }

  /** The last step of a finished map; may be repeated. */
  seal(): void {
    this.#db.prepare('DELETE FROM metadata WHERE name = ?').run(stateName);
    this.#db.pragma('journal_mode = DELETE');
  }

  close(): void {
    this.#db.close();
  }

  #value(name: string): string | undefined {
    return this.#db.prepare<[string], string>('SELECT value FROM metadata WHERE name = ?').pluck().get(name);
  }
}

function rowFromSouth(z: number, y: number): number {
  return 2 ** z - 1 - y;
}

function begin(db: Sqlite.Database, { name, attribution, layer, bbox, min_zoom, max_zoom }: AreaFileAbout): void {
  db.exec(`
    CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`);
  const put = db.prepare('INSERT INTO metadata VALUES (?, ?)');
  const values = {
    name,
    attribution,
    type: 'baselayer',
    version: '1',
    bounds: bbox.join(','),
    minzoom: String(min_zoom),
    maxzoom: String(max_zoom),
    [layerName]: layer,
  };
  for (const [key, value] of Object.entries(values)) put.run(key, value);
}
