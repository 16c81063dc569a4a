import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { backupFaultOf, isApiError, isOfGoneShape, weaknessOf } from '../client/api-error.ts';
import type { Translate } from '../i18n/index.ts';

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

/** A sentence for an error: by its code if the server sent one. */
export function describeError(error: unknown, t: Translate): string {
  const weakness = isApiError(error) ? weaknessOf(error.fields) : undefined;
  if (weakness !== undefined) return t(`account.weakPassword.${weakness}`);
  const fault = backupFaultOf(error);
  if (fault !== null) return t(`backups.faults.${fault}`);
  if (isOfGoneShape(error)) return t('house.outlineGone');
  return isApiError(error) ? t(`errors.${error.code}`) : t('errors.unexpected');
}

/** Short messages at the bottom of the window, read out by screen readers; one at a time, the newest wins. */
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
