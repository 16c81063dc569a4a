import type { Translate } from '../i18n/index.ts';

/** Sentences one after the other, as the language sets them; empty ones are left out. */
export function sentences(all: readonly (string | null | undefined)[], t: Translate): string {
  const said = all.flatMap((one) => one || []);
  return said.reduce((text, more) => (text === '' ? more : t('ui.sentences', { text, more })), '');
}

/** What the language sets between a sentence and what follows it with a look of its own, such as a link. */
export function sentenceGap(t: Translate): string {
  return t('ui.sentences', { text: '', more: '' });
}
