import { baysOf, fieldsOf, lineLength, type Field, type Outline } from './bays.ts';
import type { Cut } from './openings.ts';
import { add, sheetArea, times, type Part, type PartRole, type Primitive, type Vec } from './part.ts';
import { pointAlong, roofLine } from './section.ts';

type Sheet = Extract<Primitive, { kind: 'sheet' }>;

interface Rectangle {
  from_m: number;
  to_m: number;
  top_m: number;
  foot_m: number;
}

/**
 * The covering with its openings cut out: walls, ends and roof. Closed it has the area by which the loads are
 * calculated.
 */
export function coveringParts(outline: Outline, cuts: readonly Cut[]): Part[] {
  const walls = (['left', 'right'] as const).flatMap((face) => stripsOf(outline, face, cuts));
  const roof = (['roof_left', 'roof_right'] as const).flatMap((face) => stripsOf(outline, face, cuts));
  const ends = (['front', 'back'] as const).flatMap((face) => endsOf(outline, face, cuts));
  const top_m = outline.eave_height_m + outline.rise_m;
  return [
    coveringPart('side_wall', walls, [0, outline.eave_height_m / 2, 0]),
    coveringPart('end_wall', ends, [0, outline.eave_height_m / 2, -outline.length_m / 2]),
    coveringPart('roof', roof, [0, top_m, 0]),
  ];
}

function coveringPart(role: PartRole, shapes: Sheet[], place: Vec): Part {
  return {
    id: role,
    category: 'covering',
    role,
    kind: role,
    name: '',
    place,
    size: { area_m2: shapes.reduce((sum, sheet) => sum + sheetArea(sheet), 0) },
    isAssumed: false,
    motion: { kind: 'fixed', shapes },
    drives: [],
  };
}

/** A face as flat strips, less what its openings take. */
function stripsOf(
  outline: Outline,
  face: 'left' | 'right' | 'roof_left' | 'roof_right',
  cuts: readonly Cut[],
): Sheet[] {
  return fieldsOf(face, outline).flatMap((field, index) => {
    const own = cuts.filter((cut) => cut.face === face && cut.field === index);
    let top_m = 0;
    return field.line.slice(1).flatMap((to, step) => {
      const from = field.line[step] ?? to;
      const foot_m = top_m + Math.hypot(to.x - from.x, to.y - from.y);
      const strip = { from_m: 0, to_m: field.along_m, top_m, foot_m };
      top_m = foot_m;
      return own
        .reduce<Rectangle[]>((left, cut) => left.flatMap((one) => without(one, cut)), [strip])
        .map((one) => sheetOf(field, one));
    });
  });
}

/** What remains of a rectangle when another is cut out, in up to four pieces. */
function without(whole: Rectangle, cut: Rectangle): Rectangle[] {
  const from_m = Math.max(whole.from_m, cut.from_m);
  const to_m = Math.min(whole.to_m, cut.to_m);
  const top_m = Math.max(whole.top_m, cut.top_m);
  const foot_m = Math.min(whole.foot_m, cut.foot_m);
  if (from_m >= to_m || top_m >= foot_m) return [whole];
  return [
    { ...whole, to_m: from_m },
    { ...whole, from_m: to_m },
    { from_m, to_m, top_m: whole.top_m, foot_m: top_m },
    { from_m, to_m, top_m: foot_m, foot_m: whole.foot_m },
  ].filter((one) => one.to_m - one.from_m > 1e-9 && one.foot_m - one.top_m > 1e-9);
}

function sheetOf(field: Field, { from_m, to_m, top_m, foot_m }: Rectangle): Sheet {
  const long_m = lineLength(field.line);
  const at = (down_m: number, along_m: number): Vec => {
    const { x, y } = pointAlong(field.line, down_m / long_m);
    return add(add(field.from, [x, y, 0]), times(field.way, along_m));
  };
  return { kind: 'sheet', outline: [at(top_m, from_m), at(top_m, to_m), at(foot_m, to_m), at(foot_m, from_m)] };
}

/** The ends of all bays: wall and what the roof closes above it, with doors and windows as holes. */
function endsOf(outline: Outline, face: 'front' | 'back', cuts: readonly Cut[]): Sheet[] {
  const line = roofLine(outline.roof_type, outline.bay_width_m, outline.rise_m);
  const z = ((face === 'front' ? -1 : 1) * outline.length_m) / 2;
  return baysOf(outline).map((bay, index): Sheet => {
    const point = (x: number, y: number): Vec => [bay.left_m + x, y, z];
    const eave_m = outline.eave_height_m;
    const holes = cuts
      .filter((cut) => cut.face === face && cut.field === index)
      .map(({ from_m, to_m, top_m, foot_m }) => [
        point(from_m, eave_m - foot_m),
        point(to_m, eave_m - foot_m),
        point(to_m, eave_m - top_m),
        point(from_m, eave_m - top_m),
      ]);
    const outlineOfEnd = [point(0, 0), ...line.map(({ x, y }) => point(x, eave_m + y)), point(outline.bay_width_m, 0)];
    return { kind: 'sheet', outline: outlineOfEnd, ...(holes.length > 0 && { holes }) };
  });
}
