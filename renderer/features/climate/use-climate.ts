import { useDebounceFn, useIntervalFn } from '@vueuse/core';
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { climateLive, type ClimateLive, type ClimatePreview } from '../../../server/contract/climate-live.ts';
import {
  climateDefaults,
  climateProgram,
  type Climate,
  type ClimateInfluence,
  type ClimatePeriod,
  type ClimateProgram,
} from '../../../server/contract/climate-settings.ts';
import { differences, type Difference } from '../../../server/contract/differences.ts';
import type { BodyOf } from '../../../server/contract/endpoint.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useLive } from '../../stores/live.ts';
import { changesOf, isSame } from '../../ui/changes.ts';
import { influencesOf, type InfluenceRow } from './influence-rows.ts';
import { programParts, type ProgramPart } from './loop-fields.ts';
import { periodsOf, rowOf, type PeriodRow } from './period-rows.ts';

/** The preview moves on with the clock. */
const previewEveryMs = 300_000;
/** What is typed is drawn a moment later. */
const drawnAfterMs = 400;

/** What a draft is made of. */
export type DraftPart = ProgramPart | 'periods' | 'influences';
export type ProgramParts = Pick<ClimateProgram, ProgramPart>;
export type ClimateBody = BodyOf<typeof climateEndpoints.save>;

interface UsedClimate {
  program: ShallowRef<Climate | null>;
  live: ComputedRef<ClimateLive | null>;
  preview: ShallowRef<ClimatePreview | null>;
  /** As the draft would make it; null while nothing is changed, or it is wrong. */
  changed: ShallowRef<ClimatePreview | null>;
  rows: Ref<PeriodRow[]>;
  influences: Ref<InfluenceRow[]>;
  parts: Ref<ProgramParts>;
  /** Parts of the draft with an entry that is missing or out of range. */
  incomplete: ComputedRef<DraftPart[]>;
  /** What the draft names; null while it is not complete. */
  body: ComputedRef<ClimateBody | null>;
  /** Where the draft differs from the program. */
  changes: ComputedRef<Difference[]>;
  error: ShallowRef<unknown>;
  /** Why the draft cannot be. */
  fault: ShallowRef<unknown>;
  load: () => Promise<void>;
  /** Reads the program anew where something else than the draft changed it; the draft stays one. */
  reread: () => Promise<void>;
  /** Takes the draft: what it leaves as it is, is not named, so that what others changed meanwhile stays. */
  take: () => Promise<void>;
  /** Changes what is named alone; the draft stays one. */
  change: (named: Pick<ClimateBody, 'is_activated' | 'overrides'>) => Promise<void>;
}

type Stored = Pick<ClimateProgram, ProgramPart | 'influences'> & { periods: ClimatePeriod[] };

/** The climate program of a house, what it does now, and a draft of it before it is taken. */
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
  const influences = ref<InfluenceRow[]>([]);
  const parts = ref<ProgramParts>(partsOf(climateDefaults));
  const params = (): { facility_uuid: string } => ({ facility_uuid: facilityUuid() });

  const incomplete = computed((): DraftPart[] => [
    ...(periodsOf(rows.value) === null ? ['periods' as const] : []),
    ...(influencesOf(influences.value) === null ? ['influences' as const] : []),
    ...programParts.filter((part) => !climateProgram.shape[part].safeParse(parts.value[part]).success),
  ]);
  const draft = computed(() => {
    const [periods, shifts] = [periodsOf(rows.value), influencesOf(influences.value)];
    if (incomplete.value.length > 0 || periods === null || shifts === null) return null;
    return { periods, influences: shifts, ...parts.value };
  });
  const body = computed(() => (draft.value === null ? null : bodyOf(program.value ?? climateDefaults, draft.value)));
  const changes = computed(() => {
    if (draft.value === null || program.value === null) return [];
    const { periods, influences: shifts } = program.value;
    const stored = { periods: asEntered(periods), influences: shifts, ...partsOf(program.value) };
    return differences(plain(stored), plain(draft.value));
  });
  const live = computed(() => {
    const told = program.value === null ? undefined : stream.control(program.value.unique_id);
    return climateLive.safeParse(told).data ?? read.value;
  });

  function show(stored: Stored): void {
    rows.value = stored.periods.map(rowOf);
    influences.value = stored.influences.map((one) => ({ ...one }));
    parts.value = partsOf(stored);
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
        show({ ...climateDefaults, periods: [] });
        rows.value = firstRows();
        error.value = null;
      } else error.value = thrown;
    }
  }

  async function look(): Promise<void> {
    [read.value, preview.value] = await Promise.all([
      call(climateEndpoints.live, { params: params() }),
      call(climateEndpoints.preview, { params: params() }),
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
      const drawn = await call(climateEndpoints.previewChanged, { params: params(), body: asked });
      if (asked !== body.value) return; // a later draft is drawn instead
      changed.value = drawn;
      preview.value ??= drawn;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (asked === body.value) fault.value = thrown;
    }
  }

  async function take(): Promise<void> {
    if (body.value === null) return;
    program.value = await (program.value === null
      ? call(climateEndpoints.save, { params: params(), body: body.value })
      : call(climateEndpoints.change, {
          params: { climate_id: program.value.unique_id },
          body: namedOf(program.value, body.value),
        }));
    show(program.value);
    await lookAfter();
  }

  async function reread(): Promise<void> {
    try {
      program.value = await call(climateEndpoints.ofHouse, { params: params() });
      await look();
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      error.value = thrown;
    }
  }

  async function change(named: Pick<ClimateBody, 'is_activated' | 'overrides'>): Promise<void> {
    if (program.value === null) return;
    const { unique_id: climate_id } = program.value;
    program.value = await call(climateEndpoints.change, { params: { climate_id }, body: named });
    await lookAfter();
  }

  watch(facilityUuid, () => void load(), { immediate: true });
  watch([rows, influences, parts], useDebounceFn(draw, drawnAfterMs), { deep: true });
  useIntervalFn(() => {
    if (program.value === null) return;
    void call(climateEndpoints.preview, { params: params() }).then(
      (found) => (preview.value = found),
      () => undefined, // what is shown stays
    );
  }, previewEveryMs);
  return {
    ...{ program, live, preview, changed, rows, influences, parts, incomplete, body, changes, error, fault },
    ...{ load, reread, take, change },
  };
}

function partsOf(stored: ProgramParts): ProgramParts {
  return Object.fromEntries(programParts.map((part) => [part, { ...stored[part] }])) as unknown as ProgramParts; // of every part
}

/** Periods as the rows give them back: what a row leaves open is left open. */
function asEntered(periods: readonly ClimatePeriod[]): ClimatePeriod[] {
  return periodsOf(periods.map(rowOf)) ?? [...periods];
}

/** What a draft changes of the loops: what it leaves as it is, is not named. */
function bodyOf(
  stored: ProgramParts,
  { periods, influences, ...parts }: { periods: ClimatePeriod[]; influences: ClimateInfluence[] } & ProgramParts,
): ClimateBody {
  const named = programParts.flatMap((part) => {
    const values = changesOf<object>(stored[part], parts[part]);
    return Object.keys(values).length === 0 ? [] : [[part, values]];
  });
  return { periods, influences, ...(Object.fromEntries(named) as Partial<ProgramParts>) };
}

/** What of a body is otherwise than it is stored. */
function namedOf({ periods, influences }: Climate, { periods: sent, influences: shifts, ...loops }: ClimateBody) {
  return {
    ...loops,
    ...(!isSame(sent, asEntered(periods)) && { periods: sent }),
    ...(!isSame(shifts, influences) && { influences: shifts }),
  };
}

/** As JSON has it. */
export function plain(value: object): Difference['before'] {
  return JSON.parse(JSON.stringify(value)) as Difference['before'];
}
