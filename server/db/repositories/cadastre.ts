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

/** A search by text examines this many matches, and returns the best. */
const mostLookedAt = 300;
/** The index has no shorter texts. */
const shortestIndexed = 3;

const columns = 'unique_id, name, attribution, crs, parcel_count, skipped_count, imported_at';
const found = 'SELECT p.ordinal, p.address, p.parcel_id, p.folded, p.lot, p.geometry, c.attribution';
const ofCadastre = 'JOIN cadastres c ON c.ordinal = p.cadastre';

/** A lot number may match too: 1021-35. */
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

  /** Stores what `parcels` yields, and then its description; all or, on a throw, nothing. */
  add(parcels: Iterable<StoredParcel>, describe: () => Cadastre): Cadastre {
    return this.#db.transaction(() => this.#add(parcels, describe)).immediate();
  }

  /** False when there is none of that id. */
  remove(unique_id: string): boolean {
    const { changes } = this.#db.prepare('DELETE FROM cadastres WHERE unique_id = ?').run(unique_id);
    return changes > 0;
  }

  /**
   * Parcels whose address or number has every part of the text, the most likely first. A whole number comes before a
   * lot, the start of a number after it. A text with a lot finds exactly that lot: 12-3 is not 112-34, and a table
   * takes the first result.
   */
  search(text: string, limit: number): FoundParcel[] {
    const terms = addressTerms(text);
    if (terms.length === 0) return [];
    const whole = foldAddress(text);
    const lot = lotOf(text);
    const isWhole = ({ folded }: FoundRow): boolean => folded.split('\n').includes(whole);
    // Whatever has the lot was found by it: the text, parts of which match a whole county, is searched only for other
    // terms.
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
    // The shortest spelling is the most likely.
    return parcelsOf(
      once.sort((a, b) => a.folded.length - b.folded.length || a.ordinal - b.ordinal),
      limit,
    );
  }

  /** Parcels that contain a place. */
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

  /** Numbers within a range, in order of their characters. */
  #ofNumber(first: string, last: string): FoundRow[] {
    if (!numberForm.test(first)) return [];
    return this.#db
      .prepare<[string, string], FoundRow>(
        `${found} FROM parcels p ${ofCadastre} WHERE p.parcel_id BETWEEN ? AND ? AND p.parcel_id <> ''
         ORDER BY p.parcel_id LIMIT ${mostLookedAt}`,
      )
      .all(first, last);
  }

  /** In a large cadastre a lot has few parcels, a village many. */
  #ofLot(lot: string, terms: readonly string[]): FoundRow[] {
    if (lot === '') return [];
    const conditions = terms.map(() => 'instr(p.folded, ?) > 0').join(' AND ');
    // The index holds only non-empty lots, and is used only if the query says so too.
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
    // The index first, row by row: matches beyond the limit are never collected.
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
