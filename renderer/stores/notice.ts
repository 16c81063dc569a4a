import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { backupFaultOf, isApiError, weaknessOf, type FailureCode } from '../client/api-error.ts';
import type { ReasonFields } from '../../server/contract/errors.ts';
import type { MessageKey, Translate } from '../i18n/index.ts';

export interface NoticeAction {
  label: string;
  run: () => void;
}

export interface Notice {
  id: number;
  text: string;
  kind: 'done' | 'problem';
  action: NoticeAction | undefined;
}

/** Codes with a general sentence: without a reason the server's message says more. */
export const generalCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'invalid_field',
  'unknown_field',
  'unknown_reference',
  'invalid_json',
  'read_only_field',
  'invalid_geometry',
  'conflict',
  'in_use',
  'blocked',
  'command_failed',
  'delivery_failed',
  'not_available',
]);

/**
 * Why something is refused, in the language of the page; undefined without a reason, or for one that it does not know.
 */
export function refusalText({ why, values = {}, names }: ReasonFields, t: Translate): string | undefined {
  if (why === undefined) return undefined;
  const key = `refusals.${why}` as MessageKey; // or of a newer server, which is answered as it is
  const listed = names?.map((name) => t('ui.quoted', { name })).join(t('ui.comma'));
  const text = t(key, { ...values, ...(listed !== undefined && { names: listed }) });
  return text === key ? undefined : text;
}

/** A sentence for an error where its fields are not listed: that of the only faulty field, if it has a reason. */
export function describeError(error: unknown, t: Translate): string {
  const [field, ...others] = isApiError(error) ? error.fields : [];
  return (others.length === 0 && field && refusalText(field, t)) || headlineOf(error, t);
}

/** A sentence for an error as a whole: by its reason, or else its code, if the server sent one. */
export function headlineOf(error: unknown, t: Translate): string {
  const weakness = isApiError(error) ? weaknessOf(error.fields) : undefined;
  if (weakness !== undefined) return t(`account.weakPassword.${weakness}`);
  const fault = backupFaultOf(error);
  if (fault !== null) return t(`backups.faults.${fault}`);
  if (!isApiError(error)) return t('errors.unexpected');
  return refusalText(error.problem ?? {}, t) ?? t(`errors.${error.code}`);
}

/** Short messages over the page (`NoticeBar`), read out by screen readers; one at a time, the newest wins. */
export const useNotice = defineStore('notice', () => {
  const shown = shallowRef<Notice | null>(null);
  let count = 0;

  function show(kind: Notice['kind'], text: string, action?: NoticeAction): void {
    count += 1;
    shown.value = { id: count, text, kind, action };
  }

  return {
    shown,
    done: (text: string, action?: NoticeAction) => show('done', text, action),
    problem: (text: string, action?: NoticeAction) => show('problem', text, action),
    dismiss: () => {
      shown.value = null;
    },
  };
});
