import { saidFacts } from '../../server/contract/reason-text.ts';
import type { Reason } from '../../server/contract/reason.ts';
import { useText } from '../i18n/index.ts';
import { useFormat } from './format.ts';

/** The cause of a command: its rule as data, and in English, which is all that older records have. */
export interface ToldCause {
  because: string | null;
  reason?: Reason | null | undefined;
}

/** Facts that older records lack: missing, they would leave a gap in the sentence. */
const lacking = { measured_c: '–', start_c: '–' };

/** Why a controller acts: in the language of the page, with site units and time. */
export function useCauseText(): (cause: ToldCause) => string {
  const { t } = useText();
  const format = useFormat();
  const quantity = (value: number, unit: string): string => {
    if (unit === '') return format.number(value);
    // Seconds are pulses, for which 12.5 s differs from 13 s, or the time between two runs.
    if (unit === 's')
      return value > 0 && Number.isInteger(value)
        ? format.duration(value)
        : format.quantity(value, unit, value === 0 ? 0 : 1);
    return format.quantity(value, unit);
  };
  return ({ reason, because }) => {
    if (reason == null) return because ?? '';
    const said = saidFacts(reason, {
      quantity,
      moment: (time) => format.stamp(time),
      word: (word) => t(`causes.words.${word}`),
      values: (n) => t('causes.values', { n: format.number(n) }),
      list: (all) => all.join(t('ui.comma')),
    });
    return t(`causes.reasons.${reason.code}`, { ...lacking, ...said });
  };
}
