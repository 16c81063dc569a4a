import type { Feature } from '../../server/contract/overlay.ts';
import { checkGeometry, isFault, type GeometryFaultKind } from '../../server/domain/geometry/feature-geometry.ts';
import { idOf, type Edit } from './edit-buffer.ts';
import { boxOf } from './geo-box.ts';

/** A shape that the service does not take, or the map cannot draw, and why. */
export interface RefusedShape {
  shape: Feature;
  kind: GeometryFaultKind | 'width';
}

/** The first shape of an edit whose new geometry is refused; null when there is none. */
export function refusedOf({ put }: Edit, find: (id: string) => Feature | undefined): RefusedShape | null {
  for (const shape of put) {
    const before = find(idOf(shape));
    if (before?.geometry === shape.geometry) continue;
    const checked = checkGeometry(shape.geometry, shape.properties.type);
    if (isFault(checked)) return { shape, kind: checked.kind };
    if (isWide(shape) && !(before !== undefined && isWide(before))) return { shape, kind: 'width' };
  }
  return null;
}

/** Drawn across the meridian of 180° it would be a band around the earth. Files may have such shapes. */
function isWide(shape: Feature): boolean {
  const { west, east } = boxOf(shape);
  return east - west > 180;
}
