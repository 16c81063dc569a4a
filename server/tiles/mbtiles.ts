import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { layerName, missingName } from './area-file.ts';
import {
  layerNames,
  MapFileError,
  mostTileBytes,
  type MapFile,
  type MapFileAbout,
  type TilePlace,
} from './map-file.ts';

const vectorFormats = ['pbf', 'mvt'];
const unpacked = promisify(gunzip);
const placeColumns = ['zoom_level', 'tile_column', 'tile_row'];
/** Longer values are never shown. */
const mostValueBytes = 1024 * 1024;
/** The length of a value is known before it is read: 0 marks an invalid tile. */
const tileQuery = `SELECT iif(octet_length(tile_data) > ${mostTileBytes}, 0, tile_data) FROM tiles
  WHERE ${placeColumns.map((column) => `${column} = ?`).join(' AND ')}`;
const metadataQuery = `SELECT iif(octet_length(name) <= 100, name, '') AS name,
  iif(octet_length(value) <= ${mostValueBytes}, value, NULL) AS value FROM metadata LIMIT 100`;

/** MBTiles 1.3: one SQLite file. */
export class MbTiles implements MapFile {
  readonly about: MapFileAbout;
  readonly #db: Sqlite.Database;
  readonly #tile: Sqlite.Statement<[number, number, number], unknown>;

  /** Throws `MapFileError`. */
  constructor(file: string) {
    try {
      this.#db = new Sqlite(file, { readonly: true, fileMustExist: true });
    } catch (cause) {
      throw new MapFileError('no_database', cause);
    }
    try {
      this.#db.pragma('trusted_schema = OFF'); // the file comes from elsewhere, and its tiles may be a view
      this.#db.pragma('automatic_index = OFF'); // it is made of all rows for each tile
      this.about = this.#read();
      this.#refuseSlow();
      this.#tile = this.#db.prepare<[number, number, number], unknown>(tileQuery).pluck();
    } catch (cause) {
      this.#db.close();
      if (cause instanceof MapFileError) throw cause;
      const isOther = cause instanceof Sqlite.SqliteError && cause.code === 'SQLITE_NOTADB';
      throw new MapFileError(isOther ? 'no_database' : 'no_tiles', cause);
    }
  }

  /** The file counts its rows from the south. */
  async tile({ z, x, y }: TilePlace): Promise<Buffer | undefined> {
    const found = this.#tile.get(z, x, 2 ** z - 1 - y);
    if (found === 0) throw new RangeError(`a tile of more than ${mostTileBytes} bytes`);
    if (!Buffer.isBuffer(found)) return undefined;
    const isPacked = found[0] === 0x1f && found[1] === 0x8b;
    return isPacked ? unpacked(found, { maxOutputLength: mostTileBytes }) : found;
  }

  close(): void {
    this.#db.close();
  }

  /**
   * A view may do anything: one that reads more than it finds by an index would delay every other request, and so would
   * an index with fewer than the three columns of a place.
   */
  #refuseSlow(): void {
    const plan = this.#db.prepare<[number, number, number], { detail: string }>(`EXPLAIN QUERY PLAN ${tileQuery}`);
    const steps = plan.all(0, 0, 0).map(({ detail }) => equalColumns(detail));
    const isPlace = (columns: readonly string[]): boolean => placeColumns.every((column) => columns.includes(column));
    if (steps.some(({ length }) => length === 0) || !steps.some(isPlace)) throw new MapFileError('no_index');
  }

  #read(): MapFileAbout {
    const type = this.#db.prepare("SELECT type FROM sqlite_schema WHERE name = 'metadata'").pluck().get();
    if (type !== 'table') throw new MapFileError('no_tiles');
    const rows = this.#db.prepare<[], { name: string; value: string | null }>(metadataQuery).all();
    const values = new Map(rows.map(({ name, value }) => [String(name), String(value ?? '')]));
    const zoom = (name: string): number | null => {
      const level = Number(values.get(name) ?? NaN);
      return Number.isInteger(level) && level >= 0 && level <= 25 ? level : null;
    };
    const missing = Number(values.get(missingName) ?? NaN);
    const isVector = vectorFormats.includes(values.get('format') ?? '');
    return {
      name: values.get('name') ?? '',
      attribution: values.get('attribution') ?? '',
      kind: isVector ? 'vector' : 'raster',
      min_zoom: zoom('minzoom'),
      max_zoom: zoom('maxzoom'),
      layers: isVector ? layersOf(values.get('json') ?? '') : [],
      missing_tiles: Number.isSafeInteger(missing) && missing >= 0 ? missing : null,
      area: areaOf(values),
    };
  }
}

/** Only for files downloaded here: other files state their bounds too. */
function areaOf(values: ReadonlyMap<string, string>): MapFileAbout['area'] {
  const layer = values.get(layerName) ?? '';
  const [west = NaN, south = NaN, east = NaN, north = NaN] = (values.get('bounds') ?? '').split(',').map(Number);
  const isArea = layer !== '' && layer.length <= 64 && west >= -180 && west < east && east <= 180;
  return isArea && south >= -90 && south < north && north <= 90 ? { layer, bbox: [west, south, east, north] } : null;
}

/** Columns that a step of a query plan looks up in an index by one value each; none when it reads more. */
function equalColumns(detail: string): string[] {
  if (!detail.startsWith('SEARCH ') || !detail.includes(' USING ')) return [];
  const terms = detail.slice(detail.lastIndexOf('(') + 1, detail.lastIndexOf(')')).split(' AND ');
  return terms.every((term) => term.endsWith('=?')) ? terms.map((term) => term.slice(0, -2)) : [];
}

/** The row `json` of vector tiles (MBTiles 1.3, Vector tileset metadata). */
function layersOf(json: string): string[] {
  try {
    const told: unknown = JSON.parse(json);
    return typeof told === 'object' && told !== null && 'vector_layers' in told ? layerNames(told.vector_layers) : [];
  } catch {
    return [];
  }
}
