import type { RoofType } from '../../contract/facility.ts';

/** Cross-section of one bay above the eave. */
export interface RoofSection {
  /** Length of the roof line from eave to eave, vertical faces included, m. */
  line_m: number;
  /** Area between the roof line and the level of the eave, m2. */
  area_m2: number;
  /** Mean slope of the faces that carry the roof, degrees. */
  pitch_deg: number;
}

const degrees = 180 / Math.PI;

/**
 * Roof line, area and pitch of one bay of `width_m` whose ridge is `rise_m` (>= 0) above the eave. Gable: two equal
 * rafters. Arch: a segment of a circle. Sawtooth: one sloped and one vertical face.
 */
export function roofSection(roof: RoofType, width_m: number, rise_m: number): RoofSection {
  switch (roof) {
    case 'flat':
      return { line_m: width_m, area_m2: 0, pitch_deg: 0 };
    case 'gable':
      return {
        line_m: 2 * Math.hypot(width_m / 2, rise_m),
        area_m2: (width_m * rise_m) / 2,
        pitch_deg: Math.atan((2 * rise_m) / width_m) * degrees,
      };
    case 'sawtooth':
      return {
        line_m: Math.hypot(width_m, rise_m) + rise_m,
        area_m2: (width_m * rise_m) / 2,
        pitch_deg: Math.atan(rise_m / width_m) * degrees,
      };
    case 'arch':
      return archSection(width_m, rise_m);
  }
}

/**
 * Segment of a circle with chord W and sagitta f: R = (W2/4 + f2) / 2f. Its half angle is 2 atan(2f/W), which is
 * asin(W/2R) up to f = W/2 and pi minus that above; R times it is the half arc.
 */
function archSection(width_m: number, rise_m: number): RoofSection {
  const pitch_deg = Math.atan((2 * rise_m) / width_m) * degrees;
  if (rise_m === 0) return { line_m: width_m, area_m2: 0, pitch_deg };
  const half = 2 * Math.atan((2 * rise_m) / width_m);
  const radius_m = width_m / (2 * Math.sin(half));
  return { line_m: 2 * radius_m * half, area_m2: (radius_m ** 2 * excessOverSine(2 * half)) / 2, pitch_deg };
}

/** x - sin x; by its series when the difference would lose its digits (a nearly flat arch). */
function excessOverSine(x: number): number {
  if (x > 0.5) return x - Math.sin(x);
  const square = x * x;
  return ((x * square) / 6) * (1 - (square / 20) * (1 - (square / 42) * (1 - (square / 72) * (1 - square / 110))));
}
