import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The pages of a b-tree without row ids: file format of SQLite, 1.6. Both kinds hold rows. */
const interiorPage = 0x02;
const leafPage = 0x0a;
const headerBytes: Partial<Record<number, number>> = { [interiorPage]: 12, [leafPage]: 8 };
/** In an interior page the row follows a pointer to its subtree. */
const pointerBytes: Partial<Record<number, number>> = { [interiorPage]: 4, [leafPage]: 0 };
const smallestPage = 512;
const largestPage = 65_536;
const usualPage = 4_096;
/** Bytes of a number by its serial type, 2.1; 8 and 9 stand for 0 and 1 themselves. */
const integerBytes = [0, 1, 2, 3, 4, 6, 8];
const serialReal = 7;

/** The columns of a row: numbers, and null. */
export type NumberRow = (number | null)[];

/**
 * The rows of numbers in the pages of a file, page by page, even if the tree that leads to them is damaged. Pages of
 * other kinds, and rows with texts or with more columns than fit their page, are skipped. A free page may still hold
 * deleted rows.
 */
export function* rowsOfPages(file: string): Generator<NumberRow[], void> {
  const descriptor = openSync(file, 'r');
  try {
    const size = pageSize(descriptor);
    const page = Buffer.alloc(size);
    const { size: total } = fstatSync(descriptor);
    for (let at = size; at + size <= total; at += size) {
      readSync(descriptor, page, 0, size, at);
      yield rowsOf(page);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** From the header, else the usual one. */
function pageSize(descriptor: number): number {
  const header = Buffer.alloc(18);
  readSync(descriptor, header, 0, header.length, 0);
  const said = header.readUInt16BE(16);
  const size = said === 1 ? largestPage : said;
  return size >= smallestPage && (size & (size - 1)) === 0 ? size : usualPage;
}

function rowsOf(page: Buffer): NumberRow[] {
  const kind = page.readUInt8(0);
  const [header, pointer] = [headerBytes[kind], pointerBytes[kind]];
  if (header === undefined || pointer === undefined) return [];
  const count = page.readUInt16BE(3);
  if (header + 2 * count > page.length) return [];
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(header + 2 * index));
  return cells.flatMap((cell) => {
    const row = rowAt(page, cell + pointer);
    return row === null ? [] : [row];
  });
}

/** null when there is no row of numbers. */
function rowAt(page: Buffer, at: number): NumberRow | null {
  try {
    const payload = varint(page, at);
    const start = payload.next;
    const head = varint(page, start);
    if (start + payload.value > page.length || head.value > payload.value) return null;
    const row: NumberRow = [];
    let [type, body] = [head.next, start + head.value];
    while (type < start + head.value) {
      const { value: serial, next } = varint(page, type);
      const bytes = serial <= 6 ? integerBytes[serial] : serial === serialReal ? 8 : 0;
      if (bytes === undefined || serial > 9) return null;
      row.push(numberAt(page, body, serial));
      body += bytes;
      type = next;
    }
    return body === start + payload.value ? row : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // it points beyond its page
    throw error;
  }
}

function numberAt(page: Buffer, at: number, serial: number): number | null {
  if (serial === 0) return null;
  if (serial === serialReal) return page.readDoubleBE(at);
  if (serial > serialReal) return serial - 8;
  return serial === 6 ? Number(page.readBigInt64BE(at)) : page.readIntBE(at, integerBytes[serial] ?? 1);
}

/** A number of one to nine bytes, seven bits each except the ninth. Numbers within a page fit into five. */
function varint(page: Buffer, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = page.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  throw new RangeError('a number that fits no page');
}
