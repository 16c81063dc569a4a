import { useTimeoutFn, watchDebounced } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import type { ClimateLive } from '../../../server/contract/climate-live.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import { useSession } from '../../stores/session.ts';
import { setBandOf, type SetBand } from './bands.ts';

/** A program that is changed stops and starts again. */
const settleMs = 300;
/** A question that was not answered is asked again. */
const triesAgainMs = 15_000;

/** The ranges to which a house is controlled now: empty without a running climate program, null until that is read. */
export function useSetBand(facilityUuid: () => string): ComputedRef<SetBand | null> {
  return useSetProgram(facilityUuid).set;
}

export interface SetProgram {
  /** Its id; null without one, undefined until it is read. */
  program: Readonly<Ref<string | null | undefined>>;
  /** undefined until it is known. */
  present: ComputedRef<ClimateLive | undefined>;
  /** null until the program is read. */
  set: ComputedRef<SetBand | null>;
}

/**
 * The climate program of a house. Asked by the house: a wall display may see what a program does, but not the list of
 * programs. For all others the page loads the devices.
 */
export function useSetProgram(facilityUuid: () => string): SetProgram {
  const call = useCall();
  const devices = useDevices();
  const live = useLive();
  const session = useSession();
  const program = shallowRef<string | null>();

  /** The live state of its kind. */
  const told = (id: string | null | undefined): ClimateLive | undefined =>
    id == null ? undefined : (live.control(id) as ClimateLive | undefined);

  /** Those of all houses, as the page read them. */
  const programs = computed(() => devices.listOf('climate'));
  const isListed = computed(() => devices.isRead('climate'));
  const states = computed(() =>
    [...live.controllers.values()]
      .filter(({ controller_type }) => controller_type === 'Climate')
      .map(({ controller_id, state }) => `${controller_id}:${state}`)
      .join(),
  );

  /** The live stream updates what it reads. */
  async function load(): Promise<void> {
    const asked = facilityUuid();
    // Who may not read the list of programs, as a wall display, has to ask.
    const mayList = session.can('view_settings');
    const isThere = !mayList || programs.value.some(({ facility_uuid }) => facility_uuid === asked);
    if (!session.can('view_stats') || !isThere) {
      if (!mayList || isListed.value) program.value = null;
      return;
    }
    try {
      const answer = call(climateEndpoints.live, { params: { facility_uuid: asked } });
      const { climate_id } = await live.takeControl(answer, (one) => [[one.climate_id, one]]);
      if (asked === facilityUuid()) program.value = climate_id;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (asked !== facilityUuid()) return;
      if (thrown.code === 'not_found') program.value = null;
      else tryAgain(); // what is not known is no house without a program
    }
  }
  const { start: tryAgain } = useTimeoutFn(load, triesAgainMs, { immediate: false });

  watch(
    facilityUuid,
    () => {
      program.value = undefined; // that of the house before is nothing to this one
      void load();
    },
    { immediate: true },
  );
  watch(isListed, () => void load());
  watchDebounced([states, programs, () => live.devices], load, { debounce: settleMs });

  const present = computed(() => told(program.value));
  const set = computed(() => {
    if (program.value === undefined) return null;
    return present.value === undefined ? {} : setBandOf(present.value);
  });
  return { program, present, set };
}
