import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Facility } from '../../../server/contract/facility.ts';
import { overlayEndpoints, type Feature } from '../../../server/contract/overlay.ts';
import { smallestRectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';
import { useCall } from '../../client/client.ts';
import { boxOf } from '../../map/geo-box.ts';
import { spotsOnMap } from '../../scene/compass.ts';
import type { Spot } from '../../scene/sensors.ts';
import { useLive } from '../../stores/live.ts';

export interface ModelPlaces {
  /** Where the front faces: as entered, else along the outline on the map; null while neither is known. */
  front_deg: ComputedRef<number | null>;
  /** Of the outline on the map; null while it is not known. */
  position: ComputedRef<{ lat: number; lng: number } | null>;
  /** Places in the house of what stands on the map, by the id of its measurement or device. */
  spots: ComputedRef<ReadonlyMap<string, Spot>>;
  /** Whether the map was read: until then devices are not reported as missing from it. */
  isLoaded: ComputedRef<boolean>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
}

/** Places on the map by the id of the measurement that stands there, or of a device with all of its channels. */
export function placesOf(
  features: readonly Feature[],
  measurementOf: (deviceId: string, channel: number) => string | undefined,
): { id: string; position: readonly number[] }[] {
  return features.flatMap(({ geometry, properties: { device_id, channel } }) => {
    if (geometry.type !== 'Point' || device_id === undefined) return [];
    const id = channel === undefined ? device_id : measurementOf(device_id, channel);
    return id === undefined ? [] : [{ id, position: geometry.coordinates }];
  });
}

/** Where a house and its devices are on the map. */
export function useModelPlaces(facility: () => Facility | null): ModelPlaces {
  const call = useCall();
  const live = useLive();
  const read = shallowRef<{ house: string; outline: Feature | null; devices: Feature[] } | null>(null);
  const error = shallowRef<unknown>(null);
  const onMap = computed(() => (read.value?.house === facility()?.unique_id ? read.value : null));
  const outline = computed(() => onMap.value?.outline ?? null);

  async function load(): Promise<void> {
    const house = facility();
    if (house === null) return;
    try {
      const [{ features }, map] = await Promise.all([
        call(overlayEndpoints.list, { query: { unique_id: house.shape_uuid } }),
        call(overlayEndpoints.get, { query: { geo_id: house.geo_id, type: 'device' } }),
      ]);
      if (house.unique_id !== facility()?.unique_id) return;
      read.value = { house: house.unique_id, outline: features[0] ?? null, devices: map.features };
      error.value = null;
    } catch (thrown) {
      if (house.unique_id === facility()?.unique_id) error.value = thrown;
    }
  }
  watch([() => facility()?.unique_id, () => facility()?.revision], load, { immediate: true });

  const front_deg = computed(() => {
    const given = facility()?.view_3d.orientation_deg;
    return given ?? (outline.value === null ? null : (smallestRectangle(outline.value.geometry)?.axis_deg ?? null));
  });
  const position = computed(() => {
    if (outline.value === null) return null;
    const { west, south, east, north } = boxOf(outline.value);
    return { lat: (south + north) / 2, lng: (west + east) / 2 };
  });
  const spots = computed<ReadonlyMap<string, Spot>>(() => {
    if (outline.value === null || front_deg.value === null) return new Map();
    const places = placesOf(onMap.value?.devices ?? [], (id, wanted) => {
      return live.device(id)?.channels.find(({ channel }) => channel === wanted)?.measurement_id;
    });
    return spotsOnMap(outline.value.geometry, front_deg.value, places);
  });
  return { front_deg, position, spots, isLoaded: computed(() => onMap.value !== null), error, load };
}
