import type { OutputOrigin } from '../../server/contract/output.ts';
import { useText } from '../i18n/index.ts';
import { actorText } from './actor.ts';
import { useCauseText } from './cause-text.ts';

const controllingKinds = ['pid', 'trigger', 'conditional', 'function', 'climate'] as const;

/**
 * Who or what drives an output, in one line: a rule, a controller with its reason, or a user; empty when nothing does.
 * In short it leaves out the sentence of a controller.
 */
export function useOriginText(): (origin: OutputOrigin, length?: 'short') => string {
  const { t } = useText();
  const causeText = useCauseText();

  /** The controller behind a command, by name and kind. */
  function driverText({ kind, name }: NonNullable<OutputOrigin['cause']>): string {
    const known = controllingKinds.find((one) => one === kind);
    return known === undefined ? name : t(`devices.usedBy.${known}`, { name });
  }

  return ({ source, actor, reason, rule, cause }, length) => {
    if (rule !== null) return t(`devices.hold.rules.${rule}`);
    if (source === null) return '';
    if (cause !== undefined && length === 'short') return driverText(cause);
    if (cause !== undefined) return [t(`ui.source.${source}`), driverText(cause), causeText(cause)].join(' · ');
    const why = reason === source ? '' : reason; // a check uses its own name as the reason
    return [t(`ui.source.${source}`), actor && actorText(actor, t), why].filter(Boolean).join(' · ');
  };
}
