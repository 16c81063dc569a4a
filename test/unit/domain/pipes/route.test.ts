import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../../server/domain/pipes/lower-bound.ts';
import { euclidean, rectilinear, type Point } from '../../../../server/domain/pipes/plane.ts';
import { NoWayError, routePipes, type Barrier } from '../../../../server/domain/pipes/route.ts';

const runs = process.env['TEST_SCALE'] === 'long' ? 1000 : 40;
const at = (x: number, y: number): Point => ({ x, y });

function box(west: number, south: number, east: number, north: number): Point[] {
  return [at(west, south), at(east, south), at(east, north), at(west, north)];
}

function house(ring: readonly Point[], more: Partial<Barrier> = {}): Barrier {
  return { rings: [ring], clearance_m: 0.5, canEnter: true, ...more };
}

/** Distance of a point from a ring's line, by the formula for one segment: no code of the router. */
function outlineDistance(p: Point, ring: readonly Point[]): number {
  return ring.reduce((best, a, index) => {
    const b = ring[(index + 1) % ring.length] ?? a;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const t = Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)));
    return Math.min(best, Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy));
  }, Infinity);
}

/** By the sum of the angles that the corners span (winding number). */
function isIn(p: Point, ring: readonly Point[]): boolean {
  const turns = ring.reduce((sum, a, index) => {
    const b = ring[(index + 1) % ring.length] ?? a;
    const angle = Math.atan2(b.y - p.y, b.x - p.x) - Math.atan2(a.y - p.y, a.x - p.x);
    return sum + Math.atan2(Math.sin(angle), Math.cos(angle));
  }, 0);
  return Math.abs(turns) > Math.PI;
}

/** The least distance that pipes keep from a house, 0 inside, looked at every 5 cm. */
function nearestApproach(pipes: readonly (readonly Point[])[], ring: readonly Point[]): number {
  let least = Infinity;
  for (const way of pipes) {
    for (const [index, to] of way.entries()) {
      const from = way[index - 1];
      if (from === undefined) continue;
      const steps = Math.ceil(euclidean.distance(from, to) / 0.05);
      for (let step = 0; step <= steps; step += 1) {
        const p = at(from.x + ((to.x - from.x) * step) / steps, from.y + ((to.y - from.y) * step) / steps);
        least = Math.min(least, isIn(p, ring) ? 0 : outlineDistance(p, ring));
      }
    }
  }
  return least;
}

/** Whether pipes lead from the first terminal to all others. */
function isJoined(pipes: readonly (readonly Point[])[], terminals: readonly Point[]): boolean {
  const key = ({ x, y }: Point): string => `${x} ${y}`;
  const reached = new Set([key(terminals[0] ?? at(0, 0))]);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const way of pipes) if (way.some((p) => reached.has(key(p)))) for (const p of way) reached.add(key(p));
  }
  return terminals.every((p) => reached.has(key(p)));
}

function lengthOf(pipes: readonly (readonly Point[])[]): number {
  return pipes
    .flatMap((way) => way.slice(1).map((to, i) => euclidean.distance(way[i] ?? to, to)))
    .reduce((a, b) => a + b, 0);
}

describe('routePipes among houses', () => {
  it('goes around a house by the shorter side', () => {
    const barriers = [house(box(-2, -5, 2, 10))];
    const terminals = [at(-10, 0), at(10, 0)];
    const around = routePipes({ metric: euclidean, terminals, barriers });
    expect(lengthOf(around)).toBeCloseTo(2 * Math.hypot(7.5, 5.5) + 5, 1);
    expect(lengthOf(routePipes({ metric: rectilinear, terminals, barriers }))).toBeCloseTo(20 + 11, 1);
    expect(nearestApproach(around, box(-2, -5, 2, 10))).toBeGreaterThanOrEqual(0.5);
  });

  it('enters a house by one pipe to what stands in it', () => {
    const ring = box(0, 0, 20, 10);
    const terminals = [at(-30, 5), at(5, 5), at(10, 8), at(15, 2), at(40, 5), at(-30, 30)];
    const pipes = routePipes({ metric: rectilinear, terminals, barriers: [house(ring)] });
    expect(isJoined(pipes, terminals)).toBe(true);
    const through = pipes.flatMap((way) => way.slice(1).map((to, i) => [way[i] ?? to, to] as const));
    expect(through.filter(([a, b]) => isIn(a, ring) !== isIn(b, ring))).toHaveLength(1);
  });

  it('keeps its clearance to a device that stands at the wall of a house', () => {
    const ring = box(0, 0, 20, 10);
    const terminals = [at(-0.2, 5), at(40, 5)];
    const pipes = routePipes({ metric: euclidean, terminals, barriers: [house(ring)] });
    expect(isJoined(pipes, terminals)).toBe(true);
    expect(nearestApproach(pipes, ring)).toBeGreaterThan(0.19);
  });

  it('finds pipes of any direction among long houses that are no longer than along two', () => {
    const places = Array.from({ length: 16 }, (_, i) => at((i % 4) * 15, Math.floor(i / 4) * 60));
    const barriers = places.map(({ x, y }) => house(box(x, y, x + 8, y + 50)));
    const terminals = places.map(({ x, y }) => at(x + 4, y + 25));
    const along = lengthOf(routePipes({ metric: rectilinear, terminals, barriers }));
    expect(lengthOf(routePipes({ metric: euclidean, terminals, barriers }))).toBeLessThanOrEqual(along);
  });

  it.each([
    ['in ground that is not dug up', [house(box(0, 0, 10, 10), { canEnter: false })], [1]],
    [
      'in a yard without a way out',
      [{ rings: [box(-5, -5, 15, 15), box(0, 0, 10, 10)], clearance_m: 0.5, canEnter: false }],
      [1],
    ],
  ])('names what stands %s', (_, barriers, expected) => {
    const terminals = [at(-30, 5), at(5, 5), at(-40, 8)];
    expect(() => routePipes({ metric: euclidean, terminals, barriers })).toThrow(NoWayError);
    try {
      routePipes({ metric: euclidean, terminals, barriers });
    } catch (error) {
      expect((error as NoWayError).terminals).toEqual(expected);
    }
  });

  it('ends when the caller wants it to', () => {
    const terminals = Array.from({ length: 30 }, (__, i) => at((i * 37) % 101, (i * 53) % 97));
    const step = (): never => {
      throw new Error('cancelled');
    };
    expect(() => routePipes({ metric: euclidean, terminals, barriers: [], step })).toThrow('cancelled');
  });

  it.each([rectilinear, euclidean])('tells how far it is in small steps: $name', (metric) => {
    const terminals = Array.from({ length: 150 }, (__, i) => at((i * 37) % 1009, (i * 53) % 997));
    const told: number[] = [];
    const barriers = [house(box(300, 300, 330, 340))];
    routePipes({ metric, terminals, barriers, step: (done = 0) => void told.push(done) });
    const total = told.reduce((sum, done) => sum + done, 0);
    expect(total / terminals.length).toBeCloseTo(1, 1);
    expect(Math.max(...told) / terminals.length).toBeLessThan(0.2);
  });

  const coordinate = fc.integer({ min: 0, max: 1200 }).map((n) => n / 10);
  const scene = fc.record({
    metric: fc.constantFrom(euclidean, rectilinear),
    terminals: fc.uniqueArray(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 9, selector: String }),
    houses: fc.array(
      fc.record({
        x: coordinate,
        y: coordinate,
        width: fc.integer({ min: 3, max: 25 }),
        length: fc.integer({ min: 3, max: 50 }),
        turn: fc.constantFrom(0, 0, 0.3, 1.1),
      }),
      { maxLength: 7 },
    ),
    clearance_m: fc.constantFrom(0, 0.5, 2),
  });

  it('joins everything, crosses no house, and is never shorter than its bound', () => {
    fc.assert(
      fc.property(scene, ({ metric, terminals: sent, houses, clearance_m }) => {
        const terminals = sent.map(([x, y]) => at(x, y));
        const rings = houses.map(({ x, y, width, length, turn }) =>
          box(0, 0, width, length).map((p) =>
            at(x + p.x * Math.cos(turn) - p.y * Math.sin(turn), y + p.x * Math.sin(turn) + p.y * Math.cos(turn)),
          ),
        );
        const barriers = rings.map((ring) => house(ring, { clearance_m }));
        let pipes: (readonly Point[])[];
        try {
          pipes = routePipes({ metric, terminals, barriers });
        } catch (error) {
          // Houses that overlap may close a device in; it is said, not crossed.
          expect(error).toBeInstanceOf(NoWayError);
          return;
        }
        expect(isJoined(pipes, terminals)).toBe(true);
        expect(lengthOf(pipes)).toBeGreaterThanOrEqual(lowerBound(metric, terminals) - 1e-6);
        for (const ring of rings) {
          const own = terminals.filter((p) => isIn(p, ring) || outlineDistance(p, ring) <= clearance_m + 0.01);
          if (own.length > 0) continue;
          expect(nearestApproach(pipes, ring)).toBeGreaterThanOrEqual(clearance_m === 0 ? 1e-9 : clearance_m);
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
