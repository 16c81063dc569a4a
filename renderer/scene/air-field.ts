import { baysOf, type Outline } from './bays.ts';
import type { Spot } from './sensors.ts';

export interface Sample extends Spot {
  value: number;
}

interface FieldCell extends Spot {
  wide_m: number;
  long_m: number;
  value: number;
}

export interface AirField {
  cells: FieldCell[];
  least: number;
  most: number;
}

/** A sensor is not representative of the air further away than this, m. */
export const sensorReach_m = 15;
const cellsAcross = 1.2;
const mostCells = 4_000;

/**
 * The air between sensors at known places, on a grid of the floor: inverse distance weighting with the square of the
 * distance (Shepard 1968, A two-dimensional interpolation function for irregularly-spaced data). Only houses with two
 * sensors or more, and only within `sensorReach_m` of one, have values; null where there is nothing to show.
 */
export function airField(outline: Outline, samples: readonly Sample[]): AirField | null {
  const cells = housesOf(outline).flatMap(({ left_m, right_m }) => {
    const own = samples.filter(({ x }) => x >= left_m - 0.5 && x <= right_m + 0.5);
    return own.length < 2 ? [] : cellsOf({ left_m, right_m, length_m: outline.length_m }, own);
  });
  if (cells.length === 0) return null;
  const values = cells.map(({ value }) => value);
  return { cells, least: Math.min(...values), most: Math.max(...values) };
}

/** Spans of air without a wall between. */
function housesOf(outline: Outline): { left_m: number; right_m: number }[] {
  const bays = baysOf(outline);
  const first = bays[0];
  const last = bays.at(-1);
  if (outline.structure === 'single') return bays;
  return first === undefined || last === undefined ? [] : [{ left_m: first.left_m, right_m: last.right_m }];
}

function cellsOf(
  house: { left_m: number; right_m: number; length_m: number },
  samples: readonly Sample[],
): FieldCell[] {
  const width_m = house.right_m - house.left_m;
  const side_m = Math.max(cellsAcross, Math.sqrt((width_m * house.length_m) / mostCells));
  const [columns, rows] = [Math.max(1, Math.round(width_m / side_m)), Math.max(1, Math.round(house.length_m / side_m))];
  const [wide_m, long_m] = [width_m / columns, house.length_m / rows];
  return Array.from({ length: columns * rows }, (_, index) => {
    const x = house.left_m + ((index % columns) + 0.5) * wide_m;
    const z = -house.length_m / 2 + (Math.floor(index / columns) + 0.5) * long_m;
    const value = shepard(samples, { x, z });
    return value === null ? null : { x, z, wide_m, long_m, value };
  }).filter((cell) => cell !== null);
}

function shepard(samples: readonly Sample[], at: Spot): number | null {
  let [sum, weights, nearest_m] = [0, 0, Infinity];
  for (const { x, z, value } of samples) {
    const away_m = Math.hypot(x - at.x, z - at.z);
    const weight = 1 / Math.max(1e-6, away_m ** 2);
    nearest_m = Math.min(nearest_m, away_m);
    sum += weight * value;
    weights += weight;
  }
  return nearest_m > sensorReach_m ? null : sum / weights;
}
