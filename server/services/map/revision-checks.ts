import { Refusal } from '../../contract/errors.ts';
import { facilityLinks } from '../../db/repositories/facility-links.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { FeatureRecord } from '../../db/repositories/overlay.ts';
import type { Drawn, MapChange } from './change.ts';
import type { MapStore } from './store.ts';

const featureLimit = 200_000;

export function refuseTooMany(map: DesignRecord, { added, deleted }: MapChange): void {
  const count = map.feature_count + added.length - deleted.length;
  if (count > featureLimit) {
    throw new Refusal('payload_too_large', `a map holds at most ${featureLimit} features, not ${count}`);
  }
}

/** A facility's shape must stay, and must remain an area. */
export function refuseUsedShapes({ db }: MapStore, map: DesignRecord, { modified, deleted }: MapChange): void {
  const used = facilityLinks.facilitiesOfMap(db, map.map_uuid);
  if (used.length === 0) return;
  const lost = new Set([
    ...deleted.map((feature) => feature.unique_id),
    ...modified.filter(({ after }) => !after.isAreal).map(({ after }) => after.unique_id),
  ]);
  const facilities = used.filter(({ shape_uuid }) => lost.has(shape_uuid));
  if (facilities.length > 0) {
    throw new Refusal('shape_in_use', `${facilities.length} facilities stand on shapes that would be lost`, {
      members: { facilities },
    });
  }
}

/** Refuses to draw a feature that is on another map, or arrives there with a save under way. */
export function refuseOtherMaps({ overlays }: MapStore, mapId: string, { unique_id }: Drawn): void {
  const known = overlays.latest(unique_id);
  if (known !== undefined && known.map_uuid !== mapId) throw ofOtherMap(known);
}

export function ofOtherMap({ unique_id, map_uuid }: FeatureRecord): Refusal {
  return new Refusal('feature_of_other_map', `feature ${unique_id} belongs to map ${map_uuid}`, {
    members: { unique_id, map_uuid },
  });
}

/** Called when a map's change is written: refuses a device that is now placed on it twice. */
export function refuseDoublePlacement({ overlays }: MapStore, map: DesignRecord, { added, modified }: MapChange): void {
  const places = (feature: Drawn): boolean => feature.device_id !== null;
  if (!added.some(places) && !modified.some(({ after }) => places(after))) return;
  const double = overlays.doublePlacement(map.map_uuid);
  if (double === undefined) return;
  const { device_id, channel, one, other } = double;
  throw new Refusal('already_placed', `device ${device_id} would stand on the map twice`, {
    members: { device_id, channel, features: [one, other] },
  });
}
