import { onMounted, shallowReactive, watch } from 'vue';
import { seriesKey } from '../../../server/contract/measured.ts';
import { measurementEndpoints, mostSeries } from '../../../server/contract/measurement-query.ts';
import { isApiError } from '../../client/api-error.ts';
import { useClient } from '../../client/client.ts';
import { useLive } from '../../stores/live.ts';
import { useSession } from '../../stores/session.ts';
import { joined, trendMs, withSample, type Sample } from './trend.ts';

interface Series {
  device_id: string;
  measurement_id: string;
}

/** Four per pixel of a tile: more would not be visible. */
const points = 400;

/**
 * The last day of some measurements: stored values, then live ones, which `newest` reads where the stream does not tell
 * them as measurements.
 */
export function useTrends(
  series: () => readonly Series[],
  newest?: (measurement_id: string) => Sample | undefined,
): { of(measurement_id: string): readonly Sample[] } {
  const { call, clock } = useClient();
  const live = useLive();
  const session = useSession();
  const newestOf = newest ?? ((measurement_id) => live.value(measurement_id));
  const kept = shallowReactive(new Map<string, readonly Sample[]>());

  function add(key: string, sample: Sample): void {
    kept.set(key, withSample(kept.get(key) ?? [], sample));
  }

  async function load(some: readonly Series[]): Promise<void> {
    const query = {
      series: some.map(seriesKey).join(','),
      from: new Date(clock.now() - trendMs).toISOString(),
      points,
    };
    for (const { measurement_id, times, values } of (await call(measurementEndpoints.multi, { query })).series) {
      const stored = times.map((timeMs, index) => ({ time_ms: timeMs, value: values[index] ?? null }));
      kept.set(measurement_id, joined(stored, kept.get(measurement_id) ?? []));
    }
  }

  /** Without stored values the lines begin with the live ones. */
  async function loadAll(): Promise<void> {
    if (!session.can('view_stats')) return;
    const all = [...new Map(series().map((one) => [one.measurement_id, one])).values()];
    for (let at = 0; at < all.length; at += mostSeries) {
      await load(all.slice(at, at + mostSeries)).catch((error: unknown) => {
        if (!isApiError(error)) throw error;
      });
    }
  }

  watch(
    () => series().map(({ measurement_id }) => newestOf(measurement_id)?.time_ms),
    () => {
      for (const { measurement_id } of series()) {
        const value = newestOf(measurement_id);
        if (value !== undefined) add(measurement_id, { time_ms: value.time_ms, value: value.value });
      }
    },
    { immediate: true },
  );
  onMounted(loadAll);
  // A reset of the stream reloads the devices; what was measured meanwhile is stored.
  watch(
    [
      () =>
        series()
          .map(({ measurement_id }) => measurement_id)
          .join(),
      () => live.devices,
    ],
    loadAll,
  );

  return { of: (measurement_id) => kept.get(measurement_id) ?? [] };
}
