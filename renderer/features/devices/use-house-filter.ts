import { computed, shallowRef, type ComputedRef, type WritableComputedRef } from 'vue';
import type { Device } from '../../../server/contract/device.ts';
import { useFacilities } from '../../stores/facility.ts';
import type { DeviceHouse } from '../../ui/alarm-house.ts';

interface HouseFilter {
  houses: ComputedRef<readonly DeviceHouse[]>;
  /** The id of a house; null for all devices, also while there is no house of the id that was set. */
  chosen: WritableComputedRef<string | null>;
  has: (device: Pick<Device, 'unique_id'>) => boolean;
}

/** Narrows devices to those that one house uses, the ones that it shares with others included. */
export function useHouseFilter(): HouseFilter {
  const facilities = useFacilities();
  const asked = shallowRef<string | null>(null);
  const house = computed(() => facilities.list.find(({ unique_id }) => unique_id === asked.value) ?? null);
  const used = computed(
    () => house.value && new Set([...house.value.sensors, ...house.value.actuators].map((one) => one.device_id)),
  );
  return {
    houses: computed(() => facilities.list),
    chosen: computed({
      get: () => house.value?.unique_id ?? null,
      set: (id) => {
        asked.value = id;
      },
    }),
    has: ({ unique_id }) => used.value?.has(unique_id) ?? true,
  };
}
