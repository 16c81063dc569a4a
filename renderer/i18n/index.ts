import type { WritableComputedRef } from 'vue';
import { createI18n, useI18n, type Composer, type I18n } from 'vue-i18n';
import { language, type Language } from '../../server/contract/language.ts';
import { en } from './en/index.ts';
import type { MessageKey, Messages } from './messages.ts';

export type { MessageKey } from './messages.ts';

/** Each language's own name: it is shown in no other. */
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어', ja: '日本語' };

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => en,
  ko: async () => (await import('./ko/index.ts')).ko,
  ja: async () => (await import('./ja/index.ts')).ja,
};

/** All messages of a language. */
export function messagesOf(shown: Language): Promise<Messages> {
  return loaders[shown]();
}

export function createTranslations(): I18n<
  { en: Messages },
  Record<string, never>,
  Record<string, never>,
  string,
  false
> {
  return createI18n({ legacy: false, locale: 'en', fallbackLocale: 'en', messages: { en } });
}

/** Loads a language, then shows it; the document says so to screen readers. */
export async function loadLanguage(composer: Composer, shown: Language): Promise<void> {
  composer.setLocaleMessage(shown, await messagesOf(shown));
  composer.locale.value = shown;
  document.documentElement.lang = shown;
}

/** The first language of the browser that there is, else English. */
export function browserLanguage(): Language {
  for (const wanted of navigator.languages) {
    const read = language.safeParse(wanted.slice(0, 2));
    if (read.success) return read.data;
  }
  return 'en';
}

export type Translate = (key: MessageKey, named?: Record<string, unknown>, count?: number) => string;

export interface Text {
  /** `t('ui.cancel')`, `t('ui.updated', { time })`, `t('overview.shapes', { n }, n)` for singular and plural. */
  t: Translate;
  locale: WritableComputedRef<string>;
}

/** Messages of the shown language. An unknown key is a type error. */
export function useText(): Text {
  const { t, locale } = useI18n({ useScope: 'global' });
  const translate: Translate = (key, named = {}, count) =>
    count === undefined ? t(key, named) : t(key, named, { plural: count });
  return { t: translate, locale };
}
