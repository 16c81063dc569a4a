import type { Face } from '../../contract/facility.ts';

/** Heights that settle where openings can be, m. */
export interface HouseHeights {
  eave_height_m: number;
  /** Ridge above the eave, 0 or more. */
  rise_m: number;
}

/** Heights are entered to the centimetre and drawn from plans: this much beyond a face is no mistake, m. */
const tolerance_m = 0.1;

/** Between which heights above ground the centre of an opening in a face can lie, m. End walls reach to the ridge. */
export function centreRange(face: Face, { eave_height_m, rise_m }: HouseHeights): { least_m: number; most_m: number } {
  const ridge_m = eave_height_m + rise_m;
  switch (face) {
    case 'left':
    case 'right':
      return { least_m: 0, most_m: eave_height_m };
    case 'front':
    case 'back':
      return { least_m: 0, most_m: ridge_m };
    case 'roof_left':
    case 'roof_right':
    case 'ridge':
      return { least_m: eave_height_m, most_m: ridge_m };
  }
}

/** Whether a centre so high, in m above ground, lies below or above its face; null where it fits. */
export function centreFault(face: Face, centre_height_m: number, heights: HouseHeights): 'low' | 'high' | null {
  const { least_m, most_m } = centreRange(face, heights);
  if (centre_height_m < least_m - tolerance_m) return 'low';
  return centre_height_m > most_m + tolerance_m ? 'high' : null;
}

/** Height above ground of the centre of an opening where nothing else is known, m: the ridge, else half-way up. */
export function usualCentre_m(face: Face, heights: HouseHeights): number {
  if (face === 'ridge') return centreRange(face, heights).most_m;
  if (face === 'front' || face === 'back') return heights.eave_height_m / 2;
  const { least_m, most_m } = centreRange(face, heights);
  return (least_m + most_m) / 2;
}
