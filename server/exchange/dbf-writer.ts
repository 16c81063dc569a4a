import { propertyColumnBytes } from '../contract/shape-file.ts';
import { propertyColumn, type WrittenFeature } from './written-feature.ts';

interface Field {
  name: string;
  type: 'C' | 'N';
  bytes: number;
}

const fields = [
  { name: 'unique_id', type: 'C', bytes: 36 },
  { name: 'type', type: 'C', bytes: 20 },
  { name: 'name', type: 'C', bytes: 254 },
  { name: 'device_id', type: 'C', bytes: 36 },
  { name: 'channel', type: 'N', bytes: 10 },
] as const satisfies readonly Field[];
/** The longest text column that dBASE III has. */
const columnBytes = 254;

/**
 * The table of a Shapefile, in dBASE III as GDAL writes it: other properties run on through as many columns as the
 * longest needs, up to `mostColumns`. Of those that need more the longest are left out.
 */
export function dbfOf(features: readonly WrittenFeature[], mostColumns: number): Buffer {
  const texts = features.map(({ columns }) => piecesOf(fitted(columns.properties, mostColumns * propertyColumnBytes)));
  const columnCount = texts.reduce((most, { length }) => Math.max(most, length), 1);
  const more = Array.from({ length: columnCount }, (_, at): Field => {
    return { name: propertyColumn(at), type: 'C', bytes: columnBytes };
  });
  const all: readonly Field[] = [...fields, ...more];
  const recordBytes = 1 + all.reduce((sum, { bytes }) => sum + bytes, 0);
  const table = Buffer.alloc(features.length * recordBytes, ' ');
  for (const [row, { columns }] of features.entries()) {
    let at = row * recordBytes + 1;
    for (const { name, bytes } of fields) {
      cut(String(columns[name] ?? ''), bytes).copy(table, at);
      at += bytes;
    }
    for (const [column, piece] of (texts[row] ?? []).entries()) table.write(piece, at + column * columnBytes);
  }
  return Buffer.concat([headOf(all, features.length, recordBytes), table, Buffer.from([0x1a])]);
}

function headOf(all: readonly Field[], count: number, recordBytes: number): Buffer {
  const head = Buffer.alloc(32 + 32 * all.length + 1);
  head.set([3, 126, 1, 1], 0); // dBASE III, and a date that says nothing
  head.writeUInt32LE(count, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(recordBytes, 10);
  for (const [at, { name, type, bytes }] of all.entries()) {
    head.write(name, 32 + 32 * at, 'latin1');
    head.write(type, 32 + 32 * at + 11, 'latin1');
    head[32 + 32 * at + 16] = bytes;
  }
  head[head.length - 1] = 0x0d;
  return head;
}

/** JSON of an object, without its longest members where it is longer than `most` bytes. */
function fitted(json: string | null, most: number): string {
  if (json === null || Buffer.byteLength(json) <= most) return json ?? '';
  const members = Object.entries(JSON.parse(json) as Record<string, unknown>) // as it was written
    .map(([key, value]) => ({ key, value, bytes: Buffer.byteLength(JSON.stringify({ [key]: value })) }))
    .sort((a, b) => a.bytes - b.bytes);
  let sum = 0;
  const kept = members.filter(({ bytes }) => (sum += bytes) <= most);
  return kept.length === 0 ? '' : JSON.stringify(Object.fromEntries(kept.map(({ key, value }) => [key, value])));
}

/** Cuts JSON for columns, whose ends readers trim: a blank there is written by its code. */
function piecesOf(json: string): string[] {
  const pieces: string[] = [];
  let [piece, bytes] = ['', 0];
  const end = (): void => {
    pieces.push(piece.replaceAll(/^\s|\s$/g, (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, '0')}`));
    [piece, bytes] = ['', 0];
  };
  for (const letter of json) {
    const more = Buffer.byteLength(letter);
    if (bytes + more > columnBytes - 2 * codeBytes) end();
    piece += letter;
    bytes += more;
  }
  if (piece !== '') end();
  return pieces;
}

/** What the code of a blank takes more than itself. */
const codeBytes = 5;

/** A text that is too long is cut between letters. */
function cut(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // within a letter of UTF-8
  return bytes.subarray(0, end);
}
