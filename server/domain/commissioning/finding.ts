import english from '../../../resources/commissioning-text/en.json' with { type: 'json' };
import { seriesText, type FigureKind } from '../../contract/commissioning-figure.ts';
import type { Finding, FindingCode, CheckWord } from '../../contract/commissioning-finding.ts';
import type { CheckCode, ItemCheck } from '../../contract/commissioning.ts';
import type { Quantity } from './quantity.ts';

/** One language of `resources/commissioning-text`. */
export interface FindingText {
  findings: Readonly<Record<FindingCode, string>>;
  words: Readonly<Record<CheckWord, string>>;
  quantities: Readonly<Record<Quantity, string>>;
  codes: Readonly<Record<CheckCode, string>>;
}

/** How figures and what they are held against are written. */
export interface FigureWay {
  figure: (value: number, kind: FigureKind) => string;
  limit: (expected: string, kind: FigureKind) => string;
}

/** As the interface writes them. */
const plain: FigureWay = {
  figure: (value, { unit }) => `${value} ${unit}`.trim(),
  limit: (expected, { unit }) => `${expected} ${unit}`.trim(),
};

/** Findings as sentences, one after the other. */
export function messageOf(findings: readonly Finding[], text: FindingText = english, way = plain): string {
  return findings.map((one) => sentenceOf(one, text, way)).join(' ');
}

function sentenceOf(found: Finding, text: FindingText, way: FigureWay): string {
  const { code, value, unit = '', quantity, check, by, state, expected } = found;
  const kind = { code: check ?? code, unit };
  const said: Readonly<Record<string, string | undefined>> = {
    name: found.name && seriesText(found.name, text.quantities.vapour),
    other: found.other && seriesText(found.other, text.quantities.vapour),
    detail: found.detail,
    expected: expected && way.limit(expected, kind),
    by: by && wordOf(by, text),
    state: state && way.limit(wordOf(state, text), kind),
    quantity: quantity && text.quantities[quantity],
    check: check && (member(text.codes, check) ?? check),
    value: value === undefined ? undefined : way.figure(value, kind),
  };
  return text.findings[code].replaceAll(/\{(\w+)\}/g, (_, key: string) => said[key] ?? '–');
}

/** The measure of a check item: a figure with its unit, a word of the language, or an untranslated name. */
export function shownMeasure({ measured, ...kind }: Measured, text: FindingText, way: FigureWay): string {
  if (measured === null) return '–';
  return typeof measured === 'number' ? way.figure(measured, kind) : wordOf(measured, text);
}

export function shownExpected({ expected, ...kind }: Expected, text: FindingText, way: FigureWay): string {
  return way.limit(wordOf(expected, text), kind);
}

type Measured = Pick<ItemCheck, 'code' | 'measured' | 'unit'>;
type Expected = Pick<ItemCheck, 'code' | 'expected' | 'unit'>;

function wordOf(word: string, text: FindingText): string {
  return member(text.words, word) ?? word;
}

function member(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
