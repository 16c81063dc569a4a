import type { ActuatorBinding, Face, Opening } from '../../server/contract/facility.ts';
import { usualCentre_m } from '../../server/domain/geometry/centre-height.ts';
import { fieldsOf, lineLength, type Field, type Outline } from './bays.ts';
import { drivesOf } from './drives.ts';
import { add, cornersOf, lengthOf, times, type Pane, type Part, type Vec } from './part.ts';
import { pointAlong } from './section.ts';

/** A rectangle of a field that an opening takes: along its length, and down its line. */
export interface Cut {
  face: Exclude<Face, 'ridge'>;
  field: number;
  from_m: number;
  to_m: number;
  top_m: number;
  foot_m: number;
}

/** No vent takes more of a roof slope than this, nor of a wall. */
const mostOfSlope = 0.45;
const mostOfWall = 0.85;
/** An opening of which only the area is known runs along its face, but is no lower than this, m. */
const leastHeight_m = 0.5;
const shareOfLength = 0.92;

const isRoof = (face: Face): boolean => face.startsWith('roof') || face === 'ridge';
const isEnd = (face: Face): boolean => face === 'front' || face === 'back';

type Sized = Pick<Opening, 'id' | 'name' | 'face' | 'area_m2' | 'width_m' | 'height_m' | 'centre_height_m'> & {
  actuator_device_id?: string | undefined;
};

interface Placed {
  opening: Sized;
  isAssumed: boolean;
  cuts: Cut[];
}

/** Free area of an opening, m2; 0 while it is not entered. */
function areaOf({ area_m2, width_m, height_m }: Sized): number {
  return Math.max(0, area_m2 ?? (width_m ?? 0) * (height_m ?? 0));
}

/**
 * Where the openings of a house lie: those of a face side by side, roof vents at the ridge in every bay, vents of side
 * walls in every house; doors and windows of the ends in as few bays as hold them. Drawn no larger than their face.
 */
export function placeOpenings(
  outline: Outline,
  given: readonly Opening[],
  actuators: readonly ActuatorBinding[],
): Placed[] {
  const real = given.filter((one) => areaOf(one) > 0 && one.centre_height_m >= 0);
  const all = [
    ...real.map((opening) => ({ opening, isAssumed: false })),
    ...assumedOpenings(outline, real, actuators).map((opening) => ({ opening, isAssumed: true })),
  ];
  const hasRidge = all.some(({ opening }) => opening.face === 'ridge');
  const groups = Map.groupBy(all, ({ opening }) => groupOf(opening, hasRidge));
  return all.map(({ opening, isAssumed }) => {
    const group = groups.get(groupOf(opening, hasRidge)) ?? [];
    const slot = { index: group.findIndex((one) => one.opening === opening), of: group.length };
    return { opening, isAssumed, cuts: cutsOf(outline, opening, slot) };
  });
}

/**
 * Openings that share a strip of their face and so are side by side: on a wall those of similar height; one at the
 * ridge takes both slopes.
 */
function groupOf({ face, centre_height_m }: Sized, hasRidge: boolean): string {
  if (isRoof(face)) return hasRidge ? 'roof' : face;
  return `${face}:${Math.round(centre_height_m / 0.75)}`;
}

/**
 * Vents implied by a drive but not entered, as in the ventilation calculation: 0.15 of the floor per side and 0.10 in
 * the roof.
 */
function assumedOpenings(outline: Outline, real: readonly Sized[], actuators: readonly ActuatorBinding[]): Sized[] {
  const floor_m2 = outline.bay_count * outline.bay_width_m * outline.length_m;
  const has = (wanted: (face: Face) => boolean): boolean => real.some(({ face }) => wanted(face));
  const missing: Sized[] = [];
  if (actuators.some(({ role }) => role === 'side_vent') && !has((face) => !isRoof(face) && !isEnd(face))) {
    for (const face of ['right', 'left'] as const) {
      const centre_height_m = usualCentre_m(face, outline);
      missing.push({ id: `assumed-${face}`, name: '', face, area_m2: 0.15 * floor_m2, centre_height_m });
    }
  }
  if (actuators.some(({ role }) => role === 'roof_vent') && !has(isRoof)) {
    const centre_height_m = usualCentre_m('ridge', outline);
    missing.push({ id: 'assumed-ridge', name: '', face: 'ridge', area_m2: 0.1 * floor_m2, centre_height_m });
  }
  return missing;
}

function cutsOf(outline: Outline, opening: Sized, slot: { index: number; of: number }): Cut[] {
  const faces = opening.face === 'ridge' ? (['roof_right', 'roof_left'] as const) : [opening.face];
  return faces.flatMap((face) => {
    const fields = fieldsOf(face, outline);
    const first = fields[0];
    if (first === undefined) return [];
    const room = { along_m: first.along_m / slot.of, high_m: lineLength(first.line) };
    const share = 1 / faces.length;
    const { chosen, width_m, height_m } = sizeOf(opening, { room, fields: fields.length, share });
    const middle_m = (slot.index + 0.5) * room.along_m;
    const top_m = isRoof(face)
      ? Math.min(0.15, (room.high_m - height_m) / 2)
      : Math.min(
          Math.max(0.05, room.high_m - opening.centre_height_m - height_m / 2),
          Math.max(0, room.high_m - height_m),
        );
    return chosen.map((field) => ({
      face,
      field,
      from_m: middle_m - width_m / 2,
      to_m: middle_m + width_m / 2,
      top_m,
      foot_m: top_m + height_m,
    }));
  });
}

/** In which fields an opening lies, and how wide and high it is in each. */
function sizeOf(
  opening: Sized,
  { room, fields, share }: { room: { along_m: number; high_m: number }; fields: number; share: number },
): { chosen: number[]; width_m: number; height_m: number } {
  const most = {
    width_m: room.along_m * shareOfLength,
    height_m: room.high_m * (isRoof(opening.face) ? mostOfSlope : mostOfWall),
  };
  const middle = Math.floor((fields - 1) / 2);
  if (opening.area_m2 === undefined) {
    const width_m = Math.min(most.width_m, opening.width_m ?? 0);
    return { chosen: [middle], width_m, height_m: Math.min(most.height_m, (opening.height_m ?? 0) * share) };
  }
  const wanted_m2 = opening.area_m2 * share;
  const fits_m2 = most.width_m * most.height_m * 0.6;
  const count = isEnd(opening.face) ? Math.min(fields, Math.max(1, Math.ceil(wanted_m2 / fits_m2))) : fields;
  const each_m2 = wanted_m2 / count;
  const tall_m = isEnd(opening.face) ? Math.sqrt(each_m2) : leastHeight_m;
  const width_m = Math.min(most.width_m, each_m2 / Math.min(tall_m, most.height_m));
  const from = Math.max(0, middle - Math.floor((count - 1) / 2));
  const chosen = Array.from({ length: count }, (_, index) => from + index);
  return { chosen, width_m, height_m: Math.min(most.height_m, each_m2 / width_m) };
}

/** The pane that closes a cut; over an arch it is the chord. */
function paneOf(field: Field, cut: Cut): Pane {
  const long_m = lineLength(field.line);
  const [top, foot] = [pointAlong(field.line, cut.top_m / long_m), pointAlong(field.line, cut.foot_m / long_m)];
  const corner = add(add(field.from, [top.x, top.y, 0]), times(field.way, cut.from_m));
  const reach: Vec = [foot.x - top.x, foot.y - top.y, 0];
  const long = lengthOf(reach) || 1;
  const isFlatEnd = field.way[0] !== 0;
  const turn = Math.sign(field.outward[0] * -reach[1] + field.outward[1] * reach[0]) || 1;
  const outward: Vec = isFlatEnd ? field.outward : [(-reach[1] / long) * turn, (reach[0] / long) * turn, 0];
  return { corner, edge: times(field.way, cut.to_m - cut.from_m), reach, outward };
}

/** Openings as parts. Film houses roll their sides up, all else swings. */
export function openingParts(
  outline: Outline,
  placed: readonly Placed[],
  actuators: readonly ActuatorBinding[],
): Part[] {
  return placed.map(({ opening, isAssumed, cuts }) => {
    const panes = cuts.flatMap((cut) => {
      const field = fieldsOf(cut.face, outline)[cut.field];
      return field === undefined ? [] : [paneOf(field, cut)];
    });
    const isRolled = outline.roof_type === 'arch' && (opening.face === 'left' || opening.face === 'right');
    const middle = panes[Math.floor(panes.length / 2)];
    const [first] = panes;
    return {
      id: `opening:${opening.id}`,
      category: 'openings',
      role: 'opening',
      kind: opening.face,
      name: opening.name,
      size: {
        area_m2: areaOf(opening),
        count: panes.length,
        ...(first !== undefined && { width_m: lengthOf(first.edge), height_m: lengthOf(first.reach) }),
        ...(opening.width_m !== undefined && { width_m: opening.width_m }),
        ...(opening.height_m !== undefined && { height_m: opening.height_m }),
      },
      isAssumed,
      place: middle === undefined ? [0, 0, 0] : centreOf(middle),
      motion: { kind: isRolled ? 'rolled' : 'hinged', panes },
      drives: drivesOf(actuators, {
        device_id: opening.actuator_device_id,
        role: isRoof(opening.face) ? 'roof_vent' : 'side_vent',
        face: opening.face,
        isOwnAlone: isEnd(opening.face),
      }),
    };
  });
}

function centreOf(pane: Pane): Vec {
  const corners = cornersOf(pane);
  return times(corners.reduce(add, [0, 0, 0]), 1 / corners.length);
}
