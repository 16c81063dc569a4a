import { useDebounceFn, useIntervalFn } from '@vueuse/core';
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { climateLive, type ClimateLive, type ClimatePreview } from '../../../server/contract/climate-live.ts';
import type { Climate } from '../../../server/contract/climate-settings.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useLive } from '../../stores/live.ts';
import { periodsOf, rowOf, type PeriodRow } from './period-rows.ts';

/** The preview moves on with the clock. */
const previewEveryMs = 300_000;
/** What is typed is drawn a moment later. */
const drawnAfterMs = 400;

interface UsedClimate {
  program: ShallowRef<Climate | null>;
  live: ComputedRef<ClimateLive | null>;
  preview: ShallowRef<ClimatePreview | null>;
  /** As the entered periods would make it; null while nothing is changed, or they are wrong. */
  changed: ShallowRef<ClimatePreview | null>;
  rows: Ref<PeriodRow[]>;
  isChanged: ComputedRef<boolean>;
  error: ShallowRef<unknown>;
  /** Why the entered periods cannot be. */
  fault: ShallowRef<unknown>;
  load: () => Promise<void>;
  save: (body: { is_activated?: boolean }) => Promise<void>;
}

/** The climate program of a house, what it does now, and a change of its periods before it is taken. */
export function useClimate(facilityUuid: () => string, firstRows: () => PeriodRow[]): UsedClimate {
  const call = useCall();
  const stream = useLive();
  const program = shallowRef<Climate | null>(null);
  const read = shallowRef<ClimateLive | null>(null);
  const preview = shallowRef<ClimatePreview | null>(null);
  const changed = shallowRef<ClimatePreview | null>(null);
  const error = shallowRef<unknown>(null);
  const fault = shallowRef<unknown>(null);
  const rows = ref<PeriodRow[]>([]);
  const params = (): { facility_uuid: string } => ({ facility_uuid: facilityUuid() });

  const stored = computed(() => program.value?.periods ?? null);
  const isChanged = computed(
    () =>
      JSON.stringify(periodsOf(rows.value)) !==
      JSON.stringify(stored.value?.map((one) => periodsOf([rowOf(one)])?.[0])),
  );
  const live = computed(() => {
    const told = program.value === null ? undefined : stream.control(program.value.unique_id);
    return climateLive.safeParse(told).data ?? read.value;
  });

  async function load(): Promise<void> {
    try {
      program.value = await call(climateEndpoints.ofHouse, { params: params() });
      rows.value = program.value.periods.map(rowOf);
      changed.value = null;
      fault.value = null;
      [read.value, preview.value] = await Promise.all([
        call(climateEndpoints.live, { params: params() }),
        call(climateEndpoints.preview, { params: params() }),
      ]);
      error.value = null;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (thrown.code === 'not_found' && program.value === null) {
        rows.value = firstRows();
        error.value = null;
      } else error.value = thrown;
    }
  }

  async function draw(): Promise<void> {
    const periods = periodsOf(rows.value);
    changed.value = null;
    fault.value = null;
    if (periods === null || !isChanged.value) return;
    try {
      changed.value = await call(climateEndpoints.previewChanged, { params: params(), body: { periods } });
      preview.value ??= changed.value;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      fault.value = thrown;
    }
  }

  async function save(body: { is_activated?: boolean }): Promise<void> {
    const periods = periodsOf(rows.value);
    if (periods === null) return;
    await call(climateEndpoints.save, { params: params(), body: { periods, ...body } });
    await load();
  }

  watch(facilityUuid, () => void load(), { immediate: true });
  watch(rows, useDebounceFn(draw, drawnAfterMs), { deep: true });
  useIntervalFn(() => {
    if (program.value === null) return;
    void call(climateEndpoints.preview, { params: params() }).then(
      (found) => (preview.value = found),
      () => undefined, // what is shown stays
    );
  }, previewEveryMs);
  return { program, live, preview, changed, rows, isChanged, error, fault, load, save };
}
