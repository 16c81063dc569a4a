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

/** For how much of the recorded time an output was on, in words. */
export function useShareText(): (strip: Pick<Strip, 'states'>) => string {
  const { t } = useText();
  const format = useFormat();
  return ({ states }) => {
    const share = shareOn(states);
    return share === null ? t('trends.state.unrecorded') : t('trends.onShare', { n: format.number(share * 100, 0) });
  };
}
