import english from '../../../resources/commissioning-text/en.json' with { type: 'json' };
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

/** Findings as sentences, one after the other. */
export function messageOf(findings: readonly Finding[], text: FindingText = english): string {
  return findings.map((one) => sentenceOf(one, text)).join(' ');
}

function sentenceOf(found: Finding, text: FindingText): string {
  const { code, value, unit, quantity, check, by, state } = found;
  const said: Readonly<Record<string, string | undefined>> = {
    name: found.name,
    other: found.other,
    expected: found.expected,
    detail: found.detail,
    by: by && wordOf(by, text),
    state: state && wordOf(state, text),
    quantity: quantity && text.quantities[quantity],
    check: check && (member(text.codes, check) ?? check),
    value: value === undefined ? undefined : figureOf(value, unit ?? ''),
  };
  return text.findings[code].replaceAll(/\{(\w+)\}/g, (_, key: string) => said[key] ?? '–');
}

/** The measure of a check item: a figure with its unit, a word of the language, or an untranslated name. */
export function shownMeasure({ measured, unit }: Pick<ItemCheck, 'measured' | 'unit'>, text: FindingText): string {
  if (measured === null) return '–';
  return typeof measured === 'number' ? figureOf(measured, unit) : wordOf(measured, text);
}

export function shownExpected({ expected, unit }: Pick<ItemCheck, 'expected' | 'unit'>, text: FindingText): string {
  return `${wordOf(expected, text)} ${unit}`.trim();
}

function wordOf(word: string, text: FindingText): string {
  return member(text.words, word) ?? word;
}

function member(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function figureOf(value: number, unit: string): string {
  return `${value} ${unit}`.trim();
}
