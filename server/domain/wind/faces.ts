import type { Face, GeometryTerms, RoofType } from '../../contract/facility.ts';
import { incidence_deg, multiSpanFactor, roofCoefficient, wallCoefficient } from './pressure-coefficient.ts';

/** The house as the wind meets it. */
export interface ExposedHouse {
  /** The direction that the front, an end wall, faces, degrees clockwise from north. */
  orientation_deg: number;
  /** Width of the whole house: all connected bays, or one detached bay. */
  width_m: number;
  length_m: number;
  roof: RoofType;
  pitch_deg: number;
  /** Connected bays; 1 if they are detached. */
  spans: number;
}

/** The house as one body: detached bays are taken individually. */
export function exposedHouse(
  geometry: GeometryTerms,
  plan: { bay_width_m: number; length_m: number; bay_count: number; roof: RoofType; orientation_deg: number },
): ExposedHouse {
  const spans = plan.bay_count / geometry.house_count;
  return {
    orientation_deg: plan.orientation_deg,
    width_m: plan.bay_width_m * spans,
    length_m: plan.length_m,
    roof: plan.roof,
    pitch_deg: geometry.pitch_deg,
    spans,
  };
}

const turnOfFace = { front: 0, right: 90, back: 180, left: 270, roof_right: 90, roof_left: 270, ridge: null } as const;

/** The direction of a face, degrees clockwise from north, 0 to below 360; null for the ridge, which faces up. */
export function faceAzimuth_deg(face: Face, orientation_deg: number): number | null {
  const turn = turnOfFace[face];
  return turn === null ? null : (((orientation_deg + turn) % 360) + 360) % 360;
}

/** Wind pressure coefficient of a face; at the ridge the mean of the two slopes. Wind from `windFrom_deg`. */
export function faceCoefficient(face: Face, house: ExposedHouse, windFrom_deg: number): number {
  switch (face) {
    case 'ridge':
      return (
        (slopeCoefficient('roof_right', house, windFrom_deg) + slopeCoefficient('roof_left', house, windFrom_deg)) / 2
      );
    case 'roof_right':
    case 'roof_left':
      return slopeCoefficient(face, house, windFrom_deg);
    case 'front':
    case 'back':
      return wallCoefficient(angleTo(face, house, windFrom_deg), house.width_m / house.length_m);
    case 'right':
    case 'left':
      return wallCoefficient(angleTo(face, house, windFrom_deg), house.length_m / house.width_m);
  }
}

function slopeCoefficient(face: 'roof_right' | 'roof_left', house: ExposedHouse, windFrom_deg: number): number {
  const planRatio = Math.max(house.length_m, house.width_m) / Math.min(house.length_m, house.width_m);
  const toRidge_deg = incidence_deg(windFrom_deg, house.orientation_deg);
  const pitch_deg = house.roof === 'sawtooth' && face === 'roof_left' ? 90 : house.pitch_deg;
  return (
    roofCoefficient(angleTo(face, house, windFrom_deg), pitch_deg, planRatio) *
    multiSpanFactor(house.spans, toRidge_deg)
  );
}

function angleTo(face: Exclude<Face, 'ridge'>, house: ExposedHouse, windFrom_deg: number): number {
  return incidence_deg(windFrom_deg, house.orientation_deg + turnOfFace[face]);
}
