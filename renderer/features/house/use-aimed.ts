import { computed, type Ref } from 'vue';
import { aimSeriesId, climateAims, type ClimateAim } from '../../../server/contract/climate-aims.ts';
import type { ClimateLive } from '../../../server/contract/climate-live.ts';
import type { SensorRole } from '../../../server/contract/facility-binding.ts';
import { aimsOf } from '../../../server/domain/climate-program/aims.ts';
import { aimedEnds, isBandName } from './bands.ts';
import type { Aimed, Sample } from './trend.ts';
import { useTrends } from './use-trends.ts';

/** What a climate program aimed at over the last day, by value: as it stored it, then as it tells it. */
export function useAimed(
  program: Readonly<Ref<string | null | undefined>>,
  present: Readonly<Ref<ClimateLive | undefined>>,
): (name: SensorRole | 'vpd') => Aimed | null {
  const series = computed(() => {
    const device_id = program.value;
    if (device_id == null) return [];
    return climateAims.map((aim) => ({ device_id, measurement_id: aimSeriesId(device_id, aim) }));
  });
  /** The newest of each series; none while the program does not run. */
  const newest = computed(() => {
    const live = present.value;
    if (live === undefined || live.at === null) return new Map<string, Sample>();
    const [time_ms, aims] = [Date.parse(live.at), aimsOf(live)];
    return new Map(climateAims.map((aim) => [aimSeriesId(live.climate_id, aim), { time_ms, value: aims[aim] }]));
  });
  const trends = useTrends(
    () => series.value,
    (id) => newest.value.get(id),
  );
  const stored = (aim: ClimateAim | null): readonly Sample[] | null =>
    aim === null || program.value == null ? null : trends.of(aimSeriesId(program.value, aim));
  return (name) => {
    if (program.value == null || !isBandName(name)) return null;
    const [low, high] = aimedEnds[name];
    return { low: stored(low), high: stored(high) };
  };
}
