import { expect, it } from 'vitest';
import type { ExportPage } from '../../../../server/measurement/reader.ts';
import { csvForm, measurementCsv, type CsvForm } from '../../../../server/services/measurement/csv.ts';

const names = ['air', 'heater'];

/** The lines of a table, of a value in each column at each time. */
async function tableOf(form: CsvForm, times: number[], ...pages: (number | null)[][][]): Promise<string[]> {
  const left = [...times];
  async function* given(): AsyncGenerator<ExportPage> {
    for (const rows of pages) {
      const values = names.map((_, column) => rows.map((row) => row[column] ?? null));
      yield await Promise.resolve({ times: left.splice(0, rows.length), values, next_ms: null });
    }
  }
  let text = '';
  for await (const part of measurementCsv(form, given())) text += part;
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
}

/** The lines below the headings, without their times. */
async function linesOf(form: CsvForm, ...pages: (number | null)[][][]): Promise<string[]> {
  const times = pages.flat().map((_, row) => row * 1_000);
  const [, ...lines] = await tableOf(form, times, ...pages);
  return lines.map((line) => line.slice(line.indexOf(',') + 1));
}

const usual = csvForm({}, names, 'Asia/Seoul');

it('begins with the first moment of which anything is known, and keeps later ones of which nothing is', async () => {
  const nothing = [null, null];
  expect(await linesOf(usual, [nothing, nothing], [nothing, [null, 0], nothing], [nothing, [20, null]])).toEqual([
    ',0',
    ',',
    ',',
    '20,',
  ]);
  expect(await linesOf(usual, [nothing])).toEqual([]);
});

it('writes the digits that a sensor tells, of large and of small numbers', async () => {
  const numbers = [9.650582443374326, 0.1 + 0.2, 12_345_678.25, 0.000_000_123_456_789, -5, 0, 1e21];
  expect(
    await linesOf(
      usual,
      numbers.map((value) => [value, null]),
    ),
  ).toEqual(['9.650582', '0.3', '12345678.25', '1.23457e-7', '-5', '0', '1e+21'].map((text) => `${text},`));
});

it('writes no more decimals than are asked for in a column', async () => {
  const rounded = csvForm({ decimals: '1,0' }, names, 'Asia/Seoul');
  const rows = [
    [9.650_582_443, 44.5],
    [-0.04, 0.4],
    [20, 1e21],
  ];
  expect(await linesOf(rounded, rows)).toEqual(['9.7,45', '0,0', '20,1e+21']);
});

it('writes the date and time of a site with its offset from UTC, which tells the two hours of a clock change apart', async () => {
  const [first, second] = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30, 0, 999)];
  const local = csvForm({ clock: 'site' }, names, 'Europe/Berlin');
  const rows = [[20, null]];
  expect(await tableOf(local, [first, second], rows, rows)).toEqual([
    'time (Europe/Berlin),offset from UTC (h),air,heater',
    '2026-10-25 02:30:00,2,20,',
    '2026-10-25 02:30:00,1,20,',
  ]);
  const half = csvForm({ clock: 'site', columns: ['Time', 'Offset (h)', 'Air', 'Heater'] }, names, 'America/St_Johns');
  expect(await tableOf(half, [second], rows)).toEqual(['Time,Offset (h),Air,Heater', '2026-10-24 23:00:00,-2.5,20,']);
});

it('refuses what is not one heading and one number for each column', () => {
  expect(() => csvForm({ columns: ['Time', 'Air', 'Heater'] }, names, 'UTC')).toThrow('each of 2 columns');
  expect(() => csvForm({ clock: 'site', columns: names }, names, 'UTC')).toThrow('each of 4 columns');
  expect(() => csvForm({ decimals: '1' }, names, 'UTC')).toThrow('each of 2 columns');
});
