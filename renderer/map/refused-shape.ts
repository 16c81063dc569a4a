import type { Feature } from '../../server/contract/overlay.ts';
import { checkGeometry, isFault, type GeometryFaultKind } from '../../server/domain/geometry/feature-geometry.ts';
import { idOf, type Edit } from './edit-buffer.ts';

/** A shape that the service does not take, and why. */
export interface RefusedShape {
  shape: Feature;
  kind: GeometryFaultKind;
}

/** The first shape of an edit whose new geometry the service would refuse; null when there is none. */
export function refusedOf({ put }: Edit, find: (id: string) => Feature | undefined): RefusedShape | null {
  for (const shape of put) {
    if (find(idOf(shape))?.geometry === shape.geometry) continue;
    const checked = checkGeometry(shape.geometry, shape.properties.type);
    if (isFault(checked)) return { shape, kind: checked.kind };
  }
  return null;
}
