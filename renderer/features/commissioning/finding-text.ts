import { figureText, limitText, seriesText } from '../../../server/contract/commissioning-figure.ts';
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
  return typeof measured === 'number' ? figureText(measured, unit, format.number) : actorText(word(measured, t), t);
}

/** What it was held against. */
export function expectedText({ expected, unit }: Pick<ItemCheck, 'expected' | 'unit'>, t: Translate, format: Numbers) {
  return limitText(word(expected, t), unit, format.number);
}

function sentence(found: Finding, t: Translate, format: Numbers): string {
  const { code, quantity, check, value, unit = '', by, state } = found;
  const codes = [...sensorCheckCodes, ...actuatorCheckCodes];
  const test = codes.find((one) => one === check);
  const vapour = t('commissioning.quantities.vapour');
  return t(`commissioning.findings.${code}`, {
    name: seriesText(found.name ?? '–', vapour),
    other: seriesText(found.other ?? '–', vapour),
    detail: found.detail ?? '–',
    by: by === undefined ? '–' : actorText(word(by, t), t),
    state: state === undefined ? '–' : word(state, t),
    quantity: quantity === undefined ? '' : t(`commissioning.quantities.${quantity}`),
    check: test === undefined ? (check ?? '') : t(`commissioning.codes.${test}`),
    value: value === undefined ? '–' : figureText(value, unit, format.number),
    expected: limitText(found.expected ?? '', unit, format.number),
  });
}

function word(text: string, t: Translate): string {
  const known = checkWords.find((one) => one === text);
  return known === undefined ? text : t(`commissioning.words.${known}`);
}
