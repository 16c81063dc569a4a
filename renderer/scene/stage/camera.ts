import { Vector3, type PerspectiveCamera } from 'three';
import { baysOf, type Outline } from '../bays.ts';
import { rowPlaces } from '../frame.ts';
import { builtWidth } from '../section.ts';
import type { ViewName } from './view-names.ts';

const directions: Record<ViewName, readonly [number, number, number]> = {
  corner: [0.75, 0.5, -1],
  front: [0, 0.12, -1],
  side: [1, 0.12, 0],
  top: [0, 1, 0.001],
};

export interface Standpoint {
  position: Vector3;
  target: Vector3;
}

/** The nearest viewpoint in a direction from which the whole house is visible. */
export function standpointOf(view: ViewName, outline: Outline, camera: PerspectiveCamera): Standpoint {
  const high = outline.eave_height_m + outline.rise_m;
  const half = new Vector3(builtWidth(outline) / 2, high / 2, outline.length_m / 2);
  const target = new Vector3(0, high / 2, 0);
  const back = new Vector3(...directions[view]).normalize();
  const right = new Vector3(0, 1, 0).cross(back).normalize();
  const up = back.clone().cross(right);
  const tall = Math.tan((camera.fov * Math.PI) / 360);
  const wide = tall * camera.aspect;
  let away = 1;
  for (let corner = 0; corner < 8; corner += 1) {
    const at = half.clone().multiply(new Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
    const reach = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / tall);
    away = Math.max(away, reach + at.dot(back));
  }
  return { position: target.clone().addScaledVector(back, away * 1.16), target };
}

const eye_m = 1.6;

/** Inside the front door, looking down an aisle of the middle bay. */
export function doorOf(outline: Outline): Standpoint {
  const z = -outline.length_m / 2 + 1;
  const x = middleAisle(outline);
  return { position: new Vector3(x, eye_m, z), target: new Vector3(x, eye_m, z + 1) };
}

/** Between two rows of one bay: between bays stand the posts. */
function middleAisle(outline: Outline): number {
  const bays = baysOf(outline);
  const { left_m, right_m } = bays[Math.floor((bays.length - 1) / 2)] ?? { left_m: 0, right_m: 0 };
  const rows = rowPlaces(outline).filter((x) => x > left_m && x < right_m);
  const [row = left_m, next = right_m] = rows.slice(Math.floor((rows.length - 1) / 2));
  return (row + next) / 2;
}

/** How far from the house a walk goes, m. */
const around_m = 15;

/** A step forward or to a side, and a turn; the eye stays near the house. */
export function stepped(from: Standpoint, by: { ahead_m: number; turn_deg: number }, outline: Outline): Standpoint {
  const ahead = from.target.clone().sub(from.position).normalize();
  ahead.applyAxisAngle(new Vector3(0, 1, 0), (-by.turn_deg * Math.PI) / 180);
  const position = from.position.clone().add(new Vector3(ahead.x, 0, ahead.z).multiplyScalar(by.ahead_m));
  position.x = clamp(position.x, builtWidth(outline) / 2 + around_m);
  position.z = clamp(position.z, outline.length_m / 2 + around_m);
  return { position, target: position.clone().add(ahead) };
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
