import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';
import { kindOf } from './states.ts';

/** The state of an output in words, from 0 to 100 %; undefined when nothing was recorded. */
export function useStripText(): (state: number | null | undefined) => string {
  const { t } = useText();
  const format = useFormat();
  return (state) =>
    kindOf(state) === 'position' ? format.quantity(state ?? 0, '%') : t(`trends.state.${kindOf(state)}`);
}
