import { computed, onMounted, shallowRef, type ComputedRef } from 'vue';
import { commissioningEndpoints } from '../../../server/contract/commissioning-endpoints.ts';
import type { CheckOverview } from '../../../server/contract/commissioning.ts';
import type { Facility } from '../../../server/contract/facility.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowing, useFollowingChecks } from '../../stores/following.ts';
import { useNow } from '../../ui/now.ts';
import { commissioningDue, type CommissioningDue } from './commissioning-due.ts';

/** Why a house is due for commissioning; null when it is not, or when unknown. */
export function useCommissioningDue(house: () => Facility): ComputedRef<CommissioningDue | null> {
  const call = useCall();
  const now = useNow();
  const checks = shallowRef<readonly CheckOverview[] | null>(null);

  async function read(): Promise<void> {
    const params = { facility_uuid: house().unique_id };
    try {
      checks.value = (await call(commissioningEndpoints.list, { params, query: { limit: 1 } })).checks;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown; // unknown without the control service
    }
  }

  onMounted(read);
  useFollowing(read, (change) => 'facility_uuid' in change && change.facility_uuid === house().unique_id);
  useFollowingChecks(read, () => house().unique_id);
  return computed(() => {
    if (checks.value === null) return null;
    const { sensors, actuators } = house();
    return commissioningDue(checks.value[0], sensors.length + actuators.length, now.value);
  });
}
