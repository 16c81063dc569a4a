import { z } from 'zod';
import type { Feature, Geometry } from '../../server/contract/overlay.ts';
import {
  checkGeometry,
  isFault,
  mayHaveForm,
  type GeometryFaultKind,
} from '../../server/domain/geometry/feature-geometry.ts';
import { isApiError } from '../client/api-error.ts';
import { idOf, type Delta, type Edit } from './edit-buffer.ts';
import { boxOf } from './geo-box.ts';
import { atOnce } from './slices.ts';

/** A shape that the service does not take, or the map cannot draw, and why. */
export interface RefusedShape {
  shape: Feature;
  kind: GeometryFaultKind | 'width';
}

/** The first shape of an edit whose new geometry is refused; null when there is none. */
export function refusedOf(edit: Pick<Edit, 'put'>, find: (id: string) => Feature | undefined): RefusedShape | null {
  return atOnce(findRefused(edit, find));
}

/** The same with rests; what it found sound is not checked again. */
export function* findRefused(
  { put }: Pick<Edit, 'put'>,
  find: (id: string) => Feature | undefined,
): Generator<void, RefusedShape | null> {
  for (const shape of put) {
    yield;
    const before = find(idOf(shape));
    if (before?.geometry === shape.geometry) continue;
    const kind = faultOf(shape);
    if (kind !== undefined) return { shape, kind };
    if (isWide(shape) && !(before !== undefined && isWide(before))) return { shape, kind: 'width' };
  }
  return null;
}

/** A geometry is never changed in place, and a check of many takes seconds. */
const sound = new WeakSet<Geometry>();

function faultOf({ geometry, properties }: Feature): GeometryFaultKind | undefined {
  if (sound.has(geometry)) return mayHaveForm(properties.type, geometry) ? undefined : 'kind';
  const checked = checkGeometry(geometry, properties.type);
  if (isFault(checked)) return checked.kind;
  sound.add(geometry);
  return undefined;
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
