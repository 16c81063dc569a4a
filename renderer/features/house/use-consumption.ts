import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { ActuatorBinding, Facility } from '../../../server/contract/facility.ts';
import { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';
import type { Span } from '../../chart/night.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall, useClient } from '../../client/client.ts';
import { dayStartIn } from '../../i18n/site-time.ts';
import { useLive } from '../../stores/live.ts';
import { useSettings } from '../../stores/settings.ts';
import { consumptionOf, telling, type Consumption } from './consumption.ts';

/** Number of days, including today so far. */
export const spanDays = { today: 1, week: 7, month: 30 } as const;
export type SpanName = keyof typeof spanDays;

/** The sums change slowly, and a month of many actuators is costly to read. */
const againEveryMs = 300_000;

export interface ConsumptionOfHouse {
  /** null until loaded. */
  consumptions: ShallowRef<readonly Consumption[] | null>;
  /** The span they cover. */
  span: ShallowRef<Span | null>;
  /** Whether any actuator's consumption can be determined. */
  isTold: ComputedRef<boolean>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
}

/** Energy and water that the actuators of a house used, by site days. */
export function useConsumption(facility: () => Facility, chosen: Readonly<Ref<SpanName>>): ConsumptionOfHouse {
  const call = useCall();
  const { clock } = useClient();
  const live = useLive();
  const settings = useSettings();
  const consumptions = shallowRef<readonly Consumption[] | null>(null);
  const span = shallowRef<Span | null>(null);
  const error = shallowRef<unknown>(null);
  const asked = computed(() => telling(facility().actuators));
  let latest = 0;

  async function read({ binding, energy, states }: ReturnType<typeof telling>[number], { from_ms, to_ms }: Span) {
    const query = {
      device_id: binding.device_id,
      channel: channelOf(binding),
      from: new Date(from_ms).toISOString(),
      to: new Date(to_ms).toISOString(),
    };
    const [energyRead, statesRead] = await Promise.all([
      energy ? unlessGone(call(measurementAnalyticsEndpoints.energy, { query })) : null,
      states ? unlessGone(call(measurementAnalyticsEndpoints.stateTime, { query })) : null,
    ]);
    return consumptionOf(binding, { energy: energyRead, states: statesRead });
  }

  /** A binding without a channel means the lowest. */
  function channelOf({ device_id, channel }: ActuatorBinding): number {
    return channel ?? live.device(device_id)?.channels[0]?.channel ?? 0;
  }

  async function load(): Promise<void> {
    const mine = (latest += 1);
    const toMs = clock.now();
    const zone = settings.site?.time_zone ?? 'UTC';
    const wanted = { from_ms: dayStartIn(zone, toMs, spanDays[chosen.value] - 1), to_ms: toMs };
    try {
      const found = await Promise.all(asked.value.map((one) => read(one, wanted)));
      if (mine !== latest) return;
      consumptions.value = found;
      span.value = wanted;
      error.value = null;
    } catch (thrown) {
      if (mine === latest) error.value = thrown;
    }
  }

  watch([chosen, () => facility().revision], () => void load(), { immediate: true });
  useIntervalFn(() => {
    if (!document.hidden) void load();
  }, againEveryMs);
  return { consumptions, span, isTold: computed(() => asked.value.length > 0), error, load };
}

/** A missing device or an unsuitable meter of one actuator must not hide the others. */
async function unlessGone<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (isApiError(error) && (error.code === 'not_found' || error.code === 'invalid_field')) return null;
    throw error;
  }
}
