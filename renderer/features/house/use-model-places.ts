import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Facility } from '../../../server/contract/facility.ts';
import { overlayEndpoints, type Feature } from '../../../server/contract/overlay.ts';
import { smallestRectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';
import { useCall } from '../../client/client.ts';
import { spotsOnMap } from '../../scene/compass.ts';
import type { Spot } from '../../scene/sensors.ts';

export interface ModelPlaces {
  /** Where the front looks: as entered, else along the outline on the map; null while neither is known. */
  front_deg: ComputedRef<number | null>;
  /** Devices on the map by their place in the house. */
  spots: ComputedRef<ReadonlyMap<string, Spot>>;
  error: ShallowRef<unknown>;
}

/** Where a house and its devices stand on the map. */
export function useModelPlaces(facility: () => Facility | null): ModelPlaces {
  const call = useCall();
  const outline = shallowRef<Feature | null>(null);
  const devices = shallowRef<Feature[]>([]);
  const error = shallowRef<unknown>(null);

  async function load(house: Facility): Promise<void> {
    try {
      const [{ features }, map] = await Promise.all([
        call(overlayEndpoints.list, { query: { unique_id: house.shape_uuid } }),
        call(overlayEndpoints.get, { query: { geo_id: house.geo_id, type: 'device' } }),
      ]);
      outline.value = features[0] ?? null;
      devices.value = map.features;
      error.value = null;
    } catch (thrown) {
      error.value = thrown;
    }
  }
  watch(
    () => facility()?.revision,
    () => {
      const house = facility();
      if (house !== null) void load(house);
    },
    { immediate: true },
  );

  const front_deg = computed(() => {
    const given = facility()?.view_3d.orientation_deg;
    return given ?? (outline.value === null ? null : (smallestRectangle(outline.value.geometry)?.axis_deg ?? null));
  });
  const spots = computed<ReadonlyMap<string, Spot>>(() => {
    if (outline.value === null || front_deg.value === null) return new Map();
    const placed = devices.value.flatMap(({ geometry, properties: { device_id } }) =>
      geometry.type === 'Point' && device_id !== undefined ? [{ device_id, position: geometry.coordinates }] : [],
    );
    return spotsOnMap(outline.value.geometry, front_deg.value, placed);
  });
  return { front_deg, spots, error };
}
