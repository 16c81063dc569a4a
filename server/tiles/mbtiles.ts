import Sqlite from 'better-sqlite3';

/** What the metadata of a file says (MBTiles 1.3); texts as they stand there. */
export interface MbTilesAbout {
  name: string;
  attribution: string;
  format: string;
  min_zoom: number | null;
  max_zoom: number | null;
}

/** What is wrong with a file that is to be one of MBTiles. */
export class MbTilesError extends Error {
  override readonly name = 'MbTilesError';
  readonly code: 'no_database' | 'no_tiles';

  constructor(code: MbTilesError['code'], cause: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A map of tiles in one SQLite file, read only. */
export class MbTiles {
  readonly about: MbTilesAbout;
  readonly #db: Sqlite.Database;
  readonly #tile: Sqlite.Statement<[number, number, number], Buffer>;

  /** Throws `MbTilesError`. */
  constructor(file: string) {
    try {
      this.#db = new Sqlite(file, { readonly: true, fileMustExist: true });
    } catch (cause) {
      throw new MbTilesError('no_database', cause);
    }
    try {
      this.#db.pragma('trusted_schema = OFF'); // the file comes from elsewhere, and its tiles may be a view
      this.about = this.#read();
      this.#tile = this.#db
        .prepare<[number, number, number], Buffer>(
          'SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?',
        )
        .pluck();
    } catch (cause) {
      this.#db.close();
      const isOther = cause instanceof Sqlite.SqliteError && cause.code === 'SQLITE_NOTADB';
      throw new MbTilesError(isOther ? 'no_database' : 'no_tiles', cause);
    }
  }

  /** Rows are counted from the north; the file counts them from the south. Undefined where the file has none. */
  tile({ z, x, y }: { z: number; x: number; y: number }): Buffer | undefined {
    const found: unknown = this.#tile.get(z, x, 2 ** z - 1 - y);
    return Buffer.isBuffer(found) ? found : undefined;
  }

  close(): void {
    this.#db.close();
  }

  #read(): MbTilesAbout {
    const rows = this.#db.prepare<[], { name: string; value: string | null }>('SELECT name, value FROM metadata').all();
    const values = new Map(rows.map(({ name, value }) => [String(name), String(value ?? '')]));
    const zoom = (name: string): number | null => {
      const level = Number(values.get(name) ?? NaN);
      return Number.isInteger(level) && level >= 0 && level <= 25 ? level : null;
    };
    return {
      ...{ name: values.get('name') ?? '', attribution: values.get('attribution') ?? '' },
      ...{ format: values.get('format') ?? '', min_zoom: zoom('minzoom'), max_zoom: zoom('maxzoom') },
    };
  }
}
