import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../server/domain/pipes/lower-bound.ts';
import { euclidean, rectilinear, type Metric, type Point } from '../../../../server/domain/pipes/plane.ts';
import { routePipes } from '../../../../server/domain/pipes/route.ts';
import { runsOf } from '../../../../server/domain/pipes/tree.ts';

interface Instance {
  name: string;
  terminals: [number, number][];
  rectilinear_optimum?: number | null;
  euclidean_optimum?: number | null;
}

/** Beasley's OR-Library with the exact optima (rectilinear of SteinLib). */
const instances = JSON.parse(
  readFileSync(new URL('../../../fixtures/steiner/or-library.json', import.meta.url), 'utf8'),
) as Instance[]; // as the file is written

function lengthOf(metric: Metric, terminals: readonly Point[]): number {
  const pipes = routePipes({ metric, terminals, barriers: [] });
  return pipes.reduce(
    (sum, way) => sum + way.reduce((one, to, at) => one + euclidean.distance(way[Math.max(0, at - 1)] ?? to, to), 0),
    0,
  );
}

/** Of the straight pieces of a pipe. */
function legs(way: readonly Point[]): number[] {
  return way.slice(1).map((to, at) => euclidean.distance(way[at] ?? to, to));
}

const at = (x: number, y: number): Point => ({ x, y });

describe('routePipes on open ground', () => {
  const root3 = Math.sqrt(3);
  it.each([
    ['two points', euclidean, [at(0, 0), at(3, 4)], 5],
    ['two points along two directions', rectilinear, [at(0, 0), at(3, 4)], 7],
    ['the unit square', euclidean, [at(0, 0), at(1, 0), at(1, 1), at(0, 1)], 1 + root3],
    ['the unit square along two directions', rectilinear, [at(0, 0), at(1, 0), at(1, 1), at(0, 1)], 3],
    ['an equilateral triangle', euclidean, [at(0, 0), at(1, 0), at(0.5, root3 / 2)], root3],
    ['a triangle of more than 120 degrees', euclidean, [at(0, 0), at(-1, 0.1), at(1, 0.1)], 2 * Math.hypot(1, 0.1)],
    ['a cross', rectilinear, [at(0, 1), at(2, 1), at(1, 0), at(1, 2)], 4],
    ['points on a line', rectilinear, [at(0, 0), at(5, 0), at(2, 0), at(3, 0)], 5],
  ] as const)('is exact for %s', (_, metric, terminals, expected) => {
    expect(lengthOf(metric, terminals)).toBeCloseTo(expected, 6);
    expect(lowerBound(metric, terminals)).toBeLessThanOrEqual(expected + 1e-9);
  });

  it('is exact at its bound for three points', () => {
    const three = [at(0, 0), at(7, 1), at(3, 6)];
    for (const metric of [euclidean, rectilinear]) {
      expect(lengthOf(metric, three)).toBeCloseTo(lowerBound(metric, three), 6);
    }
  });

  it.each([
    [rectilinear, 'rectilinear_optimum', 1.03, 1.01],
    [euclidean, 'euclidean_optimum', 1.015, 1.005],
  ] as const)('stays near the optima of the OR-Library: $name', (metric, optimum, each, mean) => {
    const isLong = process.env['TEST_SCALE'] === 'long';
    const some = instances.filter((_, index) => isLong || index % 3 === 0);
    const side_m = 1000; // of the unit square of the library: no two places are one
    const known = some.filter((one) => typeof one[optimum] === 'number');
    const ratios = known.map((one) => {
      const terminals = one.terminals.map(([x, y]) => at(x * side_m, y * side_m));
      const length = lengthOf(metric, terminals);
      expect(lowerBound(metric, terminals), one.name).toBeLessThanOrEqual(length);
      return length / (side_m * (one[optimum] ?? NaN));
    });
    expect(Math.max(...ratios)).toBeLessThanOrEqual(each);
    expect(Math.min(...ratios)).toBeGreaterThan(1 - 1e-6);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThanOrEqual(mean);
  });

  it.each([0, 0.0001, -0.0004, 0.003, -0.009])('makes one cross of what is %s m out of line', (off_m) => {
    const terminals = [at(0, 0), at(-10, 30), at(10, 30 + off_m), at(off_m / 3, 60)];
    const pipes = routePipes({ metric: rectilinear, terminals, barriers: [] });
    const { runs, fittings } = runsOf(pipes, terminals);
    expect(fittings).toEqual({ elbow_45: 0, elbow_90: 0, tee: 0, cross: 1 });
    expect(runs.map(({ way }) => way.at(-1))).toEqual(expect.arrayContaining(terminals.slice(1)));
    expect(Math.min(...pipes.flatMap(legs))).toBeGreaterThan(9);
    expect(lengthOf(rectilinear, terminals)).toBeCloseTo(80, 1);
  });

  it('finds the same pipes every time', () => {
    const terminals = instances[3]?.terminals.map(([x, y]) => at(x, y)) ?? [];
    const task = { metric: euclidean, terminals, barriers: [] };
    expect(routePipes(task)).toEqual(routePipes(task));
  });
});
