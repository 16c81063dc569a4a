import { z } from 'zod';
import type { Feature } from '../../server/contract/overlay.ts';
import { checkGeometry, isFault, type GeometryFaultKind } from '../../server/domain/geometry/feature-geometry.ts';
import { isApiError } from '../client/api-error.ts';
import { idOf, type Delta, type Edit } from './edit-buffer.ts';
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

/** The id of the shape of a save that the service names first when it refuses; undefined where it names none. */
export function refusedIdOf(error: unknown, { added, modified }: Delta): string | undefined {
  if (!isApiError(error)) return undefined;
  for (const { path } of error.fields) {
    const [, list, at] = /^(added|modified)\[(\d+)\]/.exec(path) ?? [];
    const shape = (list === 'added' ? added : modified)[Number(at)];
    if (shape !== undefined) return idOf(shape);
  }
  const named = namedByRefusal.safeParse(error.problem);
  if (!named.success) return undefined;
  const { unique_id, facilities = [], features = [] } = named.data;
  return unique_id ?? facilities[0]?.shape_uuid ?? features[0];
}

/** Of `duplicate_feature` and `feature_of_other_map`, of `shape_in_use`, and of `already_placed`. */
const namedByRefusal = z.object({
  unique_id: z.string().optional(),
  facilities: z.array(z.object({ shape_uuid: z.string() })).optional(),
  features: z.array(z.string()).optional(),
});

/** Drawn across the meridian of 180° it would be a band around the earth. Files may have such shapes. */
function isWide(shape: Feature): boolean {
  const { west, east } = boxOf(shape);
  return east - west > 180;
}
