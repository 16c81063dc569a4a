import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StateInterval } from '../../../../server/domain/analytics/state-time.ts';
import type { Span } from '../../../../server/domain/series/resolution.ts';
import type { ExportPage } from '../../../../server/measurement/reader.ts';
import { withStates } from '../../../../server/services/measurement/held-states.ts';

const span = { from_ms: 1_000, to_ms: 1_200 };

/** As the reader of measurements gives them: cut to the span that is asked for, the newest `limit`. */
const readerOf =
  (outputs: readonly StateInterval[][], limit: number) =>
  ({ from_ms, to_ms }: Span): Promise<StateInterval[][]> => {
    const partsOf = (all: readonly StateInterval[]): StateInterval[] =>
      all
        .filter((one) => one.from_ms < to_ms && one.to_ms > from_ms)
        .slice(-limit)
        .map((one) => ({ ...one, from_ms: Math.max(one.from_ms, from_ms), to_ms: Math.min(one.to_ms, to_ms) }));
    return Promise.resolve(outputs.map(partsOf));
  };

async function* pagesOf(times: readonly number[], rows: number): AsyncGenerator<ExportPage> {
  for (let at = 0; at === 0 || at < times.length; at += rows) {
    const read = times.slice(at, at + rows);
    const next_ms = at + rows < times.length ? (read.at(-1) ?? 0) + 1 : null;
    yield await Promise.resolve({ times: read, values: [read], next_ms });
  }
}

async function linesOf(
  outputs: readonly StateInterval[][],
  times: readonly number[],
  { rows, limit, mostCells = 1e6 }: { rows: number; limit: number; mostCells?: number },
): Promise<(number | null)[][]> {
  const lines: (number | null)[][] = [];
  const read = readerOf(outputs, limit);
  for await (const page of withStates(pagesOf(times, rows), { read, limit, mostCells }, span)) {
    // A line itself is never cut.
    if (page.times.length > 1) expect(page.times.length * page.values.length).toBeLessThanOrEqual(mostCells);
    page.times.forEach((atMs, row) => lines.push([atMs, ...page.values.map((column) => column[row] ?? null)]));
  }
  return lines;
}

const on = (from_ms: number, to_ms: number, state: number | null = 100): StateInterval => ({ from_ms, to_ms, state });

it('has a line for each change, with the state that holds from then on', async () => {
  const outputs = [[on(900, 1_050), on(1_050, 1_100, 0)], [on(1_020, 1_300, 40)]];
  expect(await linesOf(outputs, [1_010, 1_050], { rows: 10, limit: 100 })).toEqual([
    [1_000, null, 100, null],
    [1_010, 1_010, 100, null],
    [1_020, null, 100, 40],
    [1_050, 1_050, 0, 40],
    [1_100, null, null, 40],
  ]);
});

const intervals = fc
  .uniqueArray(fc.integer({ min: 950, max: 1_250 }), { maxLength: 60 })
  .map((marks) => marks.sort((a, b) => a - b))
  .chain((marks) =>
    fc
      .array(fc.constantFrom(0, 100, null, undefined), { minLength: marks.length, maxLength: marks.length })
      .map((kinds) =>
        marks.slice(1).flatMap((to_ms, at) => {
          const state = kinds[at];
          return state === undefined ? [] : [on(marks[at] ?? 0, to_ms, state)];
        }),
      ),
  );
const sampled = fc
  .uniqueArray(fc.integer({ min: span.from_ms, max: span.to_ms - 1 }), { maxLength: 40 })
  .map((times) => times.sort((a, b) => a - b));

it('gives the same lines in all parts it is read in', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(intervals, { minLength: 1, maxLength: 3 }),
      sampled,
      fc.record({
        rows: fc.integer({ min: 1, max: 50 }),
        limit: fc.integer({ min: 5, max: 20 }),
        mostCells: fc.integer({ min: 5, max: 200 }),
      }),
      async (outputs, times, parts) => {
        const whole = await linesOf(outputs, times, { rows: 1_000, limit: 1_000 });
        expect(await linesOf(outputs, times, parts)).toEqual(whole);
      },
    ),
    { numRuns: 100 },
  ));
