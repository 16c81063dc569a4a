import { computed, watch, type ComputedRef } from 'vue';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import type { ClimateLive } from '../../../server/contract/climate-live.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import type { SetBand } from './bands.ts';

/**
 * The present control band of a house; null without a running climate program, or while its setpoints are unknown. The
 * page loads the devices.
 */
export function useSetBand(facilityUuid: () => string): ComputedRef<SetBand | null> {
  const call = useCall();
  const devices = useDevices();
  const live = useLive();
  const program = computed(
    () =>
      devices
        .listOf('climate')
        .find(({ facility_uuid, is_activated }) => is_activated && facility_uuid === facilityUuid())?.unique_id ?? null,
  );

  /** Once; then the live stream updates it. */
  async function load(id: string): Promise<void> {
    try {
      live.takeControl(id, await call(climateEndpoints.live, { params: { facility_uuid: facilityUuid() } }));
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
    }
  }

  watch(
    program,
    (id) => {
      if (id !== null && live.control(id) === undefined) void load(id);
    },
    { immediate: true },
  );

  return computed(() => {
    if (program.value === null) return null;
    const told = live.control(program.value) as ClimateLive | undefined; // the live state of its kind
    const { heating_c, ventilation_c } = told?.setpoints ?? {};
    const [heating, ventilation] = [heating_c?.value ?? null, ventilation_c?.value ?? null];
    return heating === null || ventilation === null ? null : [heating, ventilation];
  });
}
