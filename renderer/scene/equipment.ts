import type { ActuatorBinding, ActuatorRole, Curtain, Face, Fan } from '../../server/contract/facility.ts';
import { baysOf, type Outline } from './bays.ts';
import { driveOf, drivesOf } from './drives.ts';
import { rowPlaces } from './frame.ts';
import type { Category, Motion, Pane, Part, Primitive, Vec } from './part.ts';
import { builtWidth } from './section.ts';

/** More than these are not drawn one by one. */
const mostFans = 60;
const mostLamps = 240;
const up: Vec = [0, 1, 0];

/** Curtains at the ceiling are drawn out across each bay below the eave, those of walls down from it. */
export function curtainParts(
  outline: Outline,
  given: readonly Curtain[],
  actuators: readonly ActuatorBinding[],
): Part[] {
  const bound = (['thermal', 'shade'] as const).filter((kind) =>
    actuators.some(({ role }) => role === `${kind}_curtain`),
  );
  const assumed = bound
    .filter((kind) => !given.some((one) => one.kind === kind))
    .map((kind): Curtain => ({ kind, position: 'ceiling', layers: 1 }));
  return [...given, ...assumed].map((curtain, index) => {
    const panes = curtain.position === 'ceiling' ? ceilingPanes(outline, index) : wallPanes(outline, index);
    const role = curtain.kind === 'thermal' ? 'thermal_curtain' : 'shade_curtain';
    const last = panes.at(-1);
    return {
      id: `curtain:${index}`,
      category: 'curtains',
      role: 'curtain',
      kind: curtain.kind,
      name: '',
      size: { count: curtain.layers },
      isAssumed: index >= given.length,
      place: last === undefined ? [0, outline.eave_height_m, 0] : [last.corner[0] + 0.5, last.corner[1], 0],
      motion: { kind: 'drawn', panes },
      drives: drivesOf(actuators, { device_id: curtain.actuator_device_id, role }),
    } satisfies Part;
  });
}

function ceilingPanes(outline: Outline, index: number): Pane[] {
  const { length_m, bay_width_m, eave_height_m } = outline;
  const y = Math.max(0.2, eave_height_m - 0.12 - 0.18 * index);
  const inset_m = Math.min(0.15, bay_width_m / 10);
  return baysOf(outline).map(({ left_m }) => ({
    corner: [left_m + inset_m, y, -length_m / 2 + 0.2],
    edge: [0, 0, length_m - 0.4],
    reach: [bay_width_m - 2 * inset_m, 0, 0],
    outward: up,
  }));
}

function wallPanes(outline: Outline, index: number): Pane[] {
  const { length_m, eave_height_m } = outline;
  const inset_m = 0.12 + 0.1 * index;
  return baysOf(outline).flatMap((bay) => {
    const at = (x: number, side: number): Pane => ({
      corner: [x, eave_height_m - 0.05, -length_m / 2 + 0.2],
      edge: [0, 0, length_m - 0.4],
      reach: [0, -(eave_height_m - 0.1), 0],
      outward: [side, 0, 0],
    });
    return [
      ...(bay.hasLeftWall ? [at(bay.left_m + inset_m, -1)] : []),
      ...(bay.hasRightWall ? [at(bay.right_m - inset_m, 1)] : []),
    ];
  });
}

const fanRoles = { exhaust: 'exhaust_fan', intake: 'intake_fan', circulation: 'circulation_fan' } as const;
/** Air through the blades of a usual fan, m/s: its flow gives its size. */
const faceSpeed_m_s = 7;
const usualFlow_m3h = { exhaust: 30_000, intake: 30_000, circulation: 6_000 };

/**
 * Fans as entered, and those that only a device speaks of: exhaust in the back wall, intake in the front one, others
 * hang inside.
 */
export function fanParts(outline: Outline, given: readonly Fan[], actuators: readonly ActuatorBinding[]): Part[] {
  const entered = given.filter(({ count, flow_m3h }) => count > 0 && flow_m3h > 0);
  const kinds = ['exhaust', 'intake', 'circulation'] as const;
  const assumed = kinds
    .filter((kind) => !entered.some((one) => one.kind === kind))
    .flatMap((kind): Fan[] => {
      const own = actuators.filter(({ role }) => role === fanRoles[kind]);
      const flow_m3h = own[0]?.rating_m3h ?? usualFlow_m3h[kind];
      return own.length === 0 ? [] : [{ kind, flow_m3h, count: own.length }];
    });
  return [...entered, ...assumed].map((fan, index) => {
    const drives = drivesOf(actuators, { role: fanRoles[fan.kind] });
    const wall = actuators.find(({ role }) => role === fanRoles[fan.kind])?.wall;
    const radius_m = fanRadius_m(fan, outline);
    const places = fanPlaces(outline, fan, { wall, radius_m });
    return {
      id: `fan:${index}`,
      category: 'fans',
      role: 'fan',
      kind: fan.kind,
      name: '',
      size: { count: fan.count, width_m: 2 * radius_m },
      isAssumed: index >= entered.length,
      place: places[Math.floor(places.length / 2)]?.centre ?? [0, 2, 0],
      motion: fanMotion(places, radius_m),
      drives,
    } satisfies Part;
  });
}

function fanRadius_m({ flow_m3h }: Fan, outline: Outline): number {
  const wanted_m = Math.sqrt(flow_m3h / 3600 / faceSpeed_m_s / Math.PI);
  return Math.min(Math.max(0.15, wanted_m), outline.eave_height_m * 0.4, outline.bay_width_m * 0.4);
}

interface FanPlace {
  centre: Vec;
  axis: Vec;
}

function fanPlaces(
  outline: Outline,
  fan: Fan,
  { wall, radius_m }: { wall: Face | undefined; radius_m: number },
): FanPlace[] {
  const count = Math.min(fan.count, mostFans);
  const even = (index: number, of: number, long_m: number): number => (long_m * (index + 0.5)) / of - long_m / 2;
  const { length_m, eave_height_m } = outline;
  const width_m = builtWidth(outline);
  if (fan.kind === 'circulation') {
    const bays = baysOf(outline);
    const each = Math.ceil(count / bays.length);
    return Array.from({ length: count }, (_, index) => {
      const bay = bays[Math.floor((index * bays.length) / count)] ?? bays[0];
      const x = bay === undefined ? 0 : (bay.left_m + bay.right_m) / 2;
      return { centre: [x, eave_height_m * 0.82, even(index % each, each, length_m * 0.9)], axis: [0, 0, 1] };
    });
  }
  const face = wall ?? (fan.kind === 'exhaust' ? 'back' : 'front');
  const y = Math.max(radius_m + 0.1, Math.min(eave_height_m * 0.55, 1.8));
  if (face === 'left' || face === 'right') {
    const side = face === 'left' ? -1 : 1;
    return Array.from({ length: count }, (_, index) => ({
      centre: [(side * width_m) / 2, y, even(index, count, length_m)],
      axis: [side, 0, 0],
    }));
  }
  const side = face === 'front' ? -1 : 1;
  const bays = baysOf(outline);
  const perBay = Math.ceil(count / bays.length);
  return Array.from({ length: count }, (_, index) => {
    const bay = bays[Math.floor((index * bays.length) / count)] ?? bays[0];
    const middle = bay === undefined ? 0 : (bay.left_m + bay.right_m) / 2;
    return {
      centre: [middle + even(index % perBay, perBay, outline.bay_width_m), y, (side * length_m) / 2],
      axis: [0, 0, side],
    };
  });
}

/** A frame around crossed blades; while it runs the blades are one disc. */
function fanMotion(places: readonly FanPlace[], radius_m: number): Motion {
  const blades = places.flatMap(({ centre, axis }) =>
    [60, 120, 180].map((turn) => blade(centre, axis, { radius_m, turn })),
  );
  const frame = places.flatMap(({ centre, axis }) => fanFrame(centre, axis, radius_m));
  const discs = places.map(({ centre, axis }): Primitive => ({
    kind: 'disc',
    centre,
    axis,
    radius_m: radius_m * 0.92,
  }));
  return { kind: 'switched', always: frame, off: blades, on: discs };
}

function blade([x, y, z]: Vec, axis: Vec, { radius_m, turn }: { radius_m: number; turn: number }): Primitive {
  const [along, height] = [
    Math.cos((turn * Math.PI) / 180) * radius_m * 0.9,
    Math.sin((turn * Math.PI) / 180) * radius_m * 0.9,
  ];
  const [dx, dz] = axis[0] === 0 ? [along, 0] : [0, along];
  return {
    kind: 'bar',
    from: [x - dx, y - height, z - dz],
    to: [x + dx, y + height, z + dz],
    thick_m: radius_m * 0.22,
  };
}

function fanFrame([x, y, z]: Vec, axis: Vec, radius_m: number): Primitive[] {
  const corner = (a: number, b: number): Vec =>
    axis[0] === 0 ? [x + a * radius_m, y + b * radius_m, z] : [x, y + b * radius_m, z + a * radius_m];
  const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  return corners.map((from, index) => ({ kind: 'bar', from, to: corners[(index + 1) % 4] ?? from, thick_m: 0.08 }));
}

interface Stand {
  category: Category;
  /** Shapes of the `index`-th of `of` actuators of its role. */
  shapes: (outline: Outline, at: { index: number; of: number }) => Primitive[];
}

const box = (centre: Vec, size: Vec): Primitive => ({ kind: 'box', centre, size });

/** On the floor along the left wall, from the back: each thing has a stand of its own. */
function onFloor(order: number, size: Vec): Stand['shapes'] {
  return (outline, { index }) => {
    const x = -builtWidth(outline) / 2 + 0.4 + size[0] / 2;
    const z = outline.length_m / 2 - 1 - size[2] / 2 - ((order + index * 1.5) * outline.length_m) / 14;
    return [box([x, size[1] / 2, Math.max(-outline.length_m / 2 + 0.5, z)], size)];
  };
}

/** A line along the house in each row of the share of the bays that the `index`-th of its role serves. */
function alongRows(y: number, thick_m: number): Stand['shapes'] {
  return (outline, { index, of }) => {
    const rows = rowPlaces(outline);
    const own = rows.slice(Math.floor((rows.length * index) / of), Math.floor((rows.length * (index + 1)) / of));
    const half = Math.max(0.1, outline.length_m / 2 - 1);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const runs = own.map((x): Primitive => ({ kind: 'bar', from: [x, y, -half], to: [x, y, half], thick_m }));
    return [...runs, { kind: 'bar', from: [first, y, half], to: [last, y, half], thick_m: thick_m * 1.6 }];
  };
}

/** Pairs of pipes between the rows, as rails. */
function railPipes(outline: Outline): Primitive[] {
  const half = Math.max(0.1, outline.length_m / 2 - 1);
  return rowPlaces(outline).flatMap((x) =>
    [-0.27, 0.27].map((off): Primitive => ({
      kind: 'bar',
      from: [x + 0.62 + off, 0.12, -half],
      to: [x + 0.62 + off, 0.12, half],
      thick_m: 0.06,
    })),
  );
}

function lamps(outline: Outline): Primitive[] {
  const bays = baysOf(outline);
  const each = Math.max(1, Math.min(Math.floor(outline.length_m / 4), Math.floor(mostLamps / bays.length)));
  const y = Math.max(0.5, outline.eave_height_m - 0.6);
  return bays.flatMap(({ left_m, right_m }) =>
    Array.from({ length: each }, (_, index) =>
      box(
        [(left_m + right_m) / 2, y, (outline.length_m * (index + 0.5)) / each - outline.length_m / 2],
        [0.9, 0.12, 0.25],
      ),
    ),
  );
}

function fogLines(outline: Outline): Primitive[] {
  const half = Math.max(0.1, outline.length_m / 2 - 0.5);
  const y = Math.max(0.4, outline.eave_height_m - 0.4);
  return baysOf(outline).map(({ left_m, right_m }) => {
    const x = left_m + (right_m - left_m) * 0.35;
    return { kind: 'bar', from: [x, y, -half], to: [x, y, half], thick_m: 0.05 };
  });
}

function pad(outline: Outline): Primitive[] {
  const high_m = Math.min(1.5, outline.eave_height_m * 0.6);
  return baysOf(outline).map(({ left_m, right_m }) =>
    box(
      [(left_m + right_m) / 2, 0.4 + high_m / 2, -outline.length_m / 2 + 0.15],
      [(right_m - left_m) * 0.86, high_m, 0.15],
    ),
  );
}

/** The usual places of actuators that are not vents, curtains or fans; users do not enter them. */
const stands: Partial<Record<ActuatorRole, Stand>> = {
  heater: { category: 'equipment', shapes: onFloor(0, [1, 1.5, 0.8]) },
  cooler: { category: 'equipment', shapes: onFloor(2, [0.9, 1.1, 0.7]) },
  heat_pump: { category: 'equipment', shapes: onFloor(4, [1.1, 1.3, 0.9]) },
  co2_supply: { category: 'equipment', shapes: onFloor(6, [0.5, 1.4, 0.5]) },
  irrigation_pump: { category: 'equipment', shapes: onFloor(8, [0.6, 0.6, 0.6]) },
  pad_pump: { category: 'equipment', shapes: pad },
  fogger: { category: 'pipes', shapes: fogLines },
  mixing_valve: { category: 'pipes', shapes: railPipes },
  irrigation_valve: { category: 'pipes', shapes: alongRows(0.1, 0.04) },
  lighting: { category: 'lighting', shapes: lamps },
};

/** The other actuators, one part a binding. */
export function actuatorParts(outline: Outline, actuators: readonly ActuatorBinding[]): Part[] {
  return actuators.flatMap((binding): Part[] => {
    const stand = stands[binding.role];
    if (stand === undefined) return [];
    const ofRole = actuators.filter(({ role }) => role === binding.role);
    const shapes = stand.shapes(outline, { index: ofRole.indexOf(binding), of: ofRole.length });
    return [
      {
        id: `actuator:${binding.role}:${binding.device_id}:${binding.channel ?? ''}`,
        category: stand.category,
        role: 'actuator',
        kind: binding.role,
        name: binding.name,
        size: {},
        isAssumed: true,
        place: placeOfShapes(shapes),
        motion: { kind: 'switched', always: [], off: shapes, on: shapes },
        drives: [driveOf(binding)],
      },
    ];
  });
}

function placeOfShapes(shapes: readonly Primitive[]): Vec {
  const middle = shapes[Math.floor(shapes.length / 2)];
  if (middle === undefined) return [0, 1, 0];
  if (middle.kind === 'box') return [middle.centre[0], middle.centre[1] + middle.size[1] / 2, middle.centre[2]];
  if (middle.kind === 'bar') return [middle.from[0], middle.from[1], (middle.from[2] + middle.to[2]) / 2];
  return [0, 1, 0];
}
