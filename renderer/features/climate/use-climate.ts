import { useDebounceFn, useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import { climateLive, type ClimateLive, type ClimatePreview } from '../../../server/contract/climate-live.ts';
import { climateDefaults, type Climate, setpointNames } from '../../../server/contract/climate-settings.ts';
import { ApiError, isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowing } from '../../stores/following.ts';
import { useLive } from '../../stores/live.ts';
import type { PeriodRow } from './period-rows.ts';
import { isAlike, namedOf, useClimateDraft, type ClimateBody, type ClimateDraft } from './use-climate-draft.ts';

/** The preview moves on with the clock. */
const previewEveryMs = 300_000;
/** Delay between typing and drawing. */
const drawnAfterMs = 400;
/** What others change beside a draft, as often as that is looked past: a hold, or whether the program runs. */
const mostTries = 3;

export interface UsedClimate extends ClimateDraft {
  program: ShallowRef<Climate | null>;
  /** Whether the program was ever read: until then, that none is known does not mean that there is none. */
  isLoaded: ShallowRef<boolean>;
  /** The house is in the trash, or was never there. */
  isHouseGone: ShallowRef<boolean>;
  live: ComputedRef<ClimateLive | null>;
  preview: ShallowRef<ClimatePreview | null>;
  /** As the draft would make it; null while nothing is changed, or it is wrong. */
  changed: ShallowRef<ClimatePreview | null>;
  error: ShallowRef<unknown>;
  /** Why the draft cannot be. */
  fault: ShallowRef<unknown>;
  load: () => Promise<void>;
  /** Reloads the program after a change from elsewhere; the draft stays. */
  reread: () => Promise<void>;
  /**
   * Takes the draft: what it leaves as it is, is not named. Where somebody changed or deleted the program meanwhile the
   * server refuses it: the draft then stands on the newer one, or on none, and false is returned.
   */
  take: () => Promise<boolean>;
  /** Changes only the named fields of the present program; the draft stays. */
  change: (named: (stored: Climate) => Pick<ClimateBody, 'is_activated' | 'overrides'>) => Promise<void>;
}

/** The climate program of a house, what it does now, and a draft of it before it is taken. */
export function useClimate(
  facilityUuid: () => string,
  { firstRows, span }: { firstRows: () => PeriodRow[]; span: () => { from: string; hours: number } },
): UsedClimate {
  const call = useCall();
  const stream = useLive();
  const program = shallowRef<Climate | null>(null);
  const isLoaded = shallowRef(false);
  const isHouseGone = shallowRef(false);
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
      const found = await stored();
      const isGone = found === null && (await isWithoutHouse());
      if (asked !== facilityUuid()) return;
      [program.value, isHouseGone.value, isLoaded.value] = [found, isGone, true];
      if (found === null) show({ ...climateDefaults, periods: [] }, firstRows());
      else {
        show(found);
        await look();
      }
      error.value = null;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (asked === facilityUuid()) error.value = thrown;
    }
  }

  async function isWithoutHouse(): Promise<boolean> {
    try {
      await call(facilityEndpoints.get, { params: params() });
      return false;
    } catch (thrown) {
      if (isApiError(thrown) && thrown.code === 'not_found') return true;
      throw thrown;
    }
  }

  /** A restored house is as it was, and so are the entries. */
  async function lookForHouse(): Promise<void> {
    try {
      isHouseGone.value = await isWithoutHouse();
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      return; // the shell reports the lost server
    }
    if (isHouseGone.value) return;
    if (program.value !== null) await reread();
    else if (!draft.isTouched.value) await load();
  }

  /** The present program; a draft keeps its changes. */
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

  /** The change is done, even if it cannot be reloaded. */
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
    for (let tries = 0; tries < mostTries; tries += 1) {
      const [asked, known] = [body.value, program.value];
      if (asked === null) return false;
      const taken = await unlessChanged(() => sendDraft(asked, known));
      if (taken !== null) {
        program.value = taken;
        show(taken);
        await lookAfter();
        return true;
      }
      const newer = await stored();
      if (newer === null) program.value = null;
      else adopt(newer);
      // A hold, or that it was switched off, is no change of what the draft is made of.
      if (newer === null || known === null || !isAlike(known, newer)) return false;
    }
    return false;
  }

  function sendDraft(asked: ClimateBody, known: Climate | null): Promise<Climate> {
    if (known === null) return call(climateEndpoints.save, { params: params(), body: { ...asked, revision: 0 } });
    const { unique_id: climate_id, revision } = known;
    return call(climateEndpoints.change, { params: { climate_id }, body: { ...namedOf(known, asked), revision } });
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

  /** The holds alone: another change is still found, and said, before the draft overwrites it. */
  async function takeHolds(): Promise<void> {
    try {
      const found = await stored();
      if (program.value === null || program.value.unique_id !== found?.unique_id) return;
      program.value = { ...program.value, overrides: found.overrides };
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown; // the page keeps its content
    }
  }

  async function change(named: (stored: Climate) => Pick<ClimateBody, 'is_activated' | 'overrides'>): Promise<void> {
    for (let tries = 0; tries < mostTries && program.value !== null; tries += 1) {
      const { unique_id: climate_id, revision } = program.value;
      const asked = { ...named(program.value), revision };
      const changedNow = await unlessChanged(() =>
        call(climateEndpoints.change, { params: { climate_id }, body: asked }),
      );
      const found = changedNow ?? (await stored());
      if (found === null) program.value = null;
      else adopt(found);
      if (changedNow !== null) return lookAfter();
    }
    throw new ApiError('revision_conflict', 'the program was changed meanwhile', {});
  }

  useFollowing(lookForHouse, (one) => one.kind === 'facility' && one.facility_uuid === facilityUuid());
  watch(facilityUuid, () => void load(), { immediate: true });
  // A hold that was given, changed or ended elsewhere is not told as a change of the program, but the loops run by it.
  const held = computed(() => heldOf(live.value));
  watch(held, () => void takeHolds());
  watch([rows, draft.influences, draft.parts], useDebounceFn(draw, drawnAfterMs), { deep: true });
  function previewAgain(): void {
    if (program.value === null) return;
    const asked = facilityUuid();
    void call(climateEndpoints.preview, { params: params(), query: span() }).then(
      (found) => {
        if (asked === facilityUuid()) preview.value = found;
      },
      () => undefined, // the page keeps its content
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
  return { ...draft, program, isLoaded, isHouseGone, live, preview, changed, error, fault, load, reread, take, change };
}

/** The setpoints that are held now, each with its value. */
function heldOf(live: ClimateLive | null): string {
  const setpoints = live?.setpoints ?? null;
  if (setpoints === null) return '[]';
  const held = setpointNames.filter((name) => setpoints[name].parts.some(({ what }) => what === 'override'));
  return JSON.stringify(held.map((name) => [name, setpoints[name].value]));
}

/** null when another user changed or deleted it meanwhile. */
async function unlessChanged<Answer>(work: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await work();
  } catch (thrown) {
    if (isApiError(thrown) && (thrown.code === 'revision_conflict' || thrown.code === 'not_found')) return null;
    throw thrown;
  }
}
