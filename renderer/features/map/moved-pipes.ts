import type { Feature } from '../../../server/contract/overlay.ts';
import { lengthOf } from '../../map/geodesy.ts';

/** A device further than this from the end of its pipe has moved, m. */
const tolerance_m = 0.5;

/** Ids of devices that are no longer at the end of the pipes planned for them. */
export function movedDevices(features: readonly Feature[]): string[] {
  const places = Map.groupBy(
    features.filter(({ geometry }) => geometry.type === 'Point'),
    ({ properties }) => properties.device_id,
  );
  const moved = new Set<string>();
  for (const { geometry, properties } of features) {
    if (geometry.type !== 'LineString' || typeof properties['plan_id'] !== 'string') continue;
    const ends = [
      [properties['from'], geometry.coordinates[0]],
      [properties['to'], geometry.coordinates.at(-1)],
    ] as const;
    for (const [id, end] of ends) {
      const stands = typeof id === 'string' ? (places.get(id) ?? []) : [];
      if (typeof id === 'string' && end !== undefined && stands.length > 0 && !stands.some((one) => isAt(one, end)))
        moved.add(id);
    }
  }
  return [...moved];
}

/** Ids of the plans whose pipes are on the map. */
export function plansOf(features: readonly Feature[]): string[] {
  const ids = features.map(({ properties }) => properties['plan_id']).filter((id) => typeof id === 'string');
  return [...new Set(ids)];
}

function isAt({ geometry }: Feature, end: readonly number[]): boolean {
  return geometry.type === 'Point' && lengthOf([geometry.coordinates, [...end]]) <= tolerance_m;
}
