import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';
import { kindOf, shareOn, type Strip } from './states.ts';

/** The state of an output in words, from 0 to 100 %; undefined when nothing was recorded. */
export function useStripText(): (state: number | null | undefined) => string {
  const { t } = useText();
  const format = useFormat();
  return (state) =>
    kindOf(state) === 'position' ? format.quantity(state ?? 0, '%') : t(`trends.state.${kindOf(state)}`);
}

/** For how much of the recorded time an output was on, in words; where its oldest states are left out, since when. */
export function useShareText(): (strip: Pick<Strip, 'states' | 'isComplete'>) => string {
  const { t } = useText();
  const format = useFormat();
  return ({ states, isComplete }) => {
    const [share, first] = [shareOn(states), states[0]];
    if (share === null) return t('trends.state.unrecorded');
    const n = format.number(share * 100, 0);
    return isComplete || first === undefined
      ? t('trends.onShare', { n })
      : t('trends.onShareSince', { n, time: format.dateTime(first.from_ms) });
  };
}
