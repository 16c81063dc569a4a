import { watchDebounced } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import type { WindResult, WindRose } from '../../../server/contract/facility.ts';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import { useCall } from '../../client/client.ts';
import { roseOf, usualWind, type AskedWind } from '../facility/wind/asked-wind.ts';

/** How long to wait after the last slider movement before asking for flows. */
const restMs = 120;

export interface Wind {
  asked: ShallowRef<AskedWind>;
  rose: ShallowRef<WindRose | null>;
  result: ShallowRef<WindResult | null>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
}

/** Natural ventilation of a house in a chosen wind, and in all others. `facility` changes whenever it is saved. */
export function useWind(facility: () => { unique_id: string; revision: number }): Wind {
  const call = useCall();
  const asked = shallowRef(usualWind);
  const rose = shallowRef<WindRose | null>(null);
  const result = shallowRef<WindResult | null>(null);
  const error = shallowRef<unknown>(null);
  let latest = 0;

  async function load(): Promise<void> {
    const mine = (latest += 1);
    const params = { facility_uuid: facility().unique_id };
    const { speed_m_s: wind_speed, direction_deg: wind_dir, opening_pct } = asked.value;
    try {
      const [all, one] = await Promise.all([
        call(facilityEndpoints.windRose, { params, query: { ...roseOf(wind_speed), opening_pct } }),
        call(facilityEndpoints.wind, { params, query: { wind_speed, wind_dir, opening_pct } }),
      ]);
      if (mine !== latest) return;
      rose.value = all;
      result.value = one;
      error.value = null;
    } catch (thrown) {
      if (mine === latest) error.value = thrown;
    }
  }

  watchDebounced(() => ({ ...asked.value, ...facility() }), load, { debounce: restMs, immediate: true });
  return { asked, rose, result, error, load };
}
