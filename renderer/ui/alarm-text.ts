import type { AlarmCondition } from '../../server/contract/alarm.ts';
import { alarmPlace, partOf, type AlarmFacts } from '../../server/contract/alarm-text.ts';
import { severities, type Severity } from '../../server/contract/facility-live.ts';
import { actorText } from './actor.ts';
import type { Translate } from '../i18n/index.ts';

/** The part of a house or device that an alarm is about, or who caused it; null without one. */
export function alarmPart(facts: AlarmFacts, t: Translate): string | null {
  const part = partOf(facts);
  return part === null ? null : actorText(part, t);
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
