import type { ActuatorRole } from '../../../server/contract/facility.ts';
import { pointAlong, sectionOf, type SectionPoint, type SectionShape } from '../../scene/section.ts';
import { flapEnd, isVent, spread, type DrawnDevice, type Side } from './mimic.ts';

/** Heights on screen, px: room between floor and eave for two rows of devices and the values. */
export const wallPx = 236;
const mostRoofPx = 96;
const headroomPx = 34;
/** The line of words that each kind of curtain has below the eave, px. */
export const curtainWordsPx = 14;
/** Below this width the drawing has narrow margins. */
const narrowPx = 560;
/** Narrower bays would show neither vent nor curtain; bays in the middle are left out instead. */
const leastBayPx = 26;

/** A vent: the part of the covering that it closes, and the present position of its free end. */
export interface Flap {
  hinge: SectionPoint;
  rest: SectionPoint;
  end: SectionPoint;
  /** Nothing moves it: drawn in outline. */
  isUnbound: boolean;
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
  /** Below it, under the curtains and their words, devices hang. */
  underCurtains: number;
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
 * scales, so that a low, wide house still has room for its contents; `curtains` counts the kinds of curtains.
 */
export function layOut(shape: SectionShape, width: number, curtains = 0): MimicLayout {
  const isNarrow = width < narrowPx;
  const side = isNarrow ? 40 : 104;
  const room = Math.max(1, width - 2 * side);
  const section = sectionOf(shape, Math.max(2, Math.floor(room / leastBayPx)));
  const scale = room / section.width_m;
  const roofPx = Math.min(mostRoofPx, shape.rise_m * scale);
  const eave = headroomPx + roofPx;
  const underCurtains = eave + curtainWordsPx * curtains;
  const ground = underCurtains + wallPx;
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
    underCurtains,
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

/** The part of a slope that its vents take, from the ridge down. */
const vented: Reach = { from: 0, to: 0.42 };
/** Beside ridge vents slope vents begin below them. */
const belowRidge: Reach = { from: 0.2, to: 0.5 };
const alongRidge: Reach = { from: 0, to: 0.14 };

interface Reach {
  from: number;
  to: number;
}

/** Roof vents: on the upper part of a slope of each bay, hinged towards the ridge, several one below the other. */
export function roofFlaps(
  { bays }: MimicLayout,
  devices: readonly DrawnDevice[],
  { side, hasRidge = false, reach = hasRidge ? belowRidge : vented }: { side: Side; hasRidge?: boolean; reach?: Reach },
): Flap[] {
  const perBay = spread(devices, bays.length);
  return bays.flatMap(({ roof }, bay) => {
    const slope = slopeOf(roof, side);
    const own = perBay[bay] ?? [];
    return own.map(({ position_pct, isUnbound = false }, index) => {
      const at = (n: number): number => reach.from + ((reach.to - reach.from) * n) / own.length;
      const [hinge, rest] = [pointAlong(slope, at(index)), pointAlong(slope, at(index + 1))];
      const end = flapEnd(hinge, rest, { pct: position_pct ?? 0, way: side === 'left' ? 1 : -1 });
      return { hinge, rest, end, isUnbound };
    });
  });
}

/** Ridge vents: a narrow flap on either side of the ridge of each bay. */
export function ridgeFlaps(layout: MimicLayout, devices: readonly DrawnDevice[]): Flap[] {
  return (['left', 'right'] as const).flatMap((side) => roofFlaps(layout, devices, { side, reach: alongRidge }));
}

/** From the ridge down; a flat roof has its whole width on either side. */
function slopeOf(roof: readonly SectionPoint[], side: Side): SectionPoint[] {
  const top = roof.reduce((highest, point) => (point.y < highest.y ? point : highest), roof[0] ?? { x: 0, y: 0 });
  const ridge = roof.indexOf(top);
  if (side === 'right') return roof.slice(ridge);
  return (ridge === 0 ? roof : roof.slice(0, ridge + 1)).toReversed();
}

/** Side vents: in the middle of an outer wall, hinged at the top, several one below the other. */
export function sideFlaps({ inside, eave }: MimicLayout, devices: readonly DrawnDevice[], side: Side): Flap[] {
  const x = inside[side];
  const top = eave + wallPx * 0.28;
  const high = (wallPx * 0.34) / devices.length;
  return devices.map(({ position_pct, isUnbound = false }, index) => {
    const hinge = { x, y: top + high * index };
    const rest = { x, y: hinge.y + high };
    const end = flapEnd(hinge, rest, { pct: position_pct ?? 0, way: side === 'left' ? 1 : -1 });
    return { hinge, rest, end, isUnbound };
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

/** A symbol: one device, or all of a role where there is no room for each. */
export interface PlacedDevices extends SectionPoint {
  devices: [DrawnDevice, ...DrawnDevice[]];
}

/** Symbols with their words need this width each, px. */
const leastGlyphPx = 48;

/**
 * Devices drawn as symbols, spread evenly over the house: hanging ones above, standing ones below. Vents in the end
 * walls are among those above: seen face on, a flap does not swing.
 */
export function placeDevices(
  devices: readonly DrawnDevice[],
  { inside, underCurtains, ground }: MimicLayout,
): PlacedDevices[] {
  const width = inside.right - inside.left;
  const ofRoles = (roles: readonly ActuatorRole[]): DrawnDevice[] =>
    roles.flatMap((role) => devices.filter((one) => one.role === role));
  const ends = devices.filter(({ role, place }) => place === 'end' && isVent(role));
  const row = (found: readonly DrawnDevice[], y: number): PlacedDevices[] => {
    const isEach = found.length * leastGlyphPx <= width;
    const groups = [...Map.groupBy(found, (one) => (isEach ? one.key : one.role)).values()];
    const step = width / groups.length;
    return groups.flatMap(([first, ...others], index) =>
      first === undefined ? [] : [{ devices: [first, ...others], x: inside.left + step * (index + 0.5), y }],
    );
  };
  return [...row([...ends, ...ofRoles(underTheRoof)], underCurtains + 42), ...row(ofRoles(onTheFloor), ground - 44)];
}

/** SVG path through points. */
export function pathOf(line: readonly SectionPoint[]): string {
  return line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
