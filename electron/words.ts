import en from '../resources/shell-text/en.json' with { type: 'json' };
import ja from '../resources/shell-text/ja.json' with { type: 'json' };
import ko from '../resources/shell-text/ko.json' with { type: 'json' };
import { language as languages, type Language } from '../server/contract/language.ts';

/** What the shell itself says: windows' own pages, dialogs, menu, tray. */
export type Words = typeof en;

const words: Record<Language, Words> = { en, ko, ja };

/** Of a locale as systems write it ("ko-KR"); English where the language is not spoken here. */
export function languageOf(locale: string): Language {
  return languages.safeParse(locale.slice(0, 2).toLowerCase()).data ?? 'en';
}

export function wordsOf(language: Language): Words {
  return words[language];
}

/** Puts values in the place of `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
