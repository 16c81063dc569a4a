import type { Geometry } from '../../../server/contract/overlay.ts';
import { mercatorX, mercatorY } from '../mercator.ts';

/** What a shape is drawn as. */
export const shapeKinds = { line: 0, area: 1, points: 2 } as const;
export type ShapeKind = (typeof shapeKinds)[keyof typeof shapeKinds];

/** Many shapes in few buffers, which pass to another thread without being copied. */
export interface PackedShapes {
  /** By which a shape is known; one that is known already is put in its place. */
  keys: Uint32Array<ArrayBuffer>;
  kinds: Uint8Array<ArrayBuffer>;
  /** Where the rings of each shape end in `ringEnds`. */
  shapeEnds: Uint32Array<ArrayBuffer>;
  /** Where the numbers of each ring end in `points`. */
  ringEnds: Uint32Array<ArrayBuffer>;
  /** x and y by turns, in parts of the Web Mercator square. */
  points: Float64Array<ArrayBuffer>;
}

type Ring = readonly (readonly number[])[];

/** Projected once; each scale is a multiplication from then on. */
export function packShapes(shapes: readonly { key: number; geometry: Geometry }[]): PackedShapes {
  const rings = shapes.map(({ geometry }) => ringsOf(geometry));
  const ringCount = rings.reduce((sum, ofShape) => sum + ofShape.length, 0);
  const pointCount = rings.reduce((sum, ofShape) => sum + ofShape.reduce((count, ring) => count + ring.length, 0), 0);
  const packed: PackedShapes = {
    keys: new Uint32Array(shapes.length),
    kinds: new Uint8Array(shapes.length),
    shapeEnds: new Uint32Array(shapes.length),
    ringEnds: new Uint32Array(ringCount),
    points: new Float64Array(pointCount * 2),
  };
  let [ringAt, pointAt] = [0, 0];
  for (const [at, { key, geometry }] of shapes.entries()) {
    for (const ring of rings[at] ?? []) {
      for (const [lng = 0, lat = 0] of ring) {
        packed.points[pointAt] = mercatorX(lng);
        packed.points[pointAt + 1] = mercatorY(lat);
        pointAt += 2;
      }
      packed.ringEnds[ringAt] = pointAt;
      ringAt += 1;
    }
    packed.keys[at] = key;
    packed.kinds[at] = kindOf(geometry);
    packed.shapeEnds[at] = ringAt;
  }
  return packed;
}

/** As GeoJSON has them: those of areas end where they began. */
export function ringsOf(geometry: Geometry): readonly Ring[] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'MultiPoint':
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat();
  }
}

export function kindOf({ type }: Geometry): ShapeKind {
  if (type === 'Point' || type === 'MultiPoint') return shapeKinds.points;
  return type === 'LineString' || type === 'MultiLineString' ? shapeKinds.line : shapeKinds.area;
}
