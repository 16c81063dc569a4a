import type { Face } from '../../server/contract/facility.ts';
import { builtWidth, roofLine, type SectionPoint, type SectionShape } from './section.ts';
import type { Vec } from './part.ts';

/** What determines the outside of a house. */
export interface Outline extends SectionShape {
  length_m: number;
}

/** A bay as it stands, x from the middle of the house. */
export interface Bay {
  left_m: number;
  right_m: number;
  /** Whether its wall is an outer one; gutter-connected bays have none between them. */
  hasLeftWall: boolean;
  hasRightWall: boolean;
}

export function baysOf(outline: Outline): Bay[] {
  const isDetached = outline.structure === 'single';
  const step_m = outline.bay_width_m + (isDetached ? outline.spacing_m : 0);
  const first_m = -builtWidth(outline) / 2;
  return Array.from({ length: outline.bay_count }, (_, index) => ({
    left_m: first_m + index * step_m,
    right_m: first_m + index * step_m + outline.bay_width_m,
    hasLeftWall: isDetached || index === 0,
    hasRightWall: isDetached || index === outline.bay_count - 1,
  }));
}

/**
 * A face of the house, or of one of its bays, on which openings lie. It is as long as `along_m` and goes down, from
 * where flaps are hinged, by `line` (two points where it is flat).
 */
export interface Field {
  along_m: number;
  /** Unit vector of its length. */
  way: Vec;
  /** Where its length begins, at the upper end of `line`. */
  from: Vec;
  /** From the upper end down, in x and y of the section where `way` is z; of a wall straight down. */
  line: readonly SectionPoint[];
  outward: Vec;
}

/** The fields of a face, one a bay or house. The wall of a house's end ends at the eave. */
export function fieldsOf(face: Exclude<Face, 'ridge'>, outline: Outline): Field[] {
  const { length_m, eave_height_m: eave_m, bay_width_m: width_m } = outline;
  const bays = baysOf(outline);
  const wall = [
    { x: 0, y: 0 },
    { x: 0, y: -eave_m },
  ];
  switch (face) {
    case 'left':
    case 'right': {
      const isLeft = face === 'left';
      return bays
        .filter((bay) => (isLeft ? bay.hasLeftWall : bay.hasRightWall))
        .map((bay) => ({
          along_m: length_m,
          way: [0, 0, 1],
          from: [isLeft ? bay.left_m : bay.right_m, eave_m, -length_m / 2],
          line: wall,
          outward: [isLeft ? -1 : 1, 0, 0],
        }));
    }
    case 'front':
    case 'back': {
      const side = face === 'front' ? -1 : 1;
      return bays.map((bay) => ({
        along_m: width_m,
        way: [1, 0, 0],
        from: [bay.left_m, eave_m, (side * length_m) / 2],
        line: wall,
        outward: [0, 0, side],
      }));
    }
    case 'roof_left':
    case 'roof_right':
      return bays.map((bay) => roofField(face, bay, outline));
  }
}

function roofField(face: 'roof_left' | 'roof_right', bay: Bay, outline: Outline): Field {
  const line = slopeLine(face, outline);
  const top = line[0] ?? { x: 0, y: 0 };
  const foot = line.at(-1) ?? top;
  const [dx, dy] = [foot.x - top.x, foot.y - top.y];
  const long = Math.hypot(dx, dy) || 1;
  // Perpendicular to the slope as a whole, away from the inside.
  const turn = face === 'roof_right' ? 1 : -1;
  return {
    along_m: outline.length_m,
    way: [0, 0, 1],
    from: [bay.left_m + top.x, outline.eave_height_m + top.y, -outline.length_m / 2],
    line: line.map(({ x, y }) => ({ x: x - top.x, y: y - top.y })),
    outward: [(-dy / long) * turn, (dx / long) * turn, 0],
  };
}

/** One half of the roof line from its top down; of a sawtooth the left one is its upright face. */
function slopeLine(face: 'roof_left' | 'roof_right', outline: Outline): SectionPoint[] {
  const whole = roofLine(outline.roof_type, outline.bay_width_m, outline.rise_m);
  if (whole.length === 2) whole.splice(1, 0, { x: outline.bay_width_m / 2, y: 0 });
  const top = whole.reduce((best, point, index) => (point.y > (whole[best]?.y ?? 0) + 1e-9 ? index : best), 1);
  return face === 'roof_right' ? whole.slice(top) : whole.slice(0, top + 1).toReversed();
}

export function lineLength(line: readonly SectionPoint[]): number {
  return line
    .slice(1)
    .reduce((sum, to, index) => sum + Math.hypot(to.x - (line[index]?.x ?? 0), to.y - (line[index]?.y ?? 0)), 0);
}
