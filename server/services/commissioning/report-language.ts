import { alarmTexts } from '../../contract/alarm-words.ts';
import { figureText, limitText, type FigureWriter } from '../../contract/commissioning-figure.ts';
import type { Finding } from '../../contract/commissioning-finding.ts';
import { fill } from '../../contract/fill.ts';
import type { Language } from '../../contract/language.ts';
import { withUnit } from '../../contract/unit-text.ts';
import { messageOf, type FigureWay } from '../../domain/commissioning/finding.ts';
import { reportTexts, type ReportText } from './report-text.ts';

/** How a report says things: words, figures and times of its language. */
export interface ReportLanguage {
  text: ReportText;
  way: FigureWay;
  /** Between a name and what is said of it. */
  colon: string;
  /** The entries of a list. */
  list: (all: readonly string[]) => string;
  /** A text with more of it in brackets. */
  aside: (text: string, more: string) => string;
  /** Date and time by the clock of the site. */
  time: (iso: string | null) => string;
  /** Who did something; a program by the name of its key. */
  actor: (name: string | null) => string;
  /** What was found, also in checks of versions that had English sentences alone. */
  found: (one: { findings?: readonly Finding[] | undefined; message: string }) => string;
}

export function reportLanguage(language: Language, timeZone: string): ReportLanguage {
  const text = reportTexts[language];
  const { colon, comma, aside, sentences } = alarmTexts[language].notice;
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2, signDisplay: 'negative' });
  const write: FigureWriter = {
    figure: (value) => numbers.format(value),
    withUnit: (written, unit, value) => withUnit(written, { value, unit }, language),
  };
  const way: FigureWay = {
    figure: (value, kind) => figureText(value, kind, write),
    limit: (expected, kind) => limitText(expected, kind, write),
  };
  const styles = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone } as const;
  const times = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, styles);
  return {
    text,
    way,
    colon,
    list: (all) => all.join(comma),
    aside: (said, more) => fill(aside, { text: said, more }),
    time: (iso) => (iso === null ? '–' : times.format(new Date(iso))),
    actor: (name) => (name ?? '–').replace(' by key ', ' · '),
    found: ({ findings, message }) =>
      findings === undefined
        ? message
        : findings
            .map((one) => messageOf([one], text, way))
            .reduce((said, more) => (said === '' ? more : fill(sentences, { text: said, more })), ''),
  };
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
