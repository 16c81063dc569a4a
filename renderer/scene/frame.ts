import type { FacilityPreset } from '../../server/contract/facility.ts';
import { baysOf, type Bay, type Outline } from './bays.ts';
import type { Part, Primitive, Vec } from './part.ts';
import { pointAlong, roofLine, type SectionPoint } from './section.ts';

type Bar = Extract<Primitive, { kind: 'bar' }>;

/** Frames of all bays together, so that 200 bays cost what a large house does. */
const mostFrames = 400;
const hoopSteps = 12;

/** Posts, gutters, rafters or hoops, and ridges, spaced as usual: a picture of the structure, not its statics. */
export function framePart(outline: Outline): Part {
  const shapes = baysOf(outline).flatMap((bay) => [...lengthwise(outline, bay), ...across(outline, bay)]);
  return {
    id: 'frame',
    category: 'frame',
    role: 'frame',
    kind: 'frame',
    name: '',
    size: {},
    isAssumed: true,
    place: [0, outline.eave_height_m, 0],
    motion: { kind: 'fixed', shapes },
    drives: [],
  };
}

/** Positions of the frames along the length. */
function framePlaces(outline: Outline): number[] {
  const usual_m = outline.roof_type === 'arch' ? 2 : 4;
  const most = Math.max(2, Math.floor(mostFrames / outline.bay_count));
  const gaps = Math.max(1, Math.min(most - 1, Math.round(outline.length_m / usual_m)));
  return Array.from({ length: gaps + 1 }, (_, index) => -outline.length_m / 2 + (outline.length_m * index) / gaps);
}

const bar = (from: Vec, to: Vec, thick_m: number): Bar => ({ kind: 'bar', from, to, thick_m });

function lengthwise(outline: Outline, bay: Bay): Bar[] {
  const { length_m, eave_height_m, rise_m, roof_type } = outline;
  const run = (x: number, y: number, thick_m: number): Bar => bar([x, y, -length_m / 2], [x, y, length_m / 2], thick_m);
  const ridge = ridgeOf(outline);
  const isFilm = roof_type === 'arch';
  return [
    run(bay.left_m, eave_height_m, isFilm ? 0.06 : 0.16),
    ...(bay.hasRightWall ? [run(bay.right_m, eave_height_m, isFilm ? 0.06 : 0.16)] : []),
    ...(rise_m > 0 ? [run(bay.left_m + ridge.x, eave_height_m + ridge.y, isFilm ? 0.05 : 0.1)] : []),
  ];
}

function ridgeOf({ roof_type, bay_width_m, rise_m }: Outline): SectionPoint {
  return roofLine(roof_type, bay_width_m, rise_m).reduce((top, point) => (point.y > top.y ? point : top));
}

function across(outline: Outline, bay: Bay): Bar[] {
  const { eave_height_m: eave_m, roof_type, bay_width_m, rise_m } = outline;
  const isFilm = roof_type === 'arch';
  const whole = roofLine(roof_type, bay_width_m, rise_m);
  const line = isFilm ? Array.from({ length: hoopSteps + 1 }, (_, step) => pointAlong(whole, step / hoopSteps)) : whole;
  return framePlaces(outline).flatMap((z) => {
    const at = ({ x, y }: SectionPoint): Vec => [bay.left_m + x, eave_m + y, z];
    const rafters = line.slice(1).map((to, index) => bar(at(line[index] ?? to), at(to), isFilm ? 0.04 : 0.06));
    const post = (x: number): Bar => bar([x, 0, z], [x, eave_m, z], isFilm ? 0.05 : 0.1);
    const tie =
      isFilm && bay.hasLeftWall && bay.hasRightWall
        ? []
        : [bar(at({ x: 0, y: 0 }), at({ x: bay_width_m, y: 0 }), 0.05)];
    return [...rafters, post(bay.left_m), ...(bay.hasRightWall ? [post(bay.right_m)] : []), ...tie];
  });
}

const withCrop: ReadonlySet<FacilityPreset> = new Set<FacilityPreset>([
  'greenhouse',
  'plastic_house',
  'venlo',
  'nursery',
]);
const rowEvery_m = 1.6;
const mostRows = 200;

/** Rows along the house: a crop for scale, which users do not enter. null in a house for another purpose. */
export function cropPart(outline: Outline, preset: FacilityPreset): Part | null {
  if (!withCrop.has(preset)) return null;
  const size = rowSize(outline);
  const shapes = rowPlaces(outline).map((x): Primitive => ({
    kind: 'box',
    centre: [x, size[1] / 2 + 0.15, 0],
    size,
  }));
  return {
    id: 'crop',
    category: 'crop',
    role: 'crop',
    kind: 'crop',
    name: '',
    size: {},
    isAssumed: true,
    place: [0, 0.5, 0],
    motion: { kind: 'fixed', shapes },
    drives: [],
  };
}

function rowSize({ length_m, eave_height_m, bay_width_m }: Outline): Vec {
  const path_m = Math.min(2, length_m * 0.08);
  return [Math.min(0.7, bay_width_m * 0.3), Math.min(1.1, eave_height_m * 0.4), Math.max(0.1, length_m - 2 * path_m)];
}

/** Middles of the rows, x in m: also where drip lines and heating pipes lie. */
export function rowPlaces(outline: Outline): number[] {
  const rows = Math.max(1, Math.floor((outline.bay_width_m - 0.6) / rowEvery_m));
  const each = Math.max(1, Math.min(rows, Math.floor(mostRows / outline.bay_count)));
  return baysOf(outline).flatMap(({ left_m }) =>
    Array.from({ length: each }, (_, index) => left_m + (outline.bay_width_m * (index + 0.5)) / each),
  );
}
