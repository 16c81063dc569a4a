import { computed, watch, type ComputedRef } from 'vue';
import type { ControllerSettings } from '../../../server/contract/controller-kind.ts';
import { allKinds } from '../../../server/contract/controller-kinds.ts';
import { channelKey, drivenChannels, type DrivenSite } from '../../../server/contract/driven-channels.ts';
import type { ActuatorReading } from '../../../server/contract/facility.ts';
import { pidEndpoints, pidLive } from '../../../server/contract/pid.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import { useSession } from '../../stores/session.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';

/**
 * What happens next to the actuators of a house after the release of an emergency stop: that control takes over, and
 * within which time, where a controller is known to; else only what holds of every release. Empty once they are
 * commanded again.
 */
export function useTakeover(
  facilityUuid: () => string,
  actuators: () => readonly ActuatorReading[],
): ComputedRef<string> {
  const { t } = useText();
  const call = useCall();
  const devices = useDevices();
  const live = useLive();
  const session = useSession();
  const format = useFormat();
  const now = useNow();

  /** Time between two steps of each controller that will drive them, s. */
  const steps_s = computed(() => {
    const present = actuators().filter(({ device_id }) => live.device(device_id)?.is_activated === true);
    const site: DrivenSite = {
      lowestChannel: (outputId) => Math.min(...(live.device(outputId)?.channels ?? []).map(({ channel }) => channel)),
      actuatorsOf: (id) => (id === facilityUuid() ? present : []),
    };
    const ofHouse = new Set(present.map(({ device_id, channel }) => channelKey(device_id, channel, site)));
    return allKinds.flatMap(({ word, stored }) => {
      if (stored === undefined) return [];
      const atWork = devices.listOf(word).filter((one) => one.is_activated && !(word === 'pid' && isAtRest(one)));
      const driving = atWork.filter((one) =>
        stored.references(one).some((to) => drivenChannels(to, site).some((key) => ofHouse.has(key))),
      );
      return driving.flatMap((one) => stored.step_s?.(one) ?? []);
    });
  });

  /** A PID may be paused, whatever its settings; of one that was not heard of nothing is promised. */
  function isAtRest({ unique_id }: ControllerSettings): boolean {
    const state = pidLive.safeParse(live.control(unique_id)).data?.state;
    return state !== 'running' && state !== 'held';
  }

  watch(
    () => live.releasedAt_ms !== null && session.can('view_stats'),
    async (isAsked) => {
      if (!isAsked) return;
      const states = call(pidEndpoints.listLive);
      await live
        .takeControl(states, ({ pids }) => pids.map((one) => [one.pid_id, one]))
        .catch((error: unknown) => {
          if (!isApiError(error)) throw error;
        });
    },
    { immediate: true },
  );

  return computed(() => {
    const { releasedAt_ms } = live;
    if (releasedAt_ms === null || !live.isCurrent || actuators().length === 0) return '';
    const sources = actuators().map(({ device_id, channel }) => live.output(device_id, channel ?? 0)?.source);
    if (sources.some((source) => source != null && source !== 'emergency_stop')) return '';
    if (steps_s.value.length === 0) return t('house.released.stays');
    const left_s = Math.max(...steps_s.value) - (now.value - releasedAt_ms) / 1_000;
    return left_s <= 0 ? '' : t('house.released.takeover', { time: format.passing(left_s) });
  });
}
