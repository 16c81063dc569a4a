import { checkWords, type Finding } from '../../../server/contract/commissioning-finding.ts';
import { actuatorCheckCodes, sensorCheckCodes, type ItemCheck } from '../../../server/contract/commissioning.ts';
import type { Format } from '../../ui/format.ts';
import type { Translate } from '../../i18n/index.ts';
import { actorText } from '../../ui/actor.ts';

type Numbers = Pick<Format, 'number'>;

/** Findings as sentences in the shown language, with their figures in the units in which they were judged. */
export function findingsText(findings: readonly Finding[], t: Translate, format: Numbers): string {
  return findings.map((one) => sentence(one, t, format)).join(' ');
}

/** What a test measured: a figure with its unit, a word of the language, or a name as it is. */
export function measuredText({ measured, unit }: Pick<ItemCheck, 'measured' | 'unit'>, t: Translate, format: Numbers) {
  if (measured === null) return '–';
  return typeof measured === 'number' ? figure(measured, unit, format) : actorText(word(measured, t), t);
}

/** What it was held against. */
export function expectedText({ expected, unit }: Pick<ItemCheck, 'expected' | 'unit'>, t: Translate): string {
  return withUnit(signs(word(expected, t)), unit);
}

function sentence(found: Finding, t: Translate, format: Numbers): string {
  const { code, quantity, check, value, unit = '', by, state } = found;
  const codes = [...sensorCheckCodes, ...actuatorCheckCodes];
  const test = codes.find((one) => one === check);
  return t(`commissioning.findings.${code}`, {
    name: found.name ?? '–',
    other: found.other ?? '–',
    detail: found.detail ?? '–',
    by: by === undefined ? '–' : actorText(word(by, t), t),
    state: state === undefined ? '–' : word(state, t),
    quantity: quantity === undefined ? '' : t(`commissioning.quantities.${quantity}`),
    check: test === undefined ? (check ?? '') : t(`commissioning.codes.${test}`),
    value: value === undefined ? '–' : figure(value, unit, format),
    expected: withUnit(signs(found.expected ?? ''), unit),
  });
}

function word(text: string, t: Translate): string {
  const known = checkWords.find((one) => one === text);
  return known === undefined ? text : t(`commissioning.words.${known}`);
}

function figure(value: number, unit: string, format: Numbers): string {
  return withUnit(format.number(value), unit);
}

/** On one line: a narrow space that does not break. */
function withUnit(figure: string, unit: string): string {
  return `${figure}\u202f${unitText(unit)}`.trim();
}

/** `>= 0.5` and `0..45` as people write them. */
const signs = (limit: string): string => limit.replace('>= ', '≥\u202f').replace('<= ', '≤\u202f').replace('..', ' … ');

/** `C/h` and `g/m3` as people write them. */
const unitText = (unit: string): string =>
  unit.replace(/^C(?=\/|$)/, '°C').replace(/m([23])\b/, (_all, power) => (power === '2' ? 'm²' : 'm³'));
