import type { Database } from 'better-sqlite3';
import type { Cadastre } from '../../contract/cadastre.ts';
import type { Geometry } from '../../contract/overlay.ts';
import { addressTerms, foldAddress, lotOf } from '../../domain/geometry/address-text.ts';

export interface StoredParcel {
  address: string;
  parcel_id: string;
  geometry: Geometry;
}

export interface FoundParcel extends StoredParcel {
  attribution: string;
}

interface FoundRow {
  ordinal: number;
  address: string;
  parcel_id: string;
  folded: string;
  lot: string;
  geometry: string;
  attribution: string;
}

/** A search of the text alone looks at so many that fit, and answers the best of them. */
const mostLookedAt = 300;
/** The index has no text shorter than this. */
const shortestIndexed = 3;

const columns = 'unique_id, name, attribution, crs, parcel_count, skipped_count, imported_at';
const found = 'SELECT p.ordinal, p.address, p.parcel_id, p.folded, p.lot, p.geometry, c.attribution';
const ofCadastre = 'JOIN cadastres c ON c.ordinal = p.cadastre';

/** Imported parcels, in cadastre.db. */
export class CadastreRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(): Cadastre[] {
    return this.#db.prepare<[], Cadastre>(`SELECT ${columns} FROM cadastres ORDER BY ordinal`).all();
  }

  /** Stores what `parcels` brings, and then what it came to; all or, on a throw, nothing. */
  add(parcels: Iterable<StoredParcel>, describe: () => Cadastre): Cadastre {
    return this.#db.transaction(() => this.#add(parcels, describe)).immediate();
  }

  /** False where there is none of that id. */
  remove(unique_id: string): boolean {
    const { changes } = this.#db.prepare('DELETE FROM cadastres WHERE unique_id = ?').run(unique_id);
    return changes > 0;
  }

  /**
   * Parcels whose address or number has every part of the text, the likeliest first. A text with a lot finds that lot alone: 12-3 is not 112-34,
   * and who asks by a table takes the first.
   */
  search(text: string, limit: number): FoundParcel[] {
    const terms = addressTerms(text);
    if (terms.length === 0) return [];
    const whole = foldAddress(text);
    const lot = lotOf(text);
    const isWhole = ({ folded }: FoundRow): boolean => folded.split('\n').includes(whole);
    // Whatever has the lot was found by it: the text, of which a whole county has a part, is looked through for the others alone.
    const ofLot = this.#ofLot(lot, terms);
    const rows = ofLot.length > 0 ? ofLot : this.#ofText(terms);
    const exact = rows.filter(isWhole);
    const fitting = exact.length > 0 ? exact : rows.filter((row) => lot === '' || row.lot === lot);
    return [...new Map(fitting.map((row) => [row.ordinal, row])).values()]
      .sort((a, b) => a.folded.length - b.folded.length || a.ordinal - b.ordinal)
      .slice(0, limit)
      .map(({ address, parcel_id, geometry, attribution }) => ({
        ...{ address, parcel_id, attribution },
        geometry: JSON.parse(geometry) as Geometry, // as it was stored
      }));
  }

  #add(parcels: Iterable<StoredParcel>, describe: () => Cadastre): Cadastre {
    const head = this.#db.prepare(`INSERT INTO cadastres (${columns}) VALUES ('', '', '', '', 0, 0, '')`);
    const cadastre = Number(head.run().lastInsertRowid);
    const insert = this.#db.prepare(
      'INSERT INTO parcels (cadastre, address, parcel_id, folded, lot, geometry) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { address, parcel_id, geometry } of parcels) {
      const folded = `${foldAddress(address)}\n${foldAddress(parcel_id)}`;
      insert.run(cadastre, address, parcel_id, folded, lotOf(address), JSON.stringify(geometry));
    }
    const described = describe();
    const names = columns.split(', ').map((name) => `${name} = @${name}`);
    this.#db
      .prepare(`UPDATE cadastres SET ${names.join(', ')} WHERE ordinal = @ordinal`)
      .run({ ...described, ordinal: cadastre });
    return described;
  }

  /** Of a large cadastre a lot has few parcels, a village many. */
  #ofLot(lot: string, terms: readonly string[]): FoundRow[] {
    if (lot === '') return [];
    const conditions = terms.map(() => 'instr(p.folded, ?) > 0').join(' AND ');
    // The index holds the lots that are not empty: it is used where the question says so too.
    return this.#db
      .prepare<string[], FoundRow>(
        `${found} FROM parcels p ${ofCadastre} WHERE p.lot = ? AND p.lot <> '' AND ${conditions} LIMIT ${mostLookedAt}`,
      )
      .all(lot, ...terms);
  }

  #ofText(terms: readonly string[]): FoundRow[] {
    const indexed = terms.filter((term) => [...term].length >= shortestIndexed);
    const short = terms.filter((term) => !indexed.includes(term));
    const match = indexed.map((term) => `"${term.replaceAll('"', '""')}"`).join(' ');
    // The index first, row by row: whatever fits a thousand times is not gathered before the limit ends it.
    const from = match === '' ? 'parcels p' : 'parcel_text f CROSS JOIN parcels p ON p.ordinal = f.rowid';
    const conditions = [
      ...(match === '' ? [] : ['parcel_text MATCH ?']),
      ...short.map(() => 'instr(p.folded, ?) > 0'),
    ].join(' AND ');
    return this.#db
      .prepare<string[], FoundRow>(`${found} FROM ${from} ${ofCadastre} WHERE ${conditions} LIMIT ${mostLookedAt}`)
      .all(...(match === '' ? [] : [match]), ...short);
  }
}
