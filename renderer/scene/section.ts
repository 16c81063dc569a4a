import type { Envelope, RoofType, Structure } from '../../server/contract/facility.ts';

/** A point of the cross-section in metres: x to the right from the left end of the drawing, y up from the ground. */
export interface SectionPoint {
  x: number;
  y: number;
}

export interface SectionShape {
  roof_type: RoofType;
  structure: Structure;
  bay_count: number;
  bay_width_m: number;
  eave_height_m: number;
  /** Ridge above the eave; 0 is a flat roof. */
  rise_m: number;
  /** Between detached bays. */
  spacing_m: number;
}

interface DrawnBay {
  /** From 1, as built: after a break the last bay keeps its number. */
  number: number;
  left_m: number;
  /** Roof line from the left eave to the right one. */
  roof: SectionPoint[];
}

export interface Section {
  bays: DrawnBay[];
  /**
   * Drawn width: less than the built one where the drawing is broken, more where an arch higher than half its bay
   * bulges over the walls.
   */
  width_m: number;
  height_m: number;
  /** Middle of the gap for omitted bays; null when all are drawn. */
  break_m: number | null;
}

type RidgeFields = Pick<Envelope, 'eave_height_m' | 'ridge_height_m' | 'ridge_reference' | 'roof_type'>;

/** Ridge above the eave in m, 0 or more, as the contract defines it: see `ridge_reference` of the envelope. */
export function riseOf(envelope: RidgeFields): number {
  const { eave_height_m, ridge_height_m, ridge_reference, roof_type } = envelope;
  if (roof_type === 'flat') return 0;
  const reference = ridge_reference ?? (ridge_height_m >= eave_height_m ? 'ground' : 'eave');
  return Math.max(0, reference === 'ground' ? ridge_height_m - eave_height_m : ridge_height_m);
}

const arcSteps = 32;

/**
 * Roof line of one bay above the level of the eave, from (0, 0) to (width, 0). Gable: two rafters. Arch: the segment of
 * a circle over the chord. Sawtooth: a vertical face at the left, as the wind calculation takes it, and a slope. Flat:
 * one line.
 */
export function roofLine(roof: RoofType, width_m: number, rise_m: number): SectionPoint[] {
  const from = { x: 0, y: 0 };
  const to = { x: width_m, y: 0 };
  if (rise_m <= 0) return [from, to];
  switch (roof) {
    case 'flat':
      return [from, to];
    case 'gable':
      return [from, { x: width_m / 2, y: rise_m }, to];
    case 'sawtooth':
      return [from, { x: 0, y: rise_m }, to];
    case 'arch':
      return arc(width_m, rise_m);
  }
}

/** Segment of a circle with chord W and sagitta f: R = (W2/4 + f2) / 2f, half angle 2 atan(2f/W). */
function arc(width_m: number, rise_m: number): SectionPoint[] {
  const radius_m = (width_m ** 2 / 4 + rise_m ** 2) / (2 * rise_m);
  const half = 2 * Math.atan((2 * rise_m) / width_m);
  return Array.from({ length: arcSteps + 1 }, (_, step) => {
    const angle = -half + (2 * half * step) / arcSteps;
    return {
      x: width_m / 2 + radius_m * Math.sin(angle),
      y: rise_m - radius_m + radius_m * Math.cos(angle),
    };
  });
}

/** The cross-section of a house with at most `mostBays` (2 or more) bays drawn; a break replaces the others. */
export function sectionOf(shape: SectionShape, mostBays: number): Section {
  const { bay_count, bay_width_m, eave_height_m, rise_m } = shape;
  const gap_m = shape.structure === 'single' ? shape.spacing_m : 0;
  const isBroken = bay_count > mostBays;
  const drawn = Math.min(bay_count, mostBays);
  const break_m = isBroken ? bay_width_m * 0.45 : 0;
  const line = roofLine(shape.roof_type, bay_width_m, rise_m);
  const overhang_m = Math.max(0, -Math.min(...line.map(({ x }) => x)));
  const bays = Array.from({ length: drawn }, (_, index): DrawnBay => {
    const isLast = isBroken && index === drawn - 1;
    const left_m = overhang_m + index * (bay_width_m + gap_m) + (isLast ? break_m : 0);
    return {
      number: isLast ? bay_count : index + 1,
      left_m,
      roof: line.map(({ x, y }) => ({ x: x + left_m, y: y + eave_height_m })),
    };
  });
  const last = bays.at(-1);
  return {
    bays,
    width_m: (last?.left_m ?? 0) + bay_width_m + overhang_m,
    height_m: eave_height_m + rise_m,
    break_m: isBroken && last !== undefined ? last.left_m - (break_m + gap_m) / 2 : null,
  };
}

/** Width of the built house in m, spacing between detached bays included. */
export function builtWidth(shape: SectionShape): number {
  const gaps = shape.structure === 'single' ? shape.spacing_m * (shape.bay_count - 1) : 0;
  return shape.bay_count * shape.bay_width_m + gaps;
}

/** The point at a share (0 to 1) of the way along a line, and the way to it in the line's own unit. */
export function pointAlong(line: readonly SectionPoint[], share: number): SectionPoint {
  const steps = line.slice(1).map((to, index) => ({ from: line[index] ?? to, to }));
  const lengths = steps.map(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y));
  let left = lengths.reduce((sum, length) => sum + length, 0) * Math.min(1, Math.max(0, share));
  for (const [index, { from, to }] of steps.entries()) {
    const length = lengths[index] ?? 0;
    if (left <= length && length > 0) {
      const part = left / length;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    }
    left -= length;
  }
  return line.at(-1) ?? { x: 0, y: 0 };
}
