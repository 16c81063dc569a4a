import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';
import { kindOf, meanState, type Strip } from './states.ts';

/** The state of an output in words, or from 0 to 100 % of one with positions; undefined when nothing was recorded. */
export function useStripText(): (strip: Pick<Strip, 'isSwitch'>, state: number | null | undefined) => string {
  const { t } = useText();
  const format = useFormat();
  return ({ isSwitch }, state) => {
    const kind = kindOf(state);
    const isPosition = kind === 'position' || (!isSwitch && typeof state === 'number');
    return isPosition ? format.quantity(state ?? 0, '%') : t(`trends.state.${kind}`);
  };
}

/**
 * For how much of the recorded time an output was on, or where it stood on average, in words; where its oldest states
 * are left out, since when.
 */
export function useMeanText(): (strip: Pick<Strip, 'states' | 'isComplete' | 'isSwitch'>) => string {
  const { t } = useText();
  const format = useFormat();
  return ({ states, isComplete, isSwitch }) => {
    const [mean, first] = [meanState(states), states[0]];
    if (mean === null) return t('trends.state.unrecorded');
    const value = format.quantity(mean, '%');
    const word = isSwitch ? 'onShare' : 'meanState';
    return isComplete || first === undefined
      ? t(`trends.${word}`, { value })
      : t(`trends.${word}Since`, { value, time: format.dateTime(first.from_ms) });
  };
}
