import type { Alarm } from '../../server/contract/alarm.ts';

/** Alarms by their `alarm_id`. */
export function byAlarmId(alarms: readonly Alarm[]): ReadonlyMap<string, Alarm> {
  return new Map(alarms.map((alarm) => [alarm.alarm_id, alarm]));
}

/**
 * The alarm that began what this one is part of: itself, or for a consequence the first of its causes; undefined when
 * that is not among these.
 */
export function rootOf(alarm: Alarm, among: ReadonlyMap<string, Alarm>): Alarm | undefined {
  if (alarm.state !== 'suppressed') return alarm;
  const cause = alarm.caused_by === null ? undefined : among.get(alarm.caused_by);
  return cause && rootOf(cause, among);
}
