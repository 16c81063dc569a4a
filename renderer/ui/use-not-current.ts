import { computed, type ComputedRef } from 'vue';
import { useText } from '../i18n/index.ts';
import { useLive } from '../stores/live.ts';
import { useSession } from '../stores/session.ts';
import { useFormat } from './format.ts';

/** Why the values shown may be out of date, and from when the newest of them is; null while they are current. */
export function useNotCurrent(timesMs: () => readonly (number | undefined)[]): ComputedRef<string | null> {
  const { t } = useText();
  const format = useFormat();
  const live = useLive();
  const session = useSession();
  return computed(() => {
    if (!live.isOld) return null;
    const newest = Math.max(0, ...timesMs().map((one) => one ?? 0));
    const whyNoStream = session.hasEnded ? t('house.whySession') : t('house.whyStream');
    const why = live.stream === 'open' ? t('house.whyDaemon') : whyNoStream;
    return t('house.asOf', { time: newest === 0 ? '–' : format.stamp(newest), why });
  });
}
