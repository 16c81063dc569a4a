import type { Face } from '../../../server/contract/envelope.ts';
import type { ActuatorRole } from '../../../server/contract/facility-binding.ts';
import type { ActuatorReading, Facility, Opening } from '../../../server/contract/facility.ts';
import type { OutputState } from '../../../server/contract/output.ts';
import type { SectionPoint } from '../../scene/section.ts';

/** A device in the drawing, or a described part of the house that no device is bound to. */
export interface DrawnDevice {
  key: string;
  role: ActuatorRole;
  name: string;
  /** Where its openings are: on side walls and slopes, along the ridge, or in the end walls, which one looks at. */
  place: Place;
  /** The wall or slope on which it moves something; null when the house does not say, or for both. */
  side: Side | null;
  /** 0 to 100 %, on as 100; null when unknown. */
  position_pct: number | null;
  isSwitch: boolean;
  /** Nothing is known of it and nothing moves it: drawn in outline. */
  isUnbound?: true;
}

export const isVent = (role: ActuatorRole): boolean => role === 'side_vent' || role === 'roof_vent';

export type Side = 'left' | 'right';
type Place = 'sides' | 'ridge' | 'end';

type House = Pick<Facility, 'openings' | 'curtains' | 'fans' | 'actuators'>;
type Known = Pick<ActuatorReading, 'role' | 'device_id' | 'channel' | 'name' | 'state'>;

/**
 * Each bound device by itself: a mean of two vents is where neither of them stands. Then every opening, curtain and fan
 * that the house describes and none of them moves.
 */
export function drawnDevices(house: House, actuators: readonly Known[]): DrawnDevice[] {
  const bound = actuators.map(({ role, device_id, channel, name, state }) => ({
    key: `${role}:${device_id}:${channel}`,
    role,
    name,
    ...whereOf(facesOf(house, device_id, channel)),
    position_pct: percentOf(state),
    isSwitch: typeof state !== 'number',
  }));
  return [...bound, ...unboundParts(house)];
}

const unbound = { position_pct: null, isSwitch: true, isUnbound: true } as const;

function unboundParts(house: House): DrawnDevice[] {
  const { openings, curtains, fans, actuators } = house;
  const isBound = (role: ActuatorRole): boolean => actuators.some((one) => one.role === role);
  const vents = openings
    .filter((opening) => !isMoved(opening, house))
    .map(({ id, name, face }) => ({ key: `opening:${id}`, role: roleAt(face), name, ...whereOf([face]), ...unbound }));
  const others = [
    ...curtains.map(({ kind }) => `${kind}_curtain` as const),
    ...fans.map(({ kind }) => `${kind}_fan` as const),
  ].filter((role) => !isBound(role));
  return [...vents, ...[...new Set(others)].map((role) => ({ key: role, role, name: '', ...whereOf([]), ...unbound }))];
}

const roleAt = (face: Face): ActuatorRole => (/^(roof_|ridge)/.test(face) ? 'roof_vent' : 'side_vent');

/** By the device that it names, else by a vent of its kind that is bound to its face, or to none in particular. */
function isMoved({ face, actuator_device_id }: Opening, house: House): boolean {
  return house.actuators.some(({ role, device_id, channel = null }) => {
    if (actuator_device_id !== undefined) return device_id === actuator_device_id;
    const faces = facesOf(house, device_id, channel);
    return role === roleAt(face) && (faces.length === 0 || faces.includes(face));
  });
}

/** The face that its binding names, else those of the openings that it moves; empty when the house does not say. */
function facesOf({ openings, actuators }: House, deviceId: string, channel: number | null): Face[] {
  const ofDevice = actuators.filter((one) => one.device_id === deviceId);
  const own = ofDevice.find((one) => one.channel === undefined || one.channel === channel)?.wall;
  if (own !== undefined) return [own];
  return ofDevice.length > 1
    ? []
    : openings.filter((one) => one.actuator_device_id === deviceId).map(({ face }) => face);
}

type Where = Pick<DrawnDevice, 'place' | 'side'>;

const whereOfFace: Record<Face, Where> = {
  left: { place: 'sides', side: 'left' },
  right: { place: 'sides', side: 'right' },
  roof_left: { place: 'sides', side: 'left' },
  roof_right: { place: 'sides', side: 'right' },
  ridge: { place: 'ridge', side: null },
  front: { place: 'end', side: null },
  back: { place: 'end', side: null },
};

/** One place where all faces share it; what moves openings in several is drawn on the sides. */
function whereOf(faces: readonly Face[]): Where {
  const found = faces.map((face) => whereOfFace[face]);
  const [place, side] = [onlyOne(found.map((one) => one.place)), onlyOne(found.map((one) => one.side))];
  return { place: place ?? 'sides', side: place === null ? null : side };
}

function onlyOne<One>(all: readonly One[]): One | null {
  const [first, ...others] = new Set(all);
  return first === undefined || others.length > 0 ? null : first;
}

/** Which devices are drawn left and right: those of no known side fill both up evenly. */
export function bySide(devices: readonly DrawnDevice[]): Record<Side, DrawnDevice[]> {
  const left = devices.filter(({ side }) => side === 'left');
  const right = devices.filter(({ side }) => side === 'right');
  for (const one of devices.filter(({ side }) => side === null)) (left.length <= right.length ? left : right).push(one);
  return { left, right };
}

/** Shares devices out over the bays in order: each bay has one at least, and each device a bay. */
export function spread<One>(devices: readonly One[], bays: number): One[][] {
  const n = devices.length;
  if (n === 0 || bays === 0) return [];
  return Array.from({ length: bays }, (_, bay) => {
    const first = Math.floor((bay * n) / bays);
    return devices.slice(first, Math.max(first + 1, Math.floor(((bay + 1) * n) / bays)));
  });
}

function percentOf(state: OutputState): number | null {
  if (state === null) return null;
  if (typeof state === 'number') return state;
  return state === 'on' ? 100 : 0;
}

/** How far a vent swings when fully open, degrees. */
const widest_deg = 42;

/** The free end of a flap hinged at `hinge` and closed at `rest`; y points down, way 1 swings clockwise. */
export function flapEnd(hinge: SectionPoint, rest: SectionPoint, swing: { pct: number; way: 1 | -1 }): SectionPoint {
  const angle = ((widest_deg * swing.pct) / 100) * (Math.PI / 180) * swing.way;
  const dx = rest.x - hinge.x;
  const dy = rest.y - hinge.y;
  return {
    x: hinge.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: hinge.y + dx * Math.sin(angle) + dy * Math.cos(angle),
  };
}
