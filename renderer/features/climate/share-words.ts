import type { ClimateSetpoint } from '../../../server/contract/climate-live.ts';
import type { SetpointName } from '../../../server/contract/climate-settings.ts';
import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';
import { unitOf } from './loop-fields.ts';

/** Less is not shown: it would be 0 in its digits. */
const leastShare = 0.005;

/** What a setpoint is made of, " = 18 °C period + 1.5 K wind"; nothing where that is its period alone. */
export function useShareWords(): (name: SetpointName, setpoint: Pick<ClimateSetpoint, 'parts'>) => string {
  const { t } = useText();
  const format = useFormat();
  return (name, { parts }) => {
    const unit = unitOf(name) ?? '';
    // The first share is a level, the others differences of it.
    const shown = parts.filter(({ value }, index) => index === 0 || Math.abs(value) >= leastShare);
    if (shown.length < 2) return '';
    const words = shown.map(({ what, source, value }, index) => {
      const word = source === null ? t(`climate.share.${what}`) : t(`climate.source.${source}`);
      if (index === 0) return `${format.amount(value, unit)} ${word}`;
      return `${value < 0 ? '−' : '+'} ${format.amount(Math.abs(value), unit === 'C' ? 'K' : unit)} ${word}`;
    });
    return ` = ${words.join(' ')}`;
  };
}
