import { ruleOf, sentenceOf } from '../../server/contract/alarm-text.ts';
import type { AlarmFacts } from '../../server/contract/alarm-text.ts';
import type { Format } from './format.ts';
import type { Translate } from '../i18n/index.ts';

/** What an alarm says beside its sentence, with times as the site shows them; empty where that is all. */
export function alarmDetail(
  { code, message }: { code: string; message: string | null },
  format: Pick<Format, 'dateTime'>,
): string {
  if (message === null || code !== 'clock_set') return message ?? '';
  const [from = '', to = ''] = message.split(' -> ');
  const isRead = [from, to].every((time) => Number.isFinite(Date.parse(time)));
  return isRead ? `${format.dateTime(from)} → ${format.dateTime(to)}` : message;
}

/** The sentence of an alarm in the shown language, with its numbers in the units of the site; empty where the title says all. */
export function alarmSentence(facts: AlarmFacts, t: Translate, format: Pick<Format, 'quantity'>): string {
  const sentence = sentenceOf(facts);
  if (sentence === null) return '';
  const shown = (number: number | null | undefined): string => format.quantity(number ?? null, facts.unit ?? '');
  const rule = ruleOf(facts);
  const named = { value: shown(facts.value), limit: shown(facts.limit), name: facts.name ?? '' };
  return t(`alarms.say.${sentence}`, { ...named, rule: rule === null ? '' : t(`alarms.rule.${rule}`) });
}
