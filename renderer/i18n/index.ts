import type { WritableComputedRef } from 'vue';
import { createI18n, useI18n, type Composer, type I18n } from 'vue-i18n';
import { languages, type Language } from '../../server/contract/language.ts';
import { numeral } from '../units/numeral.ts';
import type { FirstMessages, LaterMessages, MessageKey, Messages } from './messages.ts';

export type { MessageKey } from './messages.ts';

/** Each language's own name: it is shown in no other. */
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어', ja: '日本語' };

interface Loader {
  first: () => Promise<FirstMessages>;
  later: () => Promise<LaterMessages>;
}

const loaders: Record<Language, Loader> = {
  en: {
    first: async () => (await import('./en/first.ts')).first,
    later: async () => (await import('./en/later.ts')).later,
  },
  ko: {
    first: async () => (await import('./ko/first.ts')).first,
    later: async () => (await import('./ko/later.ts')).later,
  },
  ja: {
    first: async () => (await import('./ja/first.ts')).first,
    later: async () => (await import('./ja/later.ts')).later,
  },
};

/** All messages of a language. */
export async function messagesOf(shown: Language): Promise<Messages> {
  const [first, later] = await Promise.all([loaders[shown].first(), loaders[shown].later()]);
  return { ...first, ...later };
}

export function createTranslations(
  messages?: Messages,
): I18n<{ en: Messages }, Record<string, never>, Record<string, never>, string, false> {
  // The others have every message of English, so none is ever asked for in its place.
  // Missing keys do not compile; only lookups by a name of the wire may find none, and then go on.
  const quiet = { missingWarn: false, fallbackWarn: false };
  return createI18n({
    legacy: false,
    locale: 'en',
    ...quiet,
    messages: messages === undefined ? {} : { en: messages },
  });
}

/** Shows a language as soon as its first messages are there: what the frame, the overview and the log-in say. */
export async function showFirst(composer: Composer, shown: Language): Promise<void> {
  composer.mergeLocaleMessage(shown, await loaders[shown].first());
  show(composer, shown);
}

/** Loads what is not there yet of a language, then shows it. */
export async function loadLanguage(composer: Composer, shown: Language): Promise<void> {
  const isWhole = ('about' satisfies keyof LaterMessages) in composer.getLocaleMessage(shown);
  if (!isWhole) composer.setLocaleMessage(shown, await messagesOf(shown));
  show(composer, shown);
}

/** The document says so to screen readers. */
function show(composer: Composer, shown: Language): void {
  composer.locale.value = shown;
  document.documentElement.lang = shown;
}

/** The first language of the browser that there is, else English. */
export function browserLanguage(): Language {
  for (const wanted of navigator.languages) {
    const spoken = languages.find((one) => wanted.slice(0, 2).toLowerCase() === one);
    if (spoken !== undefined) return spoken;
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
  // A sentence counts as everything else does: with the separators of the language.
  const shown = (value: unknown): unknown =>
    typeof value === 'number' ? numeral(value, locale.value, { maximumFractionDigits: 4 }) : value;
  const translate: Translate = (key, named = {}, count) => {
    const values = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, shown(value)]));
    const { n } = named as { n?: unknown };
    const plural = count ?? (typeof n === 'number' ? n : undefined);
    return plural === undefined ? t(key, values) : t(key, values, { plural });
  };
  return { t: translate, locale };
}
