import { useDebounceFn, useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { climateLive, type ClimateLive, type ClimatePreview } from '../../../server/contract/climate-live.ts';
import { climateDefaults, type Climate } from '../../../server/contract/climate-settings.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useLive } from '../../stores/live.ts';
import type { PeriodRow } from './period-rows.ts';
import { isAlike, namedOf, useClimateDraft, type ClimateBody, type ClimateDraft } from './use-climate-draft.ts';

/** The preview moves on with the clock. */
const previewEveryMs = 300_000;
/** What is typed is drawn a moment later. */
const drawnAfterMs = 400;

export interface UsedClimate extends ClimateDraft {
  program: ShallowRef<Climate | null>;
  live: ComputedRef<ClimateLive | null>;
  preview: ShallowRef<ClimatePreview | null>;
  /** As the draft would make it; null while nothing is changed, or it is wrong. */
  changed: ShallowRef<ClimatePreview | null>;
  error: ShallowRef<unknown>;
  /** Why the draft cannot be. */
  fault: ShallowRef<unknown>;
  load: () => Promise<void>;
  /** Reads the program anew where something else than the draft changed it; the draft stays one. */
  reread: () => Promise<void>;
  /**
   * Takes the draft: what it leaves as it is, is not named. Where somebody changed or deleted the program meanwhile it takes nothing: the
   * draft then stands on the newer one, or on none, and false is returned.
   */
  take: () => Promise<boolean>;
  /** Changes what is named alone; the draft stays one. */
  change: (named: Pick<ClimateBody, 'is_activated' | 'overrides'>) => Promise<void>;
}

/** The climate program of a house, what it does now, and a draft of it before it is taken. */
export function useClimate(
  facilityUuid: () => string,
  { firstRows, span }: { firstRows: () => PeriodRow[]; span: () => { from: string; hours: number } },
): UsedClimate {
  const call = useCall();
  const stream = useLive();
  const program = shallowRef<Climate | null>(null);
  const read = shallowRef<ClimateLive | null>(null);
  const preview = shallowRef<ClimatePreview | null>(null);
  const changed = shallowRef<ClimatePreview | null>(null);
  const error = shallowRef<unknown>(null);
  const fault = shallowRef<unknown>(null);
  const { show: enter, rebase, ...draft } = useClimateDraft(program);
  const { rows, body, changes } = draft;
  const params = (): { facility_uuid: string } => ({ facility_uuid: facilityUuid() });

  const live = computed(() => {
    const told = program.value === null ? undefined : stream.control(program.value.unique_id);
    return climateLive.safeParse(told).data ?? read.value;
  });

  function show(...shown: Parameters<typeof enter>): void {
    enter(...shown);
    changed.value = null;
    fault.value = null;
  }

  async function load(): Promise<void> {
    const asked = facilityUuid();
    try {
      const found = await call(climateEndpoints.ofHouse, { params: params() });
      if (asked !== facilityUuid()) return;
      program.value = found;
      show(found);
      await look();
      error.value = null;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (asked !== facilityUuid()) return;
      if (thrown.code === 'not_found' && program.value === null) {
        show({ ...climateDefaults, periods: [] }, firstRows());
        error.value = null;
      } else error.value = thrown;
    }
  }

  /** The program as it is now; a draft keeps what it changes. */
  function adopt(found: Climate): void {
    rebase(found);
    program.value = found;
  }

  async function look(): Promise<void> {
    [read.value, preview.value] = await Promise.all([
      call(climateEndpoints.live, { params: params() }),
      call(climateEndpoints.preview, { params: params(), query: span() }),
    ]);
  }

  /** What was done is done, whether or not it can be looked at. */
  async function lookAfter(): Promise<void> {
    await look().catch((thrown: unknown) => {
      if (!isApiError(thrown)) throw thrown;
      error.value = thrown;
    });
  }

  async function draw(): Promise<void> {
    changed.value = null;
    fault.value = null;
    const asked = body.value;
    if (asked === null || (program.value !== null && changes.value.length === 0)) return;
    try {
      const drawn = await call(climateEndpoints.previewChanged, { params: params(), query: span(), body: asked });
      if (asked !== body.value) return; // a later draft is drawn instead
      if (program.value === null) preview.value = drawn;
      else changed.value = drawn;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (asked === body.value) fault.value = thrown;
    }
  }

  /** null where there is none. */
  async function stored(): Promise<Climate | null> {
    try {
      return await call(climateEndpoints.ofHouse, { params: params() });
    } catch (thrown) {
      if (isApiError(thrown) && thrown.code === 'not_found') return null;
      throw thrown;
    }
  }

  async function take(): Promise<boolean> {
    const [asked, known] = [body.value, program.value];
    if (asked === null) return false;
    const newer = await stored();
    if (newer === null && known !== null) {
      program.value = null;
      return false;
    }
    if (newer !== null && (known === null || !isAlike(known, newer))) {
      adopt(newer);
      return false;
    }
    program.value = await (newer === null
      ? call(climateEndpoints.save, { params: params(), body: asked })
      : call(climateEndpoints.change, { params: { climate_id: newer.unique_id }, body: namedOf(newer, asked) }));
    show(program.value);
    await lookAfter();
    return true;
  }

  async function reread(): Promise<void> {
    try {
      adopt(await call(climateEndpoints.ofHouse, { params: params() }));
      await look();
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      error.value = thrown;
    }
  }

  async function change(named: Pick<ClimateBody, 'is_activated' | 'overrides'>): Promise<void> {
    if (program.value === null) return;
    const { unique_id: climate_id } = program.value;
    adopt(await call(climateEndpoints.change, { params: { climate_id }, body: named }));
    await lookAfter();
  }

  watch(facilityUuid, () => void load(), { immediate: true });
  watch([rows, draft.influences, draft.parts], useDebounceFn(draw, drawnAfterMs), { deep: true });
  function previewAgain(): void {
    if (program.value === null) return;
    const asked = facilityUuid();
    void call(climateEndpoints.preview, { params: params(), query: span() }).then(
      (found) => {
        if (asked === facilityUuid()) preview.value = found;
      },
      () => undefined, // what is shown stays
    );
  }
  useIntervalFn(previewAgain, previewEveryMs);
  watch(
    () => span().from,
    () => {
      previewAgain();
      void draw();
    },
  );
  return { ...draft, program, live, preview, changed, error, fault, load, reread, take, change };
}
