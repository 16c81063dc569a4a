import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type {
  ControllerFault,
  ControllerKind,
  ControllerSettings,
  StoredKind,
} from '../../contract/controller-kind.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import { differences, type Json } from '../../contract/differences.ts';
import { Refusal, refuseChanged, refuseFault } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import { refuseCircle, refuseDriven, refuseEndless, refuseUnknown } from './references.ts';
import type { SettingsRules } from './settings.ts';
import { refuseUnknownTargets, type TargetKind } from './target-references.ts';
import { refuseUsedQuantities, type UserSources } from './users.ts';

const json = z.json();

/** The first fault that the contract alone cannot see; undefined when there is none. */
export type Judge = (settings: ControllerSettings) => ControllerFault | undefined;

interface StoredSettingsOptions extends Pick<UserSources, 'facilities' | 'lcds' | 'kinds'> {
  /** What some kinds require beyond the contract. */
  judges: Partial<Record<string, Judge>>;
  targetKind: TargetKind;
  /** The settings of an earlier revision; undefined when unknown. */
  earlier: (word: string, id: string, revision: number) => object | undefined;
}

type Stored<Settings extends ControllerSettings> = ControllerKind<string, ControllerWord, string, Settings> & {
  stored: StoredKind<Settings>;
};

type SentPatch = { unique_id?: string; revision?: number | undefined; is_activated?: boolean | undefined };

/** The rules of a kind that requires no more than the contract says. */
export function storedRules<Settings extends ControllerSettings>(
  kind: Stored<Settings>,
  rows: ControllerStore<Settings>,
  { judges, targetKind, earlier, ...sources }: StoredSettingsOptions,
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
      refuseOlder(patch.revision, before, (revision) => earlier(kind.word, before.unique_id, revision));
      // What it names may be gone: it can be switched off all the same.
      if (isSwitchOff(patch)) return { ...before, ...kind.stored.merged?.(patch, before), is_activated: false };
      const merged = kind.stored.merged?.(patch, before) ?? { ...before, ...patch };
      const after = checked({ ...merged, unique_id: before.unique_id });
      refuseUsedQuantities(kind.word, before, after, sources);
      return after;
    },
  };
}

/** Throws `revision_conflict` with what changed since the revision that a change is based on. */
export function refuseOlder(
  asked: number | undefined,
  stored: { revision?: number } | undefined,
  earlier: (revision: number) => object | undefined,
): void {
  const revision = stored?.revision ?? 0;
  if (asked === undefined || asked === revision) return;
  const was = earlier(asked);
  const changed = was === undefined || stored === undefined ? null : differences(jsonOf(was), jsonOf(stored));
  throw new Refusal('revision_conflict', `it was changed since: it has revision ${revision}`, {
    members: { revision, ...(changed !== null && { changed: changed.filter(({ path }) => path !== 'revision') }) },
  });
}

function jsonOf(value: object): Json {
  return json.parse(JSON.parse(JSON.stringify(value)));
}

function isSwitchOff({ unique_id: _id, revision: _revision, is_activated, ...rest }: SentPatch): boolean {
  return is_activated === false && Object.keys(rest).length === 0;
}
