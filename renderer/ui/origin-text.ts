import type { OutputOrigin } from '../../server/contract/output.ts';
import { useText } from '../i18n/index.ts';
import { actorText } from './actor.ts';
import { useCauseText } from './cause-text.ts';
import { useFormat } from './format.ts';
import { useNow } from './now.ts';
import { sentences } from './sentences.ts';

/** The numbers of a cause are those of its time, which is said once it is past, ms. */
const pastMs = 60_000;
const controllingKinds = ['pid', 'trigger', 'conditional', 'function', 'climate'] as const;

/**
 * Who or what drives an output, in one line: a rule, a controller with its reason, or a user; empty when nothing does.
 * In short it leaves out the sentence of a controller.
 */
export function useOriginText(): (origin: OutputOrigin, length?: 'short') => string {
  const { t } = useText();
  const causeText = useCauseText();
  const format = useFormat();
  const now = useNow();

  /** The controller behind a command, by name and kind. */
  function driverText({ kind, name }: NonNullable<OutputOrigin['cause']>): string {
    const known = controllingKinds.find((one) => one === kind);
    return known === undefined ? name : t(`devices.usedBy.${known}`, { name });
  }

  function timeText({ at }: NonNullable<OutputOrigin['cause']>): string {
    const isPast = at !== undefined && now.value - Date.parse(at) > pastMs;
    return isPast ? t('ui.statedAt', { time: format.nearTime(at, now.value) }) : '';
  }

  return ({ source, actor, reason, rule, cause }, length) => {
    if (rule !== null) return t(`devices.hold.rules.${rule}`);
    if (source === null) return '';
    if (cause !== undefined && length === 'short') return driverText(cause);
    if (cause !== undefined) {
      const said = sentences([causeText(cause), timeText(cause)], t);
      return [t(`ui.source.${source}`), driverText(cause), said].join(' · ');
    }
    const why = reason === source ? '' : reason; // a check uses its own name as the reason
    return [t(`ui.source.${source}`), actor && actorText(actor, t), why].filter(Boolean).join(' · ');
  };
}
