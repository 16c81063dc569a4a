import { computed, type ComputedRef } from 'vue';
import { climatePeriod_s } from '../../../server/contract/climate.ts';
import type { ActuatorReading } from '../../../server/contract/facility.ts';
import { useText } from '../../i18n/index.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';

/**
 * What happens next to the actuators of a house after the release of an emergency stop: that control takes over, and
 * within which time, or that none does. Empty once they are commanded again, and while the controllers are not known.
 */
export function useTakeover(
  facilityUuid: () => string,
  actuators: () => readonly ActuatorReading[],
): ComputedRef<string> {
  const { t } = useText();
  const devices = useDevices();
  const live = useLive();
  const format = useFormat();
  const now = useNow();

  /** Time between two steps of each controller that drives them, s. */
  const periods_s = computed(() => {
    const isOfHouse = new Set(actuators().map(({ device_id }) => device_id));
    const programs = devices.listOf('climate').filter((one) => one.facility_uuid === facilityUuid());
    const pids = devices
      .listOf('pid')
      .filter(({ raise, lower }) => [raise, lower].some((one) => one !== null && isOfHouse.has(one.output_id)));
    return [
      ...programs.filter(({ is_activated }) => is_activated).map(() => climatePeriod_s),
      ...pids.filter(({ is_activated }) => is_activated).map(({ period_s }) => period_s),
    ];
  });

  return computed(() => {
    const { releasedAt_ms } = live;
    if (releasedAt_ms === null || !live.isCurrent || actuators().length === 0) return '';
    const sources = actuators().map(({ device_id, channel }) => live.output(device_id, channel ?? 0)?.source);
    if (sources.some((source) => source != null && source !== 'emergency_stop')) return '';
    if (!devices.isRead('climate') || !devices.isRead('pid')) return '';
    if (periods_s.value.length === 0) return t('house.released.stays');
    const left_s = Math.max(...periods_s.value) - (now.value - releasedAt_ms) / 1_000;
    return left_s <= 0 ? '' : t('house.released.takeover', { time: format.passing(left_s) });
  });
}
