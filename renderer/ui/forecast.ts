import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { forecastAsked, proxyEndpoints, type ForecastAnswer } from '../../server/contract/proxy.ts';
import { useCall, useClient } from '../client/client.ts';
import { useSettings } from '../stores/settings.ts';
import { useNow } from './now.ts';

const againEveryMs = 15 * 60_000;
/** The service's models update hourly. */
const oldAfterMs = 2 * 60 * 60_000;

/** The site's weather forecast, while it is wanted and the settings allow the request. One request for all pages. */
export function useForecast(isWanted: () => boolean = () => true) {
  const call = useCall();
  const { clock } = useClient();
  const settings = useSettings();
  const now = useNow();
  const answer = shallowRef<ForecastAnswer | null>(null);
  const told = shallowRef<{ at_ms: number; isStale: boolean } | null>(null);
  const error = shallowRef<unknown>(null);

  const mayAsk = computed(() => settings.site?.providers.openmeteo.enabled === true);
  /** Switched off, but wanted by a bookmarked address. */
  const isOff = computed(() => settings.site !== null && !mayAsk.value);
  const place = computed(() => {
    const { site } = settings;
    return site === null || !mayAsk.value || !isWanted() ? null : { latitude: site.lat, longitude: site.lng };
  });

  async function load(): Promise<void> {
    const asked = place.value;
    if (asked === null) return;
    let heard: typeof told.value = null;
    try {
      const found = await call(proxyEndpoints.forecast, {
        query: { ...asked, ...forecastAsked },
        answered: (headers) => {
          const age_s = Number(headers.get('Age') ?? 0);
          heard = { at_ms: clock.now() - age_s * 1000, isStale: headers.get('X-Cache') === 'STALE' };
        },
      });
      if (asked !== place.value) return; // the site was moved meanwhile
      answer.value = found;
      told.value = heard;
      error.value = null;
    } catch (thrown) {
      if (asked === place.value) error.value = thrown;
    }
  }

  /** Age, s; null while there is no forecast. */
  const age_s = computed(() => (told.value === null ? null : Math.max(0, (now.value - told.value.at_ms) / 1000)));
  const isOld = computed(() => told.value?.isStale === true || (age_s.value ?? 0) * 1000 > oldAfterMs);
  watch(
    () => `${settings.site?.lat} ${settings.site?.lng}`,
    () => {
      answer.value = null;
      told.value = null;
      error.value = null;
    },
  );
  watch(place, () => void load(), { immediate: true });
  useIntervalFn(() => void load(), againEveryMs);
  return { mayAsk, isOff, answer, told, age_s, isOld, error, load };
}

export type Forecast = ReturnType<typeof useForecast>;
