/**
 * Metres: x from the left wall to the right one, y up, z from the front to the back; the middle of the floor is 0, 0,
 * 0.
 */
export type Vec = readonly [x: number, y: number, z: number];

/** Kinds of parts that are shown and hidden together: the keys of `view_3d.category_visibility`. */
export const categories = [
  'covering',
  'frame',
  'openings',
  'curtains',
  'fans',
  'equipment',
  'pipes',
  'lighting',
  'sensors',
  'weather',
  'crop',
] as const;
export type Category = (typeof categories)[number];

/** A shape to draw. */
export type Primitive =
  | { kind: 'sheet'; outline: readonly Vec[]; holes?: readonly (readonly Vec[])[] }
  | { kind: 'bar'; from: Vec; to: Vec; thick_m: number }
  | { kind: 'box'; centre: Vec; size: Vec }
  | { kind: 'disc'; centre: Vec; axis: Vec; radius_m: number };

/** A rectangle in space, `edge` from one corner to the next, `reach` from that edge to the opposite one. */
export interface Pane {
  corner: Vec;
  edge: Vec;
  reach: Vec;
  /** Unit vector to the outside of the house. */
  outward: Vec;
}

/** How a part looks in each position, 0 to 100 %. */
export type Motion =
  | { kind: 'fixed'; shapes: readonly Primitive[] }
  /** Swings out about its edge. */
  | { kind: 'hinged'; panes: readonly Pane[] }
  /** Rolls up to its edge: open at 100 %. */
  | { kind: 'rolled'; panes: readonly Pane[] }
  /** Drawn out from its edge: closed at 100 %. */
  | { kind: 'drawn'; panes: readonly Pane[] }
  /** Looks one way at 0 % and another above; `always` is there in both. */
  | { kind: 'switched'; always: readonly Primitive[]; off: readonly Primitive[]; on: readonly Primitive[] };

/** An output's channel that moves a part; the device's lowest where the channel is null. */
export interface Drive {
  device_id: string;
  channel: number | null;
}

/** The kind of a part, for its name and its look. */
export type PartRole =
  | 'roof'
  | 'side_wall'
  | 'end_wall'
  | 'frame'
  | 'crop'
  | 'opening'
  | 'curtain'
  | 'fan'
  | 'actuator'
  | 'sensor';

/** A part of the house: what it is, how large, where, and what moves it. */
export interface Part {
  id: string;
  category: Category;
  role: PartRole;
  /** Which of its role: a face, a kind of fan or curtain, the role of an actuator or sensor. */
  kind: string;
  /** The user's name for it; empty when the kind is enough. */
  name: string;
  /** Its known size; `area_m2` and `count` are totals, the others are for one piece. */
  size: { area_m2?: number; width_m?: number; height_m?: number; length_m?: number; count?: number };
  /** Whether place and size are the usual ones because none were entered. */
  isAssumed: boolean;
  /** Position of its label. */
  place: Vec;
  motion: Motion;
  drives: readonly Drive[];
}

/** 0 to 100 %; `unknown` where a device does not say, `undriven` where no device moves it. */
export type PartState = number | 'unknown' | 'undriven';

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const times = (a: Vec, factor: number): Vec => [a[0] * factor, a[1] * factor, a[2] * factor];
export const lengthOf = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);

/** Corners of a pane. */
export function cornersOf({ corner, edge, reach }: Pane): Vec[] {
  return [corner, add(corner, edge), add(add(corner, edge), reach), add(corner, reach)];
}

/** Area of a flat outline without its holes, m2: half of Newell's normal. */
export function sheetArea(sheet: { outline: readonly Vec[]; holes?: readonly (readonly Vec[])[] }): number {
  return outlineArea(sheet.outline) - (sheet.holes ?? []).reduce((sum, hole) => sum + outlineArea(hole), 0);
}

function outlineArea(outline: readonly Vec[]): number {
  let normal: Vec = [0, 0, 0];
  for (const [index, [x, y, z]] of outline.entries()) {
    const [u, v, w] = outline[(index + 1) % outline.length] ?? [x, y, z];
    normal = add(normal, [(y - v) * (z + w), (z - w) * (x + u), (x - u) * (y + v)]);
  }
  return lengthOf(normal) / 2;
}
