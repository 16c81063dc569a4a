import { computed, type ComputedRef } from 'vue';
import type { FieldError } from '../../../server/contract/errors.ts';
import { providerAttribution } from '../../../server/contract/provider.ts';
import { isApiError } from '../../client/api-error.ts';
import { useText } from '../../i18n/index.ts';
import { describeError, useNotice } from '../../stores/notice.ts';
import { useFormat } from '../../ui/format.ts';
import { sentences } from '../../ui/sentences.ts';
import { changeWords, placeWords, type ChangeWords } from './change-words.ts';
import { told, type DraftFault } from './draft-faults.ts';
import { faultWords, refusedWords } from './fault-words.ts';
import type { UsedClimate } from './use-climate.ts';

interface DraftWords {
  /** Marks those that another user changed too. */
  changes: ComputedRef<(ChangeWords & { source?: string })[]>;
  /** All that is wrong, each with its place. */
  faults: ComputedRef<string[]>;
  faultAt: (path: string) => string | undefined;
  /** Whether something at a path or below it is wrong. */
  isFaulty: (path: string) => boolean;
  /** A refusal that names no place. */
  error: ComputedRef<unknown>;
  /** The number of pending changes, or what is wrong. */
  state: ComputedRef<string>;
  /** Whether the drawn day has influences by weather that is yet to come. */
  isForeseen: ComputedRef<boolean>;
  /** By what weather these are drawn. */
  foreseen: ComputedRef<string>;
  /** What the server refuses a field for. */
  refusal: (field: FieldError) => string | undefined;
  taken: () => void;
  refused: (thrown: unknown) => void;
}

/** A draft in words: its changes, and its faults by path. */
export function useDraftWords(climate: UsedClimate): DraftWords {
  const { program, preview, changed, rows, influences, changes, changedByOthers, faults: own, fault } = climate;
  const { t } = useText();
  const format = useFormat();
  const notice = useNotice();
  const saying = computed(() => ({ t, format, periods: rows.value.map(({ name }) => name) }));

  const refusals = computed((): DraftFault[] => (isApiError(fault.value) ? fault.value.fields.map(told) : []));
  const all = computed(() => [...own.value, ...refusals.value]);
  const byPath = computed(() => new Map(all.value.map((one) => [one.path, faultWords(one, { t, format })])));

  const faultLines = computed(() =>
    [...byPath.value].map(([path, words]) =>
      t('climate.within', { part: placeWords(path, saying.value), field: words }),
    ),
  );

  return {
    changes: computed(() =>
      changes.value.map((one) => ({
        ...changeWords(one, saying.value),
        ...(isWithin(one.path, changedByOthers.value) && { source: t('climate.change.byOthers') }),
      })),
    ),
    faults: faultLines,
    faultAt: (path) => byPath.value.get(path),
    isFaulty: (path) => all.value.some((one) => one.path === path || one.path.startsWith(`${path}.`)),
    error: computed(() => (refusals.value.length > 0 ? null : fault.value)),
    state: computed(() => {
      const lines = faultLines.value;
      if (lines.length === 1) return lines.join('');
      if (lines.length > 1) return [t('climate.faults', { n: lines.length }, lines.length), ...lines].join('\n');
      if (fault.value !== null) return describeError(fault.value, t);
      return program.value === null || changes.value.length === 0
        ? ''
        : t('climate.history.count', { n: changes.value.length }, changes.value.length);
    }),
    foreseen: computed(() => {
      const forecast = (changed.value ?? preview.value)?.forecast ?? null;
      if (forecast === null) return t('climate.foreseen');
      const [at, until] = [format.dateTime(forecast.asked_at), format.dateTime(forecast.until)];
      return sentences([t('climate.foreseenBy', { at, until }), providerAttribution.openmeteo], t);
    }),
    isForeseen: computed(() => influences.value.length > 0),
    refusal: (field) => refusedWords(field, saying.value),
    taken: () => notice.done(t('climate.taken')),
    refused: (thrown) => notice.problem(describeError(thrown, t)),
  };
}

/** Whether a place is one of some, or holds or lies in one. */
function isWithin(path: string, places: ReadonlySet<string>): boolean {
  const holds = (outer: string, inner: string): boolean =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  return [...places].some((place) => holds(place, path) || holds(path, place));
}
