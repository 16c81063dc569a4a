import { isInside } from './obstacle.ts';
import { euclidean, turned, type Point } from './plane.ts';
import type { Step } from './step.ts';
import type { ZoneLayout } from './zone.ts';

export interface OverlapTask {
  layout: ZoneLayout;
  /** Outer ring and holes, m. */
  rings: readonly (readonly Point[])[];
  /** Angle of the lines from the x axis, counter-clockwise. */
  angle_rad: number;
  /** Of each emitter, line after line. */
  flows_l_h: readonly number[];
  /** How far an emitter wets the ground. */
  radius_m: number;
  /** Between lines or emitters, the smaller one. */
  spacing_m: number;
}

/** The distribution of the water on the ground. */
export interface Overlap {
  mean_mm_h: number;
  least_mm_h: number;
  most_mm_h: number;
  /** Mean of the quarter of the ground that gets least over the mean of all (Keller & Karmeli 1974), percent. */
  uniformity_pct: number;
  /** 100 (1 - mean deviation / mean) (Christiansen 1942), percent. */
  christiansen_pct: number;
  cell_m: number;
  cells: { at: Point; mm_h: number }[];
}

/** Maximum points of ground evaluated, and squares shown. */
const mostPoints = 160_000;
const mostCells = 2500;
/** Maximum pairs of an emitter and a point of ground. */
const mostMeetings = 20_000_000;

/**
 * Precipitation of overlapping emitters. An emitter delivers most at its place and nothing at its radius, decreasing
 * linearly (triangular profile: Christiansen, Irrigation by sprinkling, 1942): 3 q / (pi r2) (1 - d / r) mm/h at the
 * distance d. undefined when the ground is so large that points are farther apart than half the radius: circles would
 * fall between them.
 */
export function overlapOf(task: OverlapTask, onEmitter: Step = () => undefined): Overlap | undefined {
  const { layout, rings, angle_rad, flows_l_h, radius_m } = task;
  const level = rings.map((ring) => ring.map((point) => turned(point, -angle_rad)));
  const emitters = emittersOf(layout).map((emitter) => turned(emitter, -angle_rad));
  const grid = gridOver(level, emitters.length, task);
  if (grid.step_m > radius_m / 2) return undefined;
  for (const [at, emitter] of emitters.entries()) {
    onEmitter();
    addRain(grid, emitter, { flow_l_h: flows_l_h[at] ?? 0, radius_m });
  }
  const { wetted, cells, cell_m } = groundOf(grid, level);
  if (wetted.length === 0) return undefined;
  return { ...evenness(wetted), cell_m, cells: cells.map(({ at, mm_h }) => ({ at: turned(at, angle_rad), mm_h })) };
}

/** Points over the box of a turned area: a quarter of a spacing apart, wider if they would be too many. */
function gridOver(
  level: OverlapTask['rings'],
  emitters: number,
  { radius_m, spacing_m }: Pick<OverlapTask, 'radius_m' | 'spacing_m'>,
): Grid {
  const [xs, ys] = [level.flat().map(({ x }) => x), level.flat().map(({ y }) => y)];
  const [west, south] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - west, Math.max(...ys) - south];
  const ground_m2 = width * height;
  const met_m2 = emitters * Math.min(ground_m2, 4 * radius_m * radius_m);
  const least_m2 = Math.max(ground_m2 / mostPoints, met_m2 / mostMeetings);
  const step_m = Math.max(Math.min(spacing_m, radius_m) / 4, Math.sqrt(least_m2));
  const [columns, rows] = [Math.ceil(width / step_m), Math.ceil(height / step_m)];
  return { west, south, step_m, columns, rows, rain: new Float64Array(columns * rows) };
}

/** Precipitation at each point of an area, and as squares of several points. */
function groundOf(
  { west, south, step_m, columns, rows, rain }: Grid,
  level: OverlapTask['rings'],
): { wetted: number[]; cell_m: number; cells: { at: Point; mm_h: number }[] } {
  const merged = Math.max(1, Math.ceil(Math.sqrt((columns * rows) / mostCells)));
  const cell_m = step_m * merged;
  const across = Math.ceil(columns / merged);
  const wetted: number[] = [];
  const sums = new Map<number, { sum: number; count: number }>();
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (!isInside({ x: west + (column + 0.5) * step_m, y: south + (row + 0.5) * step_m }, level)) continue;
      const mm_h = rain[row * columns + column] ?? 0;
      wetted.push(mm_h);
      const cell = Math.floor(row / merged) * across + Math.floor(column / merged);
      const { sum, count } = sums.get(cell) ?? { sum: 0, count: 0 };
      sums.set(cell, { sum: sum + mm_h, count: count + 1 });
    }
  }
  const middle = (cell: number): Point => ({
    x: west + ((cell % across) + 0.5) * cell_m,
    y: south + (Math.floor(cell / across) + 0.5) * cell_m,
  });
  return {
    wetted,
    cell_m,
    cells: [...sums].map(([cell, { sum, count }]) => ({ at: middle(cell), mm_h: sum / count })),
  };
}

/** Points in rows from the south-west, with their precipitation, mm/h. */
interface Grid {
  west: number;
  south: number;
  step_m: number;
  columns: number;
  rows: number;
  rain: Float64Array;
}

function addRain(
  { west, south, step_m, columns, rows, rain }: Grid,
  emitter: Point,
  { flow_l_h, radius_m }: { flow_l_h: number; radius_m: number },
): void {
  const most_mm_h = (3 * flow_l_h) / (Math.PI * radius_m * radius_m);
  const [x, y] = [emitter.x - west, emitter.y - south];
  const range = (at: number, count: number): [number, number] => [
    Math.max(0, Math.floor((at - radius_m) / step_m)),
    Math.min(count - 1, Math.ceil((at + radius_m) / step_m)),
  ];
  const [[left, right], [low, high]] = [range(x, columns), range(y, rows)];
  for (let row = low; row <= high; row += 1) {
    for (let column = left; column <= right; column += 1) {
      const away = Math.hypot((column + 0.5) * step_m - x, (row + 0.5) * step_m - y);
      const at = row * columns + column;
      if (away < radius_m) rain[at] = (rain[at] ?? 0) + most_mm_h * (1 - away / radius_m);
    }
  }
}

function evenness(rain: number[]): Omit<Overlap, 'cell_m' | 'cells'> {
  rain.sort((one, other) => one - other);
  const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const mean_mm_h = meanOf(rain);
  const quarter = rain.slice(0, Math.max(1, Math.ceil(rain.length / 4)));
  const deviation = meanOf(rain.map((one) => Math.abs(one - mean_mm_h)));
  return {
    mean_mm_h,
    least_mm_h: rain[0] ?? 0,
    most_mm_h: rain.at(-1) ?? 0,
    uniformity_pct: mean_mm_h === 0 ? 0 : (100 * meanOf(quarter)) / mean_mm_h,
    christiansen_pct: mean_mm_h === 0 ? 0 : Math.max(0, 100 * (1 - deviation / mean_mm_h)),
  };
}

/** Places of the emitters, line after line. */
function emittersOf({ laterals }: ZoneLayout): Point[] {
  return laterals.flatMap(({ from, to, emitters_m }) => {
    const length = euclidean.distance(from, to);
    return emitters_m.map((along) => ({
      x: from.x + ((to.x - from.x) * along) / length,
      y: from.y + ((to.y - from.y) * along) / length,
    }));
  });
}
