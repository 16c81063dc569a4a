import { computed, type ComputedRef } from 'vue';
import type { Hydraulics } from '../../../server/contract/pipe-hydraulics.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useFormat } from '../../ui/format.ts';

interface PipeDuty {
  key: string;
  label: string;
  text: string;
}

/** Whether a source delivers water: another may reach all devices with less pipe. */
export function isUsed({ flow_m3_h }: Hydraulics['sources'][number]): boolean {
  return flow_m3_h > 0.001;
}

/** The duty of each source; named when there are several. */
export function usePipeDuties(found: () => Hydraulics | null): ComputedRef<PipeDuty[]> {
  const { t } = useText();
  const live = useLive();
  const format = useFormat();
  return computed(() => {
    const { sources = [] } = found() ?? {};
    return sources.map((source) => {
      const { device_id, flow_m3_h, head_m } = source;
      const name = live.device(device_id)?.name ?? device_id;
      const delivered = [format.quantity(flow_m3_h, 'm3/h', 1), format.quantity(head_m, 'm', 1)].join(t('ui.comma'));
      const text = isUsed(source) ? delivered : t('pipes.unusedSource');
      return {
        key: device_id,
        label: sources.length === 1 ? t('pipes.duty') : t('ui.aside', { text: t('pipes.duty'), more: name }),
        text,
      };
    });
  });
}
