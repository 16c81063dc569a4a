import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { commissioningEndpoints } from '../../../server/contract/commissioning-endpoints.ts';
import type { CheckOverview } from '../../../server/contract/commissioning.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useFollowing, useFollowingChecks } from '../../stores/following.ts';
import { actorText } from '../../ui/actor.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';

export interface LatestCheck {
  /** null without one, undefined until it is read. */
  latest: Readonly<Ref<CheckOverview | null | undefined>>;
  /** Who commissions the house and since when; empty without a running check. */
  running: ComputedRef<string>;
}

/** The latest commissioning check of a house. */
export function useLatestCheck(facilityUuid: () => string): LatestCheck {
  const call = useCall();
  const { t } = useText();
  const format = useFormat();
  const now = useNow();
  const latest = shallowRef<CheckOverview | null>();

  async function read(): Promise<void> {
    const facility_uuid = facilityUuid();
    try {
      const { checks } = await call(commissioningEndpoints.list, { params: { facility_uuid }, query: { limit: 1 } });
      if (facility_uuid === facilityUuid()) latest.value = checks[0] ?? null;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown; // unknown without the control service
    }
  }

  watch(
    facilityUuid,
    () => {
      latest.value = undefined; // that of the house before is nothing to this one
      void read();
    },
    { immediate: true },
  );
  useFollowing(read, (change) => 'facility_uuid' in change && change.facility_uuid === facilityUuid());
  useFollowingChecks(read, facilityUuid);

  const running = computed(() => {
    if (latest.value?.status !== 'running') return '';
    const { started_by, started_at } = latest.value;
    return t('house.commissioning', { by: actorText(started_by, t), time: format.nearTime(started_at, now.value) });
  });
  return { latest, running };
}
