import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { M4 } from '../../../../server/domain/series/m4.ts';
import { columnsFor, type Columns } from '../../../../server/domain/series/pixel-columns.ts';

const isLong = process.env['TEST_SCALE'] === 'long';

interface Sample {
  time_ms: number;
  value: number;
}

interface Drawing {
  from_ms: number;
  to_ms: number;
  max_points: number;
  gap_ms: number;
}

function draw(samples: readonly Sample[], drawing: Drawing): Columns {
  const m4 = new M4(drawing);
  for (const { time_ms, value } of samples) {
    m4.add({ first_ms: time_ms, last_ms: time_ms, first: value, last: value, min: value, max: value });
  }
  return m4.end();
}

const drawing: Drawing = { from_ms: 0, to_ms: 1000, max_points: 40, gap_ms: 100 };

describe('M4', () => {
  it('keeps of each column the first, lowest, highest and last point, in the order of time', () => {
    const values = [5, 9, 1, 4, 3, 6];
    const samples = values.map((value, index) => ({ time_ms: index * 10, value }));
    expect(draw(samples, drawing)).toEqual({ times: [0, 10, 20, 50], values: [5, 9, 1, 6] });
  });

  it('gives nothing for nothing, and one point once', () => {
    expect(draw([], drawing)).toEqual({ times: [], values: [] });
    expect(draw([{ time_ms: 3, value: 7 }], drawing)).toEqual({ times: [3], values: [7] });
  });

  it('breaks the line in the middle of a silence that leaves a column empty, and not for less', () => {
    const at = (...times: number[]) =>
      draw(
        times.map((timeMs) => ({ time_ms: timeMs, value: 1 })),
        drawing,
      );
    expect(at(0, 200)).toEqual({ times: [0, 200], values: [1, 1] });
    expect(at(0, 201)).toEqual({ times: [0, 101, 201], values: [1, null, 1] });
  });

  it('draws the extremes of a rollup in its middle where they are not its ends', () => {
    const m4 = new M4(drawing);
    m4.add({ first_ms: 10, first: 5, last_ms: 50, last: 6, min: 2, max: 6 });
    expect(m4.end()).toEqual({ times: [10, 30, 50], values: [5, 2, 6] });
  });

  it('agrees with a plain recomputation on random series with gaps', () => {
    const series = fc.array(
      fc.record({
        wait_ms: fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 1, max: 900 }) },
          fc.integer({ min: 1, max: 90_000 }),
        ),
        value: fc.integer({ min: -50, max: 50 }),
      }),
      { minLength: 1, maxLength: 600 },
    );
    const given = fc.record({
      series,
      max_points: fc.integer({ min: 4, max: 200 }),
      gap_ms: fc.integer({ min: 1, max: 5000 }),
    });
    fc.assert(
      fc.property(given, ({ series: steps, max_points, gap_ms }) => {
        let timeMs = 0;
        const samples = steps.map(({ wait_ms, value }) => ({ time_ms: (timeMs += wait_ms), value }));
        const span = { from_ms: 0, to_ms: timeMs + 1, max_points, gap_ms };
        check(samples, span, draw(samples, span));
      }),
      { numRuns: isLong ? 5000 : 200 },
    );
  });
});

function check(samples: readonly Sample[], { to_ms, max_points, gap_ms }: Drawing, drawn: Columns): void {
  const columnMs = to_ms / columnsFor(max_points);
  const columnOf = (timeMs: number) => Math.floor(timeMs / columnMs);
  const points = drawn.times.flatMap((timeMs, index) => {
    const value = drawn.values[index];
    return value === null || value === undefined ? [] : [{ time_ms: timeMs, value }];
  });
  expect(drawn.times.length).toBeLessThanOrEqual(Math.max(4, max_points));
  expect(drawn.times).toEqual(drawn.times.toSorted((a, b) => a - b));
  expect([points[0], points.at(-1)]).toEqual([samples[0], samples.at(-1)]);
  const kept = Map.groupBy(points, ({ time_ms }) => columnOf(time_ms));
  for (const [index, column] of Map.groupBy(samples, ({ time_ms }) => columnOf(time_ms))) {
    const drawnHere = kept.get(index) ?? [];
    const values = (list: readonly Sample[]) => list.map(({ value }) => value);
    expect(Math.min(...values(drawnHere))).toBe(Math.min(...values(column)));
    expect(Math.max(...values(drawnHere))).toBe(Math.max(...values(column)));
    expect([drawnHere[0], drawnHere.at(-1)]).toEqual([column[0], column.at(-1)]);
  }
  const silences = samples.slice(1).flatMap(({ time_ms }, index) => {
    const beforeMs = samples[index]?.time_ms ?? NaN;
    return time_ms - beforeMs > Math.max(gap_ms, 2 * columnMs) ? [Math.round((beforeMs + time_ms) / 2)] : [];
  });
  expect(drawn.times.filter((_, index) => drawn.values[index] === null)).toEqual(silences);
}
