import { computed, type ComputedRef } from 'vue';
import type { Device } from '../../server/contract/device.ts';
import { useFacilities } from '../stores/facility.ts';
import { useLive } from '../stores/live.ts';
import { programText } from './program-text.ts';

interface NamedProgram extends Pick<Device, 'unique_id' | 'is_activated'> {
  facility_uuid: string;
  /** Its house and its own name. */
  text: string;
}

/** The climate programs, each by its house, by which it is known, where the page has read the houses. */
export function usePrograms(): ComputedRef<NamedProgram[]> {
  const live = useLive();
  const facilities = useFacilities();
  return computed(() =>
    live.devices.flatMap(({ unique_id, name, facility_uuid, is_activated }) => {
      if (facility_uuid === undefined) return [];
      const house = facilities.list.find((one) => one.unique_id === facility_uuid)?.name;
      return [{ unique_id, facility_uuid, is_activated, text: programText(house, name) }];
    }),
  );
}
