import type { Database } from 'better-sqlite3';
import type { Cadastre } from '../../contract/cadastre.ts';
import type { Geometry } from '../../contract/overlay.ts';
import { polygonsOf } from '../../domain/geometry/polygons.ts';
import { placeInRing } from '../../domain/geometry/ring-crossing.ts';
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

/** A lot may look so too: 1021-35. */
const numberForm = /^[A-Za-z0-9-]{6,40}$/;

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
   * Parcels whose address or number has every part of the text, the likeliest first. A whole number goes before a lot, the start of one after it. A text with a lot finds that lot alone: 12-3 is not 112-34,
   * and who asks by a table takes the first.
   */
  search(text: string, limit: number): FoundParcel[] {
    const terms = addressTerms(text);
    if (terms.length === 0) return [];
    const whole = foldAddress(text);
    const lot = lotOf(text);
    const isWhole = ({ folded }: FoundRow): boolean => folded.split('\n').includes(whole);
    // Whatever has the lot was found by it: the text, of which a whole county has a part, is looked through for the others alone.
    const number = text.normalize('NFKC').trim();
    const ofNumber = this.#ofNumber(number, number);
    if (ofNumber.length > 0) return parcelsOf(ofNumber, limit);
    const ofLot = this.#ofLot(lot, terms);
    const begun = ofLot.length > 0 ? [] : this.#ofNumber(number, `${number}\uffff`);
    if (begun.length > 0) return parcelsOf(begun, limit);
    const rows = ofLot.length > 0 ? ofLot : this.#ofText(terms);
    const exact = rows.filter(isWhole);
    const fitting = exact.length > 0 ? exact : rows.filter((row) => lot === '' || row.lot === lot);
    const once = [...new Map(fitting.map((row) => [row.ordinal, row])).values()];
    // The shortest spelling is the likeliest.
    return parcelsOf(
      once.sort((a, b) => a.folded.length - b.folded.length || a.ordinal - b.ordinal),
      limit,
    );
  }

  /** Parcels in which a place lies. */
  at({ lng, lat }: { lng: number; lat: number }, limit: number): FoundParcel[] {
    const rows = this.#db
      .prepare<number[], FoundRow>(
        `${found} FROM parcel_boxes b CROSS JOIN parcels p ON p.ordinal = b.ordinal ${ofCadastre}
         WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ? LIMIT ${mostLookedAt}`,
      )
      .all(lng, lng, lat, lat);
    return parcelsOf(rows, rows.length)
      .filter(({ geometry }) => holdsPlace(geometry, [lng, lat]))
      .slice(0, limit);
  }

  #add(parcels: Iterable<StoredParcel>, describe: () => Cadastre): Cadastre {
    const head = this.#db.prepare(`INSERT INTO cadastres (${columns}) VALUES ('', '', '', '', 0, 0, '')`);
    const cadastre = Number(head.run().lastInsertRowid);
    const insert = this.#db.prepare(
      'INSERT INTO parcels (cadastre, address, parcel_id, folded, lot, geometry) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const insertBox = this.#db.prepare('INSERT INTO parcel_boxes VALUES (?, ?, ?, ?, ?)');
    for (const { address, parcel_id, geometry } of parcels) {
      const folded = `${foldAddress(address)}\n${foldAddress(parcel_id)}`;
      const stored = insert.run(cadastre, address, parcel_id, folded, lotOf(address), JSON.stringify(geometry));
      insertBox.run(stored.lastInsertRowid, ...boxOf(geometry));
    }
    const described = describe();
    const names = columns.split(', ').map((name) => `${name} = @${name}`);
    this.#db
      .prepare(`UPDATE cadastres SET ${names.join(', ')} WHERE ordinal = @ordinal`)
      .run({ ...described, ordinal: cadastre });
    return described;
  }

  /** Numbers between two, in the order of their signs. */
  #ofNumber(first: string, last: string): FoundRow[] {
    if (!numberForm.test(first)) return [];
    return this.#db
      .prepare<[string, string], FoundRow>(
        `${found} FROM parcels p ${ofCadastre} WHERE p.parcel_id BETWEEN ? AND ? AND p.parcel_id <> ''
         ORDER BY p.parcel_id LIMIT ${mostLookedAt}`,
      )
      .all(first, last);
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
    const hasShort = short.map(() => 'instr(p.folded, ?) > 0');
    // The index first, row by row: whatever fits a thousand times is not gathered before the limit ends it.
    const [from, conditions] =
      match === ''
        ? [
            'parcels p',
            `p.ordinal IN (SELECT p.ordinal FROM parcels p INDEXED BY parcels_by_text WHERE ${hasShort.join(' AND ')} LIMIT ${mostLookedAt})`,
          ]
        : [
            'parcel_text f CROSS JOIN parcels p ON p.ordinal = f.rowid',
            ['parcel_text MATCH ?', ...hasShort].join(' AND '),
          ];
    return this.#db
      .prepare<string[], FoundRow>(`${found} FROM ${from} ${ofCadastre} WHERE ${conditions} LIMIT ${mostLookedAt}`)
      .all(...(match === '' ? [] : [match]), ...short);
  }
}

function parcelsOf(rows: readonly FoundRow[], limit: number): FoundParcel[] {
  return rows.slice(0, limit).map(({ address, parcel_id, geometry, attribution }) => ({
    address,
    parcel_id,
    attribution,
    geometry: JSON.parse(geometry) as Geometry, // as it was stored
  }));
}

/** West, east, south, north. */
function boxOf(geometry: Geometry): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [lng = NaN, lat = NaN] of polygonsOf(geometry).flatMap(([outer = []]) => outer)) {
    box[0] = Math.min(box[0], lng);
    box[1] = Math.max(box[1], lng);
    box[2] = Math.min(box[2], lat);
    box[3] = Math.max(box[3], lat);
  }
  return box;
}

function holdsPlace(geometry: Geometry, place: readonly number[]): boolean {
  return polygonsOf(geometry).some(
    ([outer = [], ...holes]) =>
      placeInRing(place, outer) !== 'outside' && holes.every((hole) => placeInRing(place, hole) !== 'inside'),
  );
}
