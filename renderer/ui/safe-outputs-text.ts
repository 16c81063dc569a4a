import { computed, type ComputedRef } from 'vue';
import { useText } from '../i18n/index.ts';
import { useLive } from '../stores/live.ts';
import { useSafeOutputs } from '../stores/safe-outputs.ts';
import { deviceChannelName } from './channel-name.ts';
import { sentences } from './sentences.ts';

/**
 * How many outputs are confirmed to be in their safe state, and the names of the others; says so when that is unknown.
 * Empty unless the emergency stop holds.
 */
export function useSafeOutputsText(): ComputedRef<string> {
  const { t } = useText();
  const live = useLive();
  const safe = useSafeOutputs();

  function nameOf(outputId: string, number: number): string {
    const device = live.device(outputId);
    const channel = device?.channels.find((one) => one.channel === number);
    return device && channel ? deviceChannelName(device, channel, t) : (device?.name ?? outputId);
  }

  return computed(() => {
    if (live.emergency?.active !== true) return '';
    const { outcomes } = safe;
    if (outcomes === null) return t('shell.emergency.safeUnknown');
    const others = outcomes.filter(({ outcome }) => outcome !== 'confirmed');
    const counts = t('shell.emergency.safe', { n: outcomes.length - others.length, all: outcomes.length });
    if (others.length === 0) return counts;
    const names = others.map(({ output_id, channel }) => nameOf(output_id, channel)).join(t('ui.comma'));
    return sentences([counts, t('shell.emergency.notSafe', { names })], t);
  });
}
