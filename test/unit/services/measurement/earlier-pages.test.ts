import { expect, it } from 'vitest';
import type { ExportPage, ExportRequest } from '../../../../server/measurement/reader.ts';
import { besideEarlier } from '../../../../server/services/measurement/earlier-pages.ts';

const series = [{ device_id: 'box', measurement_id: 'air' }];
/** Samples every 10 ms at whole tens, and from 1,000 on also at fives: the later pages end sooner. */
const samples = Array.from({ length: 400 }, (_, at) => at * 5).filter((atMs) => atMs % 10 === 0 || atMs >= 1_000);

/** Pages of so many rows. */
const reader =
  (rows: number) =>
  ({ from_ms, to_ms }: ExportRequest): Promise<ExportPage> => {
    const times = samples.filter((atMs) => atMs >= from_ms && atMs < to_ms);
    const read = times.slice(0, rows);
    const next_ms = times.length > rows ? (read.at(-1) ?? 0) + 1 : null;
    return Promise.resolve({ times: read, values: [read], next_ms });
  };

it.each([7, 3, 1_000])(
  'lays each series beside itself, whole and in the order of time, in pages of %i',
  async (rows) => {
    const found: [number, number | null, number | null][] = [];
    for await (const page of besideEarlier(reader(rows), { series, from_ms: 1_000, to_ms: 1_200 }, 500)) {
      page.times.forEach((atMs, row) =>
        found.push([atMs, page.values[0]?.[row] ?? null, page.values[1]?.[row] ?? null]),
      );
    }
    const expected = samples
      .filter((atMs) => atMs >= 1_000 && atMs < 1_200)
      .map((atMs) => [atMs, atMs, atMs % 10 === 0 ? atMs - 500 : null]);
    expect(found).toEqual(expected);
  },
);

it('has lines of what only the earlier time has', async () => {
  const pages: ExportPage[] = [];
  for await (const page of besideEarlier(reader(5), { series, from_ms: 2_000, to_ms: 2_030 }, 1_500)) pages.push(page);
  expect(pages.flatMap(({ times }) => times)).toEqual([2_000, 2_010, 2_020]);
  expect(pages.flatMap(({ values }) => values[0])).toEqual([null, null, null]);
  expect(pages.flatMap(({ values }) => values[1])).toEqual([500, 510, 520]);
});
