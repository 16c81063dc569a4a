import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { mostRows } from '../../contract/parcel.ts';

/** A line of the table; missing fields are empty. */
export interface TableRow {
  /** Line of the file, from 1. */
  line: number;
  address: string;
  name: string;
  /** Degrees, as they are written. */
  lat: string;
  lng: string;
  /** GeoJSON of an outline. */
  geometry: string;
}

const heads = {
  address: ['address', 'addr', '주소', '지번', '지번주소', '도로명주소', '소재지', '住所', '所在地'],
  name: ['name', 'title', 'label', '이름', '명칭', '필지명', '名前', '名称'],
  lat: ['lat', 'latitude', '위도', '緯度'],
  lng: ['lng', 'lon', 'long', 'longitude', '경도', '経度'],
  geometry: ['geometry', 'geojson', '도형', 'ジオメトリ'],
} as const;
type Column = keyof typeof heads;
const columns = Object.keys(heads) as Column[]; // of the object above

const delimiters = [',', ';', '\t'] as const;
const partLength = 64 * 1024;

/** The rows of a table. Refuses with invalid_field one that is unreadable, empty or too long. */
export async function readTable(file: string | Uint8Array): Promise<TableRow[]> {
  const text = typeof file === 'string' ? file.replace(/^\uFEFF/, '') : decoded(file);
  const rows: TableRow[] = [];
  let places: Record<Column, number> | undefined;
  try {
    for await (const { record, info } of recordsOf(text)) {
      if (places === undefined) {
        const named = namedColumns(record);
        places = named ?? { address: 0, name: 1, lat: -1, lng: -1, geometry: -1 };
        if (named !== undefined) continue;
      }
      if (rows.length === mostRows)
        throw refuseField('invalid_field', 'file', why('too_many_rows', { most: mostRows }));
      rows.push(rowOf(record, places, info.lines));
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw refuseField('invalid_field', 'file', why('no_table', { line: String(cause['lines']) }));
  }
  if (rows.length === 0) throw refuseField('invalid_field', 'file', why('no_rows'));
  return rows;
}

type Read = { record: string[]; info: { lines: number } };

/** Parsed in parts, so that a large table does not block the service. */
function recordsOf(text: string): AsyncIterable<Read> {
  const parts = function* (): Generator<string> {
    for (let at = 0; at < text.length; at += partLength) yield text.slice(at, at + partLength);
  };
  return Readable.from(parts()).pipe(
    parse({
      delimiter: delimiterOf(text),
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 1_000_000,
    }),
  );
}

function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const count = (delimiter: string): number => first.split(delimiter).length;
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best), delimiters[0] as string);
}

/** The first line names the columns, or is itself a row. */
function namedColumns(record: readonly string[]): Record<Column, number> | undefined {
  const titles = record.map((title) => title.normalize('NFKC').toLowerCase());
  const places = columns.map((column) => titles.findIndex((title) => heads[column].some((head) => head === title)));
  if (places.every((place) => place === -1)) return undefined;
  return Object.fromEntries(columns.map((column, index) => [column, places[index] ?? -1])) as Record<Column, number>; // each is there
}

function rowOf(record: readonly string[], places: Record<Column, number>, line: number): TableRow {
  const at = (column: Column): string => record[places[column]] ?? '';
  return { line, address: at('address'), name: at('name'), lat: at('lat'), lng: at('lng'), geometry: at('geometry') };
}

/** UTF-8 or UTF-16 by its mark or its zero bytes, else CP949 (which WHATWG calls euc-kr). */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.length >= 2 && first !== 0 && second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes.length >= 2 && first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes);
  for (const encoding of ['utf-8', 'euc-kr']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // not of that encoding
    }
  }
  throw refuseField('invalid_field', 'file', why('unknown_encoding'));
}
