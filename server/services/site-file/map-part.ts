import { randomUUID } from 'node:crypto';
import { designSave } from '../../contract/design.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { overlaySave } from '../../contract/overlay.ts';
import type { DesignRepository } from '../../db/repositories/design.ts';
import type { OverlayRepository } from '../../db/repositories/overlay.ts';
import { isObject, withIds } from '../device/moved-ids.ts';
import type { DesignService } from '../map/design.ts';
import { takeIn } from '../map/feature-intake.ts';
import type { OverlayService } from '../map/overlay.ts';
import type { SiteEntry, SitePart, Taking } from './part.ts';

interface MapOptions {
  designs: DesignService;
  overlays: OverlayService;
  rows: Pick<DesignRepository, 'get' | 'remove'>;
  features: Pick<OverlayRepository, 'get'>;
  /** Whether a device of any kind has this id. */
  deviceExists: (id: string) => boolean;
}

interface Feature {
  [member: string]: unknown;
  properties: Record<string, unknown>;
}

/** Maps with their features. */
export function mapPart({ designs, overlays, rows, features, deviceExists }: MapOptions): SitePart {
  /** The features as they go onto the map, each with its old id if that is free. */
  function drawn(entry: SiteEntry, mapId: string, { renamed, idFor }: Taking): { list: Feature[]; without: string[] } {
    const without: string[] = [];
    const list = featuresOf(entry).map(({ properties: { map_uuid: _, ...properties }, ...feature }, at) => {
      const id = idOf(properties);
      const free = id === undefined ? undefined : idFor(id);
      const unique_id = free !== undefined && features.get(free) === undefined ? free : randomUUID();
      if (id !== undefined) renamed.set(id, unique_id);
      const known = { ...(withIds(properties, renamed) as object), unique_id, map_uuid: mapId };
      return { ...feature, properties: placed(known, () => without.push(`features.${at}.properties.device_id`)) };
    });
    return { list, without };
  }

  /** A marker whose device did not come stays, as equipment without a device. */
  function placed(properties: Record<string, unknown>, onGone: () => void): Record<string, unknown> {
    const { device_id, channel: _, ...others } = properties;
    if (properties['type'] !== 'device' || typeof device_id !== 'string' || deviceExists(device_id)) return properties;
    onGone();
    return { ...others, type: 'equipment' };
  }

  return {
    provides: (entry) => [entry.id, ...featuresOf(entry).flatMap(({ properties }) => idOf(properties) ?? [])],
    mentions: (entry) =>
      featuresOf(entry).flatMap(({ properties: { device_id } }) =>
        typeof device_id === 'string' ? [device_id.toLowerCase()] : [],
      ),
    present: async (id) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      if (row.deleted_at !== null) return 'in_trash';
      return JSON.parse((await designs.get(id)).toString()) as object; // of a map
    },
    take: async (entry, taking) => {
      const { actor, isDry, idFor, renamed } = taking;
      const map_uuid = idFor(entry.id) ?? randomUUID();
      const { name, lat, lng, zoom, layers } = entry.content;
      const design = parseOrRefuse(designSave, {
        map_uuid,
        name,
        lat,
        lng,
        zoom,
        ...(layers !== undefined && { layers }),
      });
      renamed.set(entry.id, map_uuid);
      const { list, without } = drawn(entry, map_uuid, taking);
      const save = parseOrRefuse(overlaySave, { geo_id: map_uuid, features: list });
      takeIn(map_uuid, { field: 'features', features: save.features });
      if (isDry) return { unique_id: null, without: [] };
      await designs.save(design, actor);
      try {
        if (save.features.length > 0) await overlays.save(save, actor);
      } catch (error) {
        await designs.remove(map_uuid, actor);
        rows.remove(map_uuid); // in the trash it would stand in the way of the next try
        throw error;
      }
      return { unique_id: map_uuid, without };
    },
  };
}

function featuresOf({ content: { features } }: SiteEntry): Feature[] {
  const list = isObject(features) && Array.isArray(features['features']) ? (features['features'] as unknown[]) : [];
  return list.map((one) => {
    const feature = isObject(one) ? one : {};
    return { ...feature, properties: isObject(feature['properties']) ? feature['properties'] : {} };
  });
}

function idOf({ unique_id }: Record<string, unknown>): string | undefined {
  return typeof unique_id === 'string' ? unique_id.toLowerCase() : undefined;
}
