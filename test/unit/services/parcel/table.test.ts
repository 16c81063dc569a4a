import { describe, expect, it } from 'vitest';
import { readTable } from '../../../../server/services/parcel/table.ts';

const [head, row] = [
  ['주소', '이름'],
  ['논', '밭'],
].map((cells) => (delimiter: string) => cells.join(delimiter));
const table = (delimiter: string, end = '\n') => `${head?.(delimiter)}${end}${row?.(delimiter)}${end}`;
/** 주소,이름 and 논,밭 in CP949. */
const cp949 = Buffer.from('c1d6bcd22cc0ccb8a70ab3ed2cb9e7', 'hex');
const utf16 = Buffer.from(`\uFEFF${table(';')}`, 'utf16le');

describe('a table', () => {
  it.each([
    ['CP949', cp949],
    ['UTF-16, low byte first', utf16],
    ['UTF-16, high byte first', Buffer.from(utf16).swap16()],
    ['UTF-16 without a mark', Buffer.from('a;b\n논;밭\n', 'utf16le')],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${table('\t', '\r\n')}`)],
    ['UTF-8', Buffer.from(table(','))],
    ['JSON', table(',')],
    ['Japanese heads', '住所,名前\n논,밭'],
    ['columns in another order', 'name,other,address\n밭,x,논'],
    ['no head', '논,밭'],
  ])('is read: %s', async (_, file) => {
    expect((await readTable(file)).at(-1)).toMatchObject({ address: '논', name: '밭', geometry: '' });
  });

  it.each(['name,lat,lon', '이름,위도,경도', '名前,緯度,経度'])('may have places: %s', async (titles) => {
    expect(await readTable(`${titles}\n밭,37.5,127.1\n`)).toMatchObject([{ name: '밭', lat: '37.5', lng: '127.1' }]);
  });

  it('knows the line of each row, also behind cells of several lines and empty lines', async () => {
    const rows = await readTable('address,name\n"a\nb",c\n\nd,e\n');
    expect(rows).toEqual([
      { line: 3, address: 'a\nb', name: 'c', lat: '', lng: '', geometry: '' },
      { line: 5, address: 'd', name: 'e', lat: '', lng: '', geometry: '' },
    ]);
  });

  it.each([
    ['nothing', '', 'has no rows'],
    ['a head alone', 'address,name\n', 'has no rows'],
    ['no text', Buffer.from([0x81, 0xff, 0xff, 0x41]), 'is neither UTF-8, UTF-16 nor CP949'],
    ['an open quotation', 'address,name\n"a,b\n', 'is no table: line 2'],
    ['too many rows', 'a,b\n'.repeat(10_001), 'has more than 10000 rows'],
    ['a cell without end', `address,name\n"${'x'.repeat(2_000_000)}`, 'is no table: line 2'],
  ])('with %s is refused whole', async (_, file, message) => {
    await expect(readTable(file)).rejects.toMatchObject({ errors: [{ path: 'file', message }] });
  });

  it('of 10,000 rows in UTF-16 is read', async () => {
    const rows = await readTable(Buffer.from(`\uFEFF${'수원시 과수원로 12,밭\n'.repeat(10_000)}`, 'utf16le'));
    expect([rows.length, rows.at(-1)]).toMatchObject([10_000, { line: 10_000, name: '밭' }]);
  });
});
