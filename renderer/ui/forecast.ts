import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { proxyEndpoints, type ForecastAnswer } from '../../server/contract/proxy.ts';
import { useCall, useClient } from '../client/client.ts';
import { useSettings } from '../stores/settings.ts';
import { useNow } from './now.ts';

/** By Open-Meteo's names; in UTC, mm and km/h, as they come when nothing else is asked for. */
export const forecastVariables = [
  'temperature_2m',
  'relative_humidity_2m',
  'precipitation',
  'wind_speed_10m',
  'shortwave_radiation',
] as const;
export type ForecastVariable = (typeof forecastVariables)[number];

export const kmPerHourInMetresPerSecond = 3.6;
const againEveryMs = 15 * 60_000;
/** The models of the service come by the hour. */
const oldAfterMs = 2 * 60 * 60_000;

/** The times of an answer, epoch ms. */
export function forecastTimes({ hourly }: ForecastAnswer): number[] {
  return (hourly?.['time'] ?? []).map((time) => Date.parse(`${String(time)}Z`));
}

/** The weather that is expected at the site, while it is wanted and the settings let it be asked for. One question for all screens. */
export function useForecast(isWanted: () => boolean = () => true) {
  const call = useCall();
  const { clock } = useClient();
  const settings = useSettings();
  const now = useNow();
  const answer = shallowRef<ForecastAnswer | null>(null);
  const told = shallowRef<{ at_ms: number; isStale: boolean } | null>(null);
  const error = shallowRef<unknown>(null);

  const mayAsk = computed(() => settings.site?.providers.openmeteo.enabled === true);
  /** Switched off, where it is wanted by an address that was kept. */
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
        query: { ...asked, hourly: forecastVariables.join(','), forecast_days: 4 },
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

  /** Its age, s; null while there is none. */
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
