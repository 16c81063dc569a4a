import type { Envelope, Face, GeometryTerms, Opening } from '../../contract/facility.ts';
import { usualCentre_m } from '../geometry/centre-height.ts';

export const defaultDischargeCoefficient = 0.6;

/** An opening with everything that the wind network needs. */
export interface PlacedOpening {
  id: string;
  face: Face;
  area_m2: number;
  height_m: number;
  dischargeCoefficient: number;
  /** Vertical extent, m; without it an opening exchanges no air by its own warmth. */
  tall_m?: number;
}

/** Free area of an opening when fully open, m2. */
export function openingArea(opening: Opening): number {
  return opening.area_m2 ?? (opening.width_m ?? 0) * (opening.height_m ?? 0);
}

/**
 * The openings of a house. Without any: each long side opens 0.15 of the floor at half the eave height, the ridge 0.10
 * of it at its own height.
 */
export function placeOpenings(
  openings: readonly Opening[],
  geometry: GeometryTerms,
  envelope: Envelope,
): { openings: PlacedOpening[]; assumed: boolean } {
  if (openings.length > 0) {
    return { openings: openings.map((one) => placed(one, geometry, envelope)), assumed: false };
  }
  const { floor_area_m2, rise_m } = geometry;
  const heights = { eave_height_m: envelope.eave_height_m, rise_m };
  const faces = [
    { face: 'right', area_m2: 0.15 * floor_area_m2 },
    { face: 'left', area_m2: 0.15 * floor_area_m2 },
    { face: 'ridge', area_m2: 0.1 * floor_area_m2 },
  ] as const;
  return {
    openings: faces.map((one) => ({
      id: one.face,
      dischargeCoefficient: defaultDischargeCoefficient,
      height_m: usualCentre_m(one.face, heights),
      tall_m: stripHeight_m(one, geometry, envelope),
      ...one,
    })),
    assumed: true,
  };
}

/**
 * Vertical extent of an opening with only an area: a strip along its whole face, over all bays and houses, at most as
 * high as the eave.
 */
function stripHeight_m(opening: { face: Face; area_m2: number }, geometry: GeometryTerms, envelope: Envelope): number {
  const isEnd = opening.face === 'front' || opening.face === 'back';
  const width_m = geometry.floor_area_m2 / envelope.length_m;
  const along_m = isEnd ? width_m : envelope.length_m * geometry.house_count;
  return Math.min(envelope.eave_height_m, opening.area_m2 / along_m);
}

function placed(opening: Opening, geometry: GeometryTerms, envelope: Envelope): PlacedOpening {
  const area_m2 = openingArea(opening);
  return {
    id: opening.id,
    face: opening.face,
    area_m2,
    tall_m: opening.height_m ?? stripHeight_m({ face: opening.face, area_m2 }, geometry, envelope),
    height_m: opening.centre_height_m,
    dischargeCoefficient: opening.discharge_coefficient ?? defaultDischargeCoefficient,
  };
}
