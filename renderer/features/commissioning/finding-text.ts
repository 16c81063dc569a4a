import { figureText, limitText, seriesText, type FigureWriter } from '../../../server/contract/commissioning-figure.ts';
import { checkWords, type Finding } from '../../../server/contract/commissioning-finding.ts';
import { actuatorCheckCodes, sensorCheckCodes, type ItemCheck } from '../../../server/contract/commissioning.ts';
import type { Translate } from '../../i18n/index.ts';
import { actorText } from '../../ui/actor.ts';
import { sentences } from '../../ui/sentences.ts';

/** Findings as sentences in the shown language, with their figures in the units of the site. */
export function findingsText(findings: readonly Finding[], t: Translate, format: FigureWriter): string {
  return sentences(
    findings.map((one) => sentence(one, t, format)),
    t,
  );
}

/** What a test measured: a figure with its unit, a word of the language, or a name as it is. */
export function measuredText(check: Pick<ItemCheck, 'code' | 'measured' | 'unit'>, t: Translate, format: FigureWriter) {
  const { code, measured, unit } = check;
  if (measured === null) return '–';
  if (typeof measured !== 'number') return actorText(word(measured, t), t);
  return figureText(measured, { code, unit }, format);
}

/** What it was held against. */
export function expectedText(check: Pick<ItemCheck, 'code' | 'expected' | 'unit'>, t: Translate, format: FigureWriter) {
  return limitText(word(check.expected, t), check, format);
}

function sentence(found: Finding, t: Translate, format: FigureWriter): string {
  const { code, quantity, check, value, unit = '', by, state } = found;
  const codes = [...sensorCheckCodes, ...actuatorCheckCodes];
  const test = codes.find((one) => one === check);
  const kind = { code: check ?? code, unit };
  const vapour = t('commissioning.quantities.vapour');
  return t(`commissioning.findings.${code}`, {
    name: seriesText(found.name ?? '–', vapour),
    other: seriesText(found.other ?? '–', vapour),
    detail: found.detail ?? '–',
    by: by === undefined ? '–' : actorText(word(by, t), t),
    state: state === undefined ? '–' : limitText(word(state, t), kind, format),
    quantity: quantity === undefined ? '' : t(`commissioning.quantities.${quantity}`),
    check: test === undefined ? (check ?? '') : t(`commissioning.codes.${test}`),
    value: value === undefined ? '–' : figureText(value, kind, format),
    expected: limitText(found.expected ?? '', kind, format),
  });
}

function word(text: string, t: Translate): string {
  const known = checkWords.find((one) => one === text);
  return known === undefined ? text : t(`commissioning.words.${known}`);
}
