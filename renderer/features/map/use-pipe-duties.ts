import { computed, type ComputedRef } from 'vue';
import type { Hydraulics } from '../../../server/contract/pipe-hydraulics.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';

interface PipeDuty {
  key: string;
  label: string;
  flow_m3_h: number;
  head_m: number;
}

/** What each source has to deliver; the name says which one where there are several. */
export function usePipeDuties(found: () => Hydraulics | null): ComputedRef<PipeDuty[]> {
  const { t } = useText();
  const live = useLive();
  return computed(() => {
    const { duty, sources } = found() ?? { duty: null, sources: [] };
    if (duty !== null) return [{ key: 'duty', label: t('pipes.duty'), ...duty }];
    return sources.map(({ device_id, flow_m3_h, head_m }) => ({
      ...{ key: device_id, flow_m3_h, head_m },
      label: `${t('pipes.duty')} (${live.device(device_id)?.name ?? device_id})`,
    }));
  });
}
