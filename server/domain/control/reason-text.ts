import { Temporal } from 'temporal-polyfill';
import en from '../../../resources/cause-text/en.json' with { type: 'json' };
import ja from '../../../resources/cause-text/ja.json' with { type: 'json' };
import ko from '../../../resources/cause-text/ko.json' with { type: 'json' };
import { alarmTexts } from '../../contract/alarm-words.ts';
import type { Language } from '../../contract/language.ts';
import { saidFacts, type ReasonWriter } from '../../contract/reason-text.ts';
import type { Reason } from '../../contract/reason.ts';
import { quantityText } from '../../contract/unit-text.ts';

/** The reader for whom a reason is written. */
export interface ReasonReader {
  language: Language;
  /** IANA name. */
  time_zone: string;
}

const texts: Record<Language, typeof en> = { en, ko, ja };
/** Maximum characters on the wire. */
const longest = 500;

/** A reason for the wire: in English, and as data. One without times needs no zone. */
export function explained(reason: Reason, time_zone = 'UTC'): { because: string; reason: Reason } {
  return { because: reasonText(reason, { language: 'en', time_zone }), reason };
}

/**
 * A reason in one sentence, with numbers in stored units and times in the site's local time; missing facts are a dash.
 */
export function reasonText(reason: Reason, { language, time_zone }: ReasonReader): string {
  const said = saidFacts(reason, writerOf(language, time_zone));
  const sentence = texts[language].reasons[reason.code].replace(/\{(\w+)\}/g, (_, name: string) => said[name] ?? '–');
  return sentence.slice(0, longest);
}

function writerOf(language: Language, time_zone: string): ReasonWriter {
  const { words, values } = texts[language];
  return {
    quantity: (value, unit) => quantityText({ value, unit }, language),
    moment: (at) => {
      const local = Temporal.Instant.from(at).toZonedDateTimeISO(time_zone).toPlainDateTime();
      return local.toString({ smallestUnit: 'second' }).replace('T', ' ');
    },
    word: (word) => words[word],
    values: (count) => values.replace('{n}', String(count)),
    list: (all) => all.join(alarmTexts[language].notice.comma),
  };
}
