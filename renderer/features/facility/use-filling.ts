import { useText } from '../../i18n/index.ts';
import { useNotice } from '../../stores/notice.ts';
import type { Draft } from './draft.ts';
import { refilled } from './preset.ts';
import { sentences } from '../../ui/sentences.ts';

type Own = Partial<Pick<Draft, 'preset' | 'structure' | 'bay_count' | 'orientation_deg'>>;
type OfEnvelope = Partial<Draft['envelope']>;

/** Fields that are filled in without being chosen, with their labels. */
const labels = {
  bay_count: 'facility.bayCount',
  bay_width_m: 'facility.bayWidth',
  length_m: 'facility.length',
  orientation_deg: 'facility.orientation',
  roof_type: 'facility.roofType',
  eave_height_m: 'facility.eave',
  ridge_height_m: 'facility.ridge',
  material: 'facility.material',
} as const;
const fields = Object.keys(labels) as (keyof typeof labels)[]; // the keys of this literal

/** Assigns values; returns what takes them back, apart from those that changed again since. */
function assign<Target extends object>(target: Target, values: Partial<Target>): () => void {
  const before = { ...target };
  Object.assign(target, values);
  return () => {
    for (const name of Object.keys(values) as (keyof Target)[]) {
      if (target[name] === values[name]) target[name] = before[name];
    }
  };
}

/**
 * Fills in what follows from a choice and says what that was, with an undo. A new house also takes the usual values of
 * its kind and structure unless others were entered; an existing one keeps its own.
 */
export function useFilling(isNew: () => boolean) {
  const { t, locale } = useText();
  const notice = useNotice();
  const listed = (names: readonly (keyof typeof labels)[]): string =>
    new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(names.map((name) => t(labels[name])));

  return (draft: Draft, own: Own, sizes: OfEnvelope = {}): void => {
    const before = { ...draft, ...draft.envelope };
    const usual = isNew() ? refilled(draft.envelope, draft, { ...draft, ...own }) : { values: {}, kept: [] };
    const undo = [assign(draft, own), assign(draft.envelope, { ...usual.values, ...sizes })];
    const after = { ...draft, ...draft.envelope };
    const changed = fields.filter((name) => after[name] !== before[name]);
    if (changed.length === 0 && usual.kept.length === 0) return;
    const texts = [
      changed.length > 0 ? t('facility.filledIn', { names: listed(changed) }) : '',
      usual.kept.length > 0 ? t('facility.keptEntered', { names: listed(usual.kept) }) : '',
    ];
    const takeBack = (): void => undo.forEach((one) => one());
    notice.done(sentences(texts, t), { label: t('ui.undo'), run: takeBack });
  };
}
