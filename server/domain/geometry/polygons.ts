import type { Geometry } from '../../contract/overlay.ts';

/** Rings of one area: the outer one, then its holes. Positions are [longitude, latitude, ...] in degrees. */
export type Rings = readonly (readonly (readonly number[])[])[];

/** The areas of a geometry; none when it encloses nothing. */
export function polygonsOf(geometry: Geometry): readonly Rings[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}
