import { randomUUID } from 'node:crypto';
import type {
  ControllerFault,
  ControllerKind,
  ControllerSettings,
  StoredKind,
} from '../../contract/controller-kind.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import { refuseChanged, refuseFault } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import { refuseCircle, refuseDriven, refuseEndless, refuseUnknown } from './references.ts';
import type { SettingsRules } from './settings.ts';
import { refuseUnknownTargets, type TargetKind } from './target-references.ts';
import { refuseUsedQuantities, type UserSources } from './users.ts';

/** The first fault that the contract alone cannot see; undefined when there is none. */
export type Judge = (settings: ControllerSettings) => ControllerFault | undefined;

interface StoredSettingsOptions extends Pick<UserSources, 'facilities' | 'lcds' | 'kinds'> {
  /** What some kinds require beyond the contract. */
  judges: Partial<Record<string, Judge>>;
  targetKind: TargetKind;
}

type Stored<Settings extends ControllerSettings> = ControllerKind<string, ControllerWord, string, Settings> & {
  stored: StoredKind<Settings>;
};

type SentPatch = { unique_id?: string; is_activated?: boolean | undefined };

/** The rules of a kind that requires no more than the contract says. */
export function storedRules<Settings extends ControllerSettings>(
  kind: Stored<Settings>,
  rows: ControllerStore<Settings>,
  { judges, targetKind, ...sources }: StoredSettingsOptions,
): SettingsRules<Settings, object, SentPatch> {
  const { kinds } = sources;
  function checked(asked: object): Settings {
    const { stored, word } = kind;
    const settings = parseOrRefuse(kind.settings, stored.settled?.(asked) ?? asked);
    const [fault] = stored.faults(settings);
    if (fault !== undefined) throw refuseFault(fault);
    const references = stored.references(settings);
    refuseCircle(word, settings, kinds);
    refuseUnknown(references, kinds, sources.facilities);
    refuseUnknownTargets(references, targetKind);
    refuseDriven(settings, references, sources);
    refuseEndless(kind.word, settings, kinds);
    const found = judges[word]?.(settings);
    if (found !== undefined) throw refuseFault(found);
    return settings;
  }
  return {
    word: kind.word,
    noun: kind.noun,
    rows,
    made: (sent, { unique_id } = { unique_id: randomUUID() }) =>
      checked({ ...kind.stored.defaults, ...sent, unique_id }),
    changed: (before, patch) => {
      refuseChanged(patch, before, ['unique_id']);
      const merged = kind.stored.merged?.(patch, before) ?? { ...before, ...patch };
      const after = checked({ ...merged, unique_id: before.unique_id });
      refuseUsedQuantities(kind.word, before, after, sources);
      return after;
    },
  };
}
