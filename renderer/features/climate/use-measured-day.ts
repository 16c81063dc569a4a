import { useIntervalFn } from '@vueuse/core';
import { shallowRef, watch, type ShallowRef } from 'vue';
import { seriesKey } from '../../../server/contract/measured.ts';
import { measurementEndpoints } from '../../../server/contract/measurement-query.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useSession } from '../../stores/session.ts';
import { meanOfSeries, type MeasuredDay } from './day-picture.ts';

/** A quarter of an hour at a time is added. */
const everyMs = 300_000;

/** The temperature inside since midnight, as the sensors of the house stored it; null without any. */
export function useMeasuredDay(facilityUuid: () => string, midnight: () => string): ShallowRef<MeasuredDay | null> {
  const call = useCall();
  const session = useSession();
  const facilities = useFacilities();
  const measured = shallowRef<MeasuredDay | null>(null);

  async function read(): Promise<MeasuredDay | null> {
    const { sensors } = await facilities.get(facilityUuid());
    const thermometers = sensors.filter(({ role }) => role === 'indoor_temp');
    if (thermometers.length === 0) return null;
    const series = thermometers.map(seriesKey).join(',');
    const query = { series, from: midnight(), bucket: 'quarter' } as const;
    const { times, series: columns } = await call(measurementEndpoints.aggregated, { query });
    return meanOfSeries(
      times,
      columns.map(({ mean }) => mean ?? []),
    );
  }

  /** The day is drawn without it where it cannot be read. */
  async function load(): Promise<void> {
    if (!session.can('view_stats')) return;
    const [asked, day] = [facilityUuid(), midnight()];
    try {
      const found = await read();
      if (asked === facilityUuid() && day === midnight()) measured.value = found;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
    }
  }

  watch(
    [facilityUuid, midnight],
    () => {
      measured.value = null;
      void load();
    },
    { immediate: true },
  );
  useIntervalFn(() => void load(), everyMs);
  return measured;
}
