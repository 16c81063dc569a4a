import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import type { ReferenceReading } from '../../../server/contract/commissioning-accuracy.ts';
import type {
  CheckItem,
  CheckOverview,
  CheckPlan,
  CheckVerdict,
  CommissioningCheck,
} from '../../../server/contract/commissioning.ts';
import { commissioningEndpoints } from '../../../server/contract/commissioning-endpoints.ts';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import type { Facility } from '../../../server/contract/facility.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowingChecks } from '../../stores/following.ts';

/** A trace grows with every reading; faster updates would not be visible. */
const watchEveryMs = 1_000;

/** The checks of a house and one of them, reloaded while it runs. */
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

  /** Gives the new check's id. */
  async function start(): Promise<string> {
    const { check_id } = await call(commissioningEndpoints.start, { params: ofFacility(), body: {} });
    await readList();
    return check_id;
  }

  async function abort(): Promise<void> {
    if (check.value === null) return;
    const params = { ...ofFacility(), check_id: check.value.check_id };
    check.value = await call(commissioningEndpoints.abort, { params });
    await readList();
  }

  async function retest(): Promise<void> {
    if (check.value === null) return;
    const params = { ...ofFacility(), check_id: check.value.check_id };
    check.value = await call(commissioningEndpoints.retest, { params });
    await readList();
  }

  async function reopen(reason: string): Promise<void> {
    if (check.value === null) return;
    const params = { ...ofFacility(), check_id: check.value.check_id };
    check.value = await call(commissioningEndpoints.reopen, { params, body: { reason } });
    await readList();
  }

  async function judge(verdict: CheckVerdict): Promise<void> {
    if (check.value === null) return;
    const params = { ...ofFacility(), check_id: check.value.check_id };
    await call(commissioningEndpoints.verdict, { params, body: verdict });
    await readCheck();
    await readList();
  }

  /** In the end shows what was given, also where one of them was refused. */
  async function approveAll(items: readonly Pick<CheckItem, 'device_id' | 'channel'>[]): Promise<void> {
    if (check.value === null) return;
    const params = { ...ofFacility(), check_id: check.value.check_id };
    try {
      for (const { device_id, channel } of items) {
        const body = { device_id, verdict: 'approved' as const, ...(channel !== null && { channel }) };
        await call(commissioningEndpoints.verdict, { params, body });
      }
    } finally {
      await readCheck();
      await readList();
    }
  }

  async function holdAgainst(reading: ReferenceReading): Promise<void> {
    if (check.value === null) return;
    const params = { ...ofFacility(), check_id: check.value.check_id };
    await call(commissioningEndpoints.accuracy, { params, body: reading });
    await readCheck();
  }

  watch(facilityUuid, () => void load(), { immediate: true });
  watch(shownId, () => void guarded(readCheck));
  useFollowingChecks(() => {
    // One that runs is read all the time.
    if (!isRunning.value) void guarded(readAll);
  }, facilityUuid);
  useIntervalFn(() => {
    if (isRunning.value && !document.hidden) void guarded(readCheck);
  }, watchEveryMs);

  return {
    facility,
    plan,
    checks,
    check,
    error,
    isRunning,
    load,
    readPlan,
    start,
    abort,
    retest,
    reopen,
    judge,
    approveAll,
    holdAgainst,
  };
}
