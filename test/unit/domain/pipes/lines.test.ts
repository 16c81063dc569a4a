import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../server/domain/pipes/lower-bound.ts';
import { CheapLines, type CheapLine } from '../../../../server/domain/pipes/lines.ts';
import { ObstacleField } from '../../../../server/domain/pipes/obstacle.ts';
import { euclidean, rectilinear, type Point } from '../../../../server/domain/pipes/plane.ts';
import { laidPipes, type Barrier, type RouteTask } from '../../../../server/domain/pipes/route.ts';

const at = (x: number, y: number): Point => ({ x, y });
const box = (west: number, south: number, east: number, north: number): Barrier => ({
  rings: [[at(west, south), at(east, south), at(east, north), at(west, north)]],
  clearance_m: 0.5,
  canEnter: true,
});
const main: CheapLine = { points: [at(0, 0), at(100, 0)], weight: 0 };

/** Length of new pipe, of pipe along each line, and whether water comes from a source to each terminal by one way. */
function laid(task: Omit<RouteTask, 'barriers'> & { barriers?: Barrier[] }) {
  const ways = laidPipes({ barriers: [], ...task });
  const length = (line: number | null): number =>
    ways
      .filter((one) => one.line === line)
      .flatMap(({ way }) => way.slice(1).map((to, i) => euclidean.distance(way[i] ?? to, to)))
      .reduce((a, b) => a + b, 0);
  const legs = ways.flatMap(({ way }) => way.slice(1).map((to, i) => [way[i] ?? to, to] as const));
  const key = ({ x, y }: Point): string => `${x} ${y}`;
  const reached = new Map((task.sources ?? [0]).map((one) => [key(task.terminals[one] ?? at(0, 0)), one]));
  const open = new Set(legs);
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const leg of open) {
      const [a, b] = [key(leg[0]), key(leg[1])];
      if (!reached.has(a) && !reached.has(b)) continue;
      expect(reached.has(a) && reached.has(b), 'no ring, no pipe from source to source').toBe(false);
      const by = reached.get(a) ?? reached.get(b) ?? -1;
      for (const end of [a, b]) reached.set(end, by);
      open.delete(leg);
    }
  }
  const fedBy = task.terminals.map((point) => reached.get(key(point)));
  return { fresh: length(null), along: (line: number) => length(line), fedBy, ways, isLeftOver: open.size > 0 };
}

describe('laidPipes along lines', () => {
  it.each([euclidean, rectilinear])('reuses a pipe that lies there at no cost: $name', (metric) => {
    const terminals = [at(0, 0), at(30, 10), at(60, -10), at(80, 10)];
    const found = laid({ metric, terminals, lines: [main] });
    expect(found.fresh).toBeCloseTo(30, 6);
    expect(found.along(0)).toBeCloseTo(80, 6);
    expect(found.fedBy).toEqual([0, 0, 0, 0]);
    expect(found.isLeftOver).toBe(false);
  });

  it('can be ended while a line of many corners is read', () => {
    const points = Array.from({ length: 2000 }, (_, i) => at(i, Math.sin(i)));
    const step = (): void => {
      throw new Error('enough');
    };
    const task = { metric: euclidean, field: new ObstacleField([]), terminals: [], allows: () => true };
    expect(() => new CheapLines([{ points, weight: 0.5 }], { ...task, step })).toThrow('enough');
    const lines = new CheapLines([{ points, weight: 0.5 }], task);
    expect(lines.nodes).toHaveLength(2000);
    expect(lines.way(at(10, Math.sin(10)), at(7, Math.sin(7)))?.way).toEqual(points.slice(7, 11).toReversed());
  });

  it('leaves a pipe alone that lies too far away', () => {
    const far: CheapLine = { points: [at(0, 500), at(100, 500)], weight: 0 };
    const found = laid({ metric: euclidean, terminals: [at(0, 0), at(50, 0)], lines: [far] });
    expect([found.fresh, found.along(0)]).toEqual([50, 0]);
  });

  it.each([
    [0.3, true],
    [0.9, false],
  ])('takes a corridor of weight %f where that is the cheaper way: %s', (weight, isTaken) => {
    const corridor: CheapLine = { points: [at(0, 20), at(100, 20)], weight };
    const found = laid({ metric: rectilinear, terminals: [at(0, 0), at(100, 0)], lines: [corridor] });
    expect(found.fresh).toBeCloseTo(isTaken ? 40 : 100, 6);
    expect(found.along(0)).toBeCloseTo(isTaken ? 100 : 0, 6);
  });

  it('follows no corridor through a house', () => {
    const corridor: CheapLine = { points: [at(0, 0), at(100, 0)], weight: 0.1 };
    const { ways } = laid({
      metric: rectilinear,
      terminals: [at(0, 0), at(100, 0)],
      lines: [corridor],
      barriers: [box(40, -5, 60, 15)],
    });
    for (const { way } of ways)
      for (const { x, y } of way) expect(x > 39.5 && x < 60.5 && y > -5.5 && y < 15.5).toBe(false);
    expect(ways.some(({ line }) => line === 0)).toBe(true);
  });

  it('goes on inside a house from the pipe that leads into it', () => {
    const into: CheapLine = { points: [at(0, 5), at(50, 5)], weight: 0 };
    const terminals = [at(0, 5), at(50, 9)];
    const found = laid({ metric: rectilinear, terminals, lines: [into], barriers: [box(40, 0, 60, 10)] });
    expect(found.fresh).toBeCloseTo(4, 6);
    expect(found.fedBy).toEqual([0, 0]);
  });

  it('feeds each device from the nearer of several sources', () => {
    const terminals = [at(0, 0), at(100, 0), at(10, 5), at(90, 5)];
    const found = laid({ metric: rectilinear, terminals, sources: [0, 1] });
    expect(found.fresh).toBeCloseTo(30, 6);
    expect(found.fedBy).toEqual([0, 1, 0, 1]);
  });

  it('leads no pipe out of a house whose source feeds nothing outside', () => {
    const terminals = [at(-50, 5), at(5, 5), at(15, 5), at(-40, 5)];
    const found = laid({ metric: rectilinear, terminals, sources: [0, 1], barriers: [box(0, 0, 20, 10)] });
    expect(found.fresh).toBeCloseTo(20, 6);
    expect(found.fedBy).toEqual([0, 1, 1, 0]);
  });

  it('enters a house where it is asked to', () => {
    const house = { ...box(40, 0, 60, 10), entry: at(50, 12) };
    const { ways } = laid({ metric: rectilinear, terminals: [at(0, 5), at(50, 5)], barriers: [house] });
    expect(ways.flatMap(({ way }) => way).some(({ x, y }) => x === 50 && Math.abs(y - 10.503) < 1e-3)).toBe(true);
  });

  it.each([
    ['a straight pipe', [at(0, 0), at(100, 0), at(50, 10)], 2 * Math.hypot(50, 10)],
    ['one pipe of a branch', [at(0, 0), at(100, 30), at(100, -30), at(50, 10)], undefined],
  ])('leads %s through a place that is forced', (_, terminals, expected) => {
    const place = terminals.length - 1;
    const { ways, fresh } = laid({ metric: euclidean, terminals, passing: [place] });
    const { x, y } = terminals[place] ?? at(0, 0);
    const touching = ways.filter(({ way }) => [way[0], way.at(-1)].some((end) => end?.x === x && end.y === y));
    expect(touching).toHaveLength(2);
    if (expected !== undefined) expect(fresh).toBeCloseTo(expected, 6);
  });

  it('joins everything by one way each, and costs no more than without lines', () => {
    const coordinate = fc.integer({ min: 0, max: 120 });
    const places = fc.uniqueArray(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 8, selector: String });
    const line = fc.record({
      corners: fc.uniqueArray(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 4, selector: String }),
      weight: fc.constantFrom(0, 0.3, 0.8),
    });
    const scene = fc.record({
      metric: fc.constantFrom(euclidean, rectilinear),
      places,
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      sources: fc.constantFrom([0], [0, 1]),
    });
    fc.assert(
      fc.property(scene, ({ metric, places: sent, lines: drawn, sources }) => {
        const terminals = sent.map(([x, y]) => at(x, y));
        const lines = drawn.map(({ corners, weight }) => ({ points: corners.map(([x, y]) => at(x, y)), weight }));
        const found = laid({ metric, terminals, sources, lines });
        expect(found.fedBy).not.toContain(undefined);
        expect(found.isLeftOver).toBe(false);
        const existing = lines.flatMap(({ points, weight }) => (weight === 0 ? [points] : []));
        const corridors = lines.reduce((sum, { weight }, at) => sum + (weight > 0 ? found.along(at) : 0), 0);
        const bound = lowerBound(metric, terminals, { sources: sources.length, existing });
        if (metric === euclidean) expect(found.fresh + corridors).toBeGreaterThanOrEqual(bound - 1e-6);
        const cost = found.fresh + lines.reduce((sum, { weight }, at) => sum + weight * found.along(at), 0);
        expect(cost).toBeLessThanOrEqual(laid({ metric, terminals, sources }).fresh * (1 + 1e-9));
      }),
      { numRuns: process.env['TEST_SCALE'] === 'long' ? 1000 : 12, endOnFailure: true },
    );
  });
});
