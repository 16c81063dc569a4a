import type { OutputState } from '../../../server/contract/output.ts';
import { useFormat } from '../../ui/format.ts';
import { useText } from '../../i18n/index.ts';
import { positionOf } from './output-command.ts';

/** The state of an output in words: on, off, a position in %, or unknown. */
export function useStateText(kind: () => 'switch' | 'dimmer'): (state: OutputState) => string {
  const { t } = useText();
  const format = useFormat();
  return (state) => {
    if (state === null) return t('ui.unknown');
    const position_pct = kind() === 'dimmer' ? positionOf(state) : state;
    return typeof position_pct === 'number'
      ? format.quantity(position_pct, '%')
      : t(`ui.${state === 'on' ? 'on' : 'off'}`);
  };
}
