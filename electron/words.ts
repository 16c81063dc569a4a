import en from '../resources/shell-text/en.json' with { type: 'json' };
import ja from '../resources/shell-text/ja.json' with { type: 'json' };
import ko from '../resources/shell-text/ko.json' with { type: 'json' };
import { language as languages, type Language } from '../server/contract/language.ts';

/** The texts of the shell itself: its own pages, dialogs, menu, tray. */
export type Words = typeof en;

const words: Record<Language, Words> = { en, ko, ja };

/** The language for a system locale ("ko-KR"); English when it is not supported. */
export function languageOf(locale: string): Language {
  return languages.safeParse(locale.slice(0, 2).toLowerCase()).data ?? 'en';
}

export function wordsOf(language: Language): Words {
  return words[language];
}
