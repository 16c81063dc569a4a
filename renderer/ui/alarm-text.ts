import type { AlarmCondition } from '../../server/contract/alarm.ts';
import { partOf, ruleOf, sentenceOf, type AlarmFacts } from '../../server/contract/alarm-text.ts';
import { severities, type Severity } from '../../server/contract/facility-live.ts';
import { actorText } from './actor.ts';
import { deviceWordsText } from './device-words.ts';
import type { Format } from './format.ts';
import type { Translate } from '../i18n/index.ts';

/** The details of an alarm besides its sentence, with site time and in the language of the page; empty without any. */
export function alarmDetail(
  { code, message }: { code: string; message: string | null },
  t: Translate,
  format: Pick<Format, 'dateTime'>,
): string {
  if (message === null) return '';
  if (code !== 'clock_set') return deviceWordsText(message, t);
  const [from = '', to = ''] = message.split(' -> ');
  const isRead = [from, to].every((time) => Number.isFinite(Date.parse(time)));
  return isRead ? `${format.dateTime(from)} → ${format.dateTime(to)}` : message;
}

/** The sentence of an alarm in the language of the page and the site's units; empty when the title is enough. */
export function alarmSentence(facts: AlarmFacts, t: Translate, format: Pick<Format, 'quantity'>): string {
  const sentence = sentenceOf(facts);
  if (sentence === null) return '';
  const shown = (number: number | null | undefined): string => format.quantity(number ?? null, facts.unit ?? '');
  const rule = ruleOf(facts);
  const named = { value: shown(facts.value), limit: shown(facts.limit), name: facts.name ?? '' };
  return t(`alarms.say.${sentence}`, { ...named, rule: rule === null ? '' : t(`alarms.rule.${rule}`) });
}

/** The part of a house or device that an alarm is about, or who caused it; null without one. */
export function alarmPart(facts: AlarmFacts, t: Translate): string | null {
  const part = partOf(facts);
  return part === null ? null : actorText(part, t);
}

/** Where an alarm is: the house or device, and which part. */
export function alarmPlace(alarm: AlarmCondition, t: Translate): string {
  const { source_kind, source_name, source_id, role, channel } = alarm;
  const part = alarmPart(alarm, t);
  const source =
    source_kind === 'daemon' || source_kind === 'site' ? t(`alarms.${source_kind}`) : (source_name ?? source_id);
  const parts = [source];
  if (role !== null) parts.push(t(`role.${role}`));
  if (part !== null) parts.push(part);
  if (channel !== null && channel > 0) parts.push(t('alarms.channel', { n: channel }));
  return parts.join(' · ');
}

/** What and where: of many houses each may have the same alarm. */
export function alarmName(alarm: AlarmCondition, t: Translate): string {
  return `${t(`alarms.code.${alarm.code}`)} · ${alarmPlace(alarm, t)}`;
}

export interface SeverityCount {
  severity: Severity;
  n: number;
}

/** The number of alarms by severity, worst first; without zeros. */
export function countsOf(alarms: readonly Pick<AlarmCondition, 'severity'>[]): SeverityCount[] {
  return severities
    .map((severity) => ({ severity, n: alarms.filter((one) => one.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .toReversed();
}

/** The first alarm of each kind and severity, worst severity first, with the number of others of its kind. */
export function kindsOf<One extends Pick<AlarmCondition, 'severity' | 'code'>>(
  alarms: readonly One[],
): { first: One; others: number }[] {
  const kinds = Map.groupBy(alarms, ({ severity, code }) => `${severity} ${code}`);
  const rank = ({ first }: { first: One }): number => severities.indexOf(first.severity);
  return [...kinds.values()]
    .flatMap(([first, ...others]) => (first === undefined ? [] : [{ first, others: others.length }]))
    .toSorted((one, other) => rank(other) - rank(one));
}
