import { expect, it } from 'vitest';
import type { ExportPage } from '../../../../server/measurement/reader.ts';
import { measurementCsv } from '../../../../server/services/measurement/csv.ts';

/** The lines below the headings, without their times. */
async function linesOf(...pages: (number | null)[][][]): Promise<string[]> {
  async function* given(): AsyncGenerator<ExportPage> {
    for (const rows of pages) {
      const values = ['air', 'heater'].map((_, column) => rows.map((row) => row[column] ?? null));
      yield await Promise.resolve({ times: rows.map((_, row) => row * 1_000), values, next_ms: null });
    }
  }
  let text = '';
  for await (const part of measurementCsv(['air', 'heater'], given())) text += part;
  return text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(line.indexOf(',') + 1));
}

it('begins with the first moment of which anything is known, and keeps later ones of which nothing is', async () => {
  const nothing = [null, null];
  expect(await linesOf([nothing, nothing], [nothing, [null, 0], nothing], [nothing, [20, null]])).toEqual([
    ',0',
    ',',
    ',',
    '20,',
  ]);
  expect(await linesOf([nothing])).toEqual([]);
});

it('writes the digits that a sensor tells, of large and of small numbers', async () => {
  const numbers = [9.650582443374326, 0.1 + 0.2, 12_345_678.25, 0.000_000_123_456_789, -5, 0, 1e21];
  expect(await linesOf(numbers.map((value) => [value, null]))).toEqual(
    ['9.650582', '0.3', '12345678.25', '1.23457e-7', '-5', '0', '1e+21'].map((text) => `${text},`),
  );
});
