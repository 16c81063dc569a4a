import { computed, type ComputedRef } from 'vue';
import type { Climate } from '../../server/contract/climate-settings.ts';
import { useDevices } from '../stores/device.ts';
import { useFacilities } from '../stores/facility.ts';
import { programText } from './program-text.ts';

interface NamedProgram extends Pick<Climate, 'unique_id' | 'facility_uuid' | 'is_activated'> {
  /** Its house and its own name. */
  text: string;
}

/** The climate programs that have been read, each by its house, by which it is known. */
export function usePrograms(): ComputedRef<NamedProgram[]> {
  const devices = useDevices();
  const facilities = useFacilities();
  return computed(() =>
    devices.listOf('climate').map(({ unique_id, name, facility_uuid, is_activated }) => {
      const house = facilities.list.find((one) => one.unique_id === facility_uuid)?.name;
      return { unique_id, facility_uuid, is_activated, text: programText(house, name) };
    }),
  );
}
