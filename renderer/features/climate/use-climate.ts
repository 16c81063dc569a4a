import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { climateLive, type ClimateLive } from '../../../server/contract/climate-live.ts';
import { climateDefaults, type Climate } from '../../../server/contract/climate-settings.ts';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowing } from '../../stores/following.ts';
import { useLive } from '../../stores/live.ts';
import type { PeriodRow } from './period-rows.ts';
import { useClimateDraft, type ClimateDraft } from './use-climate-draft.ts';
import { useClimatePreview, type ClimatePreviews } from './use-climate-preview.ts';
import { useClimateSaving, type ClimateSaving } from './use-climate-saving.ts';
import { useHolds } from './use-holds.ts';

export interface UsedClimate extends ClimateDraft, ClimatePreviews, ClimateSaving {
  program: ShallowRef<Climate | null>;
  /** Whether the program was ever read: until then, that none is known does not mean that there is none. */
  isLoaded: ShallowRef<boolean>;
  /** The house is in the trash, or was never there. */
  isHouseGone: ShallowRef<boolean>;
  live: ComputedRef<ClimateLive | null>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
  /** Reloads the program after a change from elsewhere; the draft stays. */
  reread: () => Promise<void>;
}

/**
 * The climate program of a house, what it does now, and a draft of it before it is taken. The shell opens a page of its
 * own for each house, so that the house stays the same.
 */
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
  const error = shallowRef<unknown>(null);
  const params = (): { facility_uuid: string } => ({ facility_uuid: facilityUuid() });
  const { show: enter, rebase, ...draft } = useClimateDraft(program);
  const { read: readPreview, clear, ...previews } = useClimatePreview({ ...draft, program, params, span });

  const live = computed(() => {
    const told = program.value === null ? undefined : stream.control(program.value.unique_id);
    return climateLive.safeParse(told).data ?? read.value;
  });

  function show(...shown: Parameters<typeof enter>): void {
    enter(...shown);
    clear();
  }

  /** The present program; a draft keeps its changes. */
  function adopt(found: Climate): void {
    rebase(found);
    program.value = found;
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

  async function isWithoutHouse(): Promise<boolean> {
    try {
      await call(facilityEndpoints.get, { params: params() });
      return false;
    } catch (thrown) {
      if (isApiError(thrown) && thrown.code === 'not_found') return true;
      throw thrown;
    }
  }

  async function look(): Promise<void> {
    const [now] = await Promise.all([call(climateEndpoints.live, { params: params() }), readPreview()]);
    read.value = now;
  }

  /** What fails is said; the page keeps its content. */
  async function told(work: () => Promise<void>): Promise<void> {
    await work().catch((thrown: unknown) => {
      if (!isApiError(thrown)) throw thrown;
      error.value = thrown;
    });
  }

  const load = (): Promise<void> =>
    told(async () => {
      const found = await stored();
      isHouseGone.value = found === null && (await isWithoutHouse());
      [program.value, isLoaded.value] = [found, true];
      if (found === null) show({ ...climateDefaults, periods: [] }, firstRows());
      else {
        show(found);
        await look();
      }
      error.value = null;
    });

  const reread = (): Promise<void> =>
    told(async () => {
      adopt(await call(climateEndpoints.ofHouse, { params: params() }));
      await look();
    });

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

  const lookAfter = (): Promise<void> => told(look);
  const saving = useClimateSaving({ program, params, body: draft.body, stored, show, adopt, lookAfter });
  useHolds({ program, live: () => live.value, stored });
  useFollowing(lookForHouse, (one) => one.kind === 'facility' && one.facility_uuid === facilityUuid());
  void load();
  return { ...draft, ...previews, ...saving, program, isLoaded, isHouseGone, live, error, load, reread };
}
