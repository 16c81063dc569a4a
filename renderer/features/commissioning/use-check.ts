import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import type { CheckOverview, CheckPlan, CommissioningCheck } from '../../../server/contract/commissioning.ts';
import { commissioningEndpoints } from '../../../server/contract/commissioning-endpoints.ts';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import type { Facility } from '../../../server/contract/facility.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowingChecks } from '../../stores/following.ts';
import { useCheckDeeds } from './use-check-deeds.ts';

/** A trace grows with every reading; faster updates would not be visible. */
const watchEveryMs = 1_000;

/**
 * The checks of a house and one of them, reloaded while it runs. The shell opens a page of its own for each house, so
 * that the house stays the same.
 */
export function useCheck(facilityUuid: () => string, checkId: () => string | undefined) {
  const call = useCall();
  const facility = shallowRef<Facility | null>(null);
  const plan = shallowRef<CheckPlan | null>(null);
  const checks = shallowRef<CheckOverview[] | null>(null);
  const check = shallowRef<CommissioningCheck | null>(null);
  const error = shallowRef<unknown>(null);
  const shownId = computed(() => checkId() ?? checks.value?.[0]?.check_id);
  const isRunning = computed(() => check.value?.status === 'running');
  const ofFacility = () => ({ facility_uuid: facilityUuid() });

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      error.value = null;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      error.value = thrown;
    }
  }

  async function readCheck(): Promise<void> {
    const check_id = shownId.value;
    if (check_id === undefined) {
      check.value = null;
      return;
    }
    const read = await call(commissioningEndpoints.get, { params: { ...ofFacility(), check_id } });
    if (check_id !== shownId.value) return;
    const hasEnded = check.value?.status === 'running' && read.status !== 'running';
    check.value = read;
    if (hasEnded) await readList();
  }

  async function readList(): Promise<void> {
    checks.value = (await call(commissioningEndpoints.list, { params: ofFacility() })).checks;
  }

  async function readAll(): Promise<void> {
    await readList();
    await readCheck();
  }

  /** There is none without devices, nor where it cannot be read; a check begins without it too. */
  async function readPlan(): Promise<void> {
    const { sensors = [], actuators = [] } = facility.value ?? {};
    const isBound = sensors.length + actuators.length > 0;
    try {
      plan.value = isBound ? await call(commissioningEndpoints.plan, { params: ofFacility() }) : null;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      plan.value = null;
    }
  }

  async function load(): Promise<void> {
    await guarded(async () => {
      facility.value = await call(facilityEndpoints.get, { params: ofFacility() });
      await readAll();
    });
    await readPlan();
  }

  watch(shownId, () => void guarded(readCheck));
  useFollowingChecks(() => {
    // One that runs is read all the time.
    if (!isRunning.value) void guarded(readAll);
  }, facilityUuid);
  useIntervalFn(() => {
    if (isRunning.value && !document.hidden) void guarded(readCheck);
  }, watchEveryMs);

  void load();
  const deeds = useCheckDeeds({ ofFacility, check, readList, readCheck });
  return { facility, plan, checks, check, error, isRunning, load, readPlan, ...deeds };
}
