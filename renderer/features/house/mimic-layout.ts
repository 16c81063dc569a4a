import type { ActuatorRole } from '../../../server/contract/facility.ts';
import { pointAlong, sectionOf, type SectionPoint, type SectionShape } from '../../scene/section.ts';
import { flapEnd, type RoleState } from './mimic.ts';

/** Heights on screen, px: room between floor and eave for two rows of devices and the values. */
export const wallPx = 236;
const mostRoofPx = 96;
const headroomPx = 34;
/** Below this width the drawing has narrow margins. */
const narrowPx = 560;
/** Narrower bays would show neither vent nor curtain; bays in the middle are left out instead. */
const leastBayPx = 26;

/** A vent: the part of the covering that it closes, and the present position of its free end. */
export interface Flap {
  hinge: SectionPoint;
  rest: SectionPoint;
  end: SectionPoint;
}

interface MimicBay {
  number: number;
  left: number;
  right: number;
  roof: SectionPoint[];
}

/** Everything in the drawing, px, y down. */
export interface MimicLayout {
  isNarrow: boolean;
  ground: number;
  eave: number;
  bays: MimicBay[];
  inside: { left: number; right: number; middle: number };
  /** Posts of gutter-connected bays. */
  posts: number[];
  /** Lines of the covering, one per bay: the roof, with the bay's walls. */
  covers: SectionPoint[][];
  /** Middle of the gap for omitted bays; null when all are drawn. */
  gap: number | null;
}

/**
 * Lays out the cross-section of a house as a picture of its state, `width` px wide. Walls and roof have separate
 * scales, so that a low, wide house still has room for its contents.
 */
export function layOut(shape: SectionShape, width: number): MimicLayout {
  const isNarrow = width < narrowPx;
  const side = isNarrow ? 40 : 104;
  const room = Math.max(1, width - 2 * side);
  const section = sectionOf(shape, Math.max(2, Math.floor(room / leastBayPx)));
  const scale = room / section.width_m;
  const roofPx = Math.min(mostRoofPx, shape.rise_m * scale);
  const eave = headroomPx + roofPx;
  const ground = eave + wallPx;
  const toPx = ({ x, y }: SectionPoint): SectionPoint => ({
    x: side + x * scale,
    y: eave - (shape.rise_m === 0 ? 0 : ((y - shape.eave_height_m) / shape.rise_m) * roofPx),
  });
  const bays = section.bays.map(({ number, left_m, roof }) => {
    const left = side + left_m * scale;
    return { number, left, right: left + shape.bay_width_m * scale, roof: roof.map(toPx) };
  });
  const isOpen = shape.structure === 'connected';
  const left = bays[0]?.left ?? side;
  const right = bays.at(-1)?.right ?? side;
  return {
    isNarrow,
    ground,
    eave,
    bays,
    inside: { left, right, middle: (left + right) / 2 },
    posts: isOpen ? bays.slice(1).flatMap((bay, before) => [bays[before]?.right ?? bay.left, bay.left]) : [],
    covers: bays.map((bay, index) => [
      ...(isOpen && index > 0 ? [] : [{ x: bay.left, y: ground }]),
      ...bay.roof,
      ...(isOpen && index < bays.length - 1 ? [] : [{ x: bay.right, y: ground }]),
    ]),
    gap: section.break_m === null ? null : side + section.break_m * scale,
  };
}

/** Roof vents: the upper part of each bay's right slope, hinged at the ridge. */
export function roofFlaps({ bays }: MimicLayout, pct: number): Flap[] {
  return bays.map(({ roof }) => {
    const hinge = roof.reduce((highest, point) => (point.y < highest.y ? point : highest), roof[0] ?? { x: 0, y: 0 });
    const rest = pointAlong(roof.slice(roof.indexOf(hinge)), 0.42);
    return { hinge, rest, end: flapEnd(hinge, rest, { pct, way: -1 }) };
  });
}

/** Side vents: the middle of the two outer walls, hinged at the top. */
export function sideFlaps({ inside, eave }: MimicLayout, pct: number): Flap[] {
  const top = eave + wallPx * 0.28;
  const foot = top + wallPx * 0.34;
  const walls = [
    { x: inside.left, way: 1 },
    { x: inside.right, way: -1 },
  ] as const;
  return walls.map(({ x, way }) => {
    const hinge = { x, y: top };
    const rest = { x, y: foot };
    return { hinge, rest, end: flapEnd(hinge, rest, { pct, way }) };
  });
}

const underTheRoof: readonly ActuatorRole[] = [
  'exhaust_fan',
  'intake_fan',
  'circulation_fan',
  'lighting',
  'fogger',
  'cooler',
];
const onTheFloor: readonly ActuatorRole[] = [
  'heater',
  'heat_pump',
  'co2_supply',
  'pad_pump',
  'irrigation_pump',
  'irrigation_valve',
  'mixing_valve',
];

export interface PlacedState extends SectionPoint {
  state: RoleState;
}

/** Devices drawn as symbols, spread evenly over the house: hanging ones above, standing ones below. */
export function placeDevices(states: readonly RoleState[], { inside, eave, ground }: MimicLayout): PlacedState[] {
  const row = (roles: readonly ActuatorRole[], y: number): PlacedState[] => {
    const found = roles.flatMap((role) => states.find((state) => state.role === role) ?? []);
    const step = (inside.right - inside.left) / found.length;
    return found.map((state, index) => ({ state, x: inside.left + step * (index + 0.5), y }));
  };
  return [...row(underTheRoof, eave + 42), ...row(onTheFloor, ground - 44)];
}

/** SVG path through points. */
export function pathOf(line: readonly SectionPoint[]): string {
  return line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
