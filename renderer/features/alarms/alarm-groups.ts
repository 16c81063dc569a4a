import { severities, type Severity } from '../../../server/contract/facility-live.ts';
import { isConsequence, isPutAway, type Alarm } from '../../../server/contract/alarm.ts';
import type { DeviceHouse } from '../../ui/alarm-house.ts';
import { byAlarmId, rootOf } from '../../ui/alarm-root.ts';
import { countsOf, type SeverityCount } from '../../ui/alarm-text.ts';

/** Which alarms to show. */
export interface AlarmFilter {
  /** Part of an alarm's text; empty for all. */
  text: string;
  /** null for all. */
  severity: Severity | null;
}

export const alarmOrders = ['urgency', 'place', 'cause'] as const;
export type AlarmOrder = (typeof alarmOrders)[number];

/** Alarms that have something in common. */
export interface AlarmGroup<Key extends string = string> {
  key: Key;
  alarms: Alarm[];
  /** Alarms that the control service silenced as consequences of others. */
  consequences: Alarm[];
  counts: SeverityCount[];
}

/** The alarms of a house, a device or the site. */
export interface AlarmPlace extends AlarmGroup {
  /** The house of these devices; null without any. */
  house: string | null;
}

/**
 * What follows from each alarm that is shown, also by way of others, by its `alarm_id`; null has the consequences whose
 * cause is not shown.
 */
export function consequencesOf(
  alarms: readonly Alarm[],
  shown: readonly Alarm[] = alarms,
): ReadonlyMap<string | null, readonly Alarm[]> {
  const byId = byAlarmId(shown);
  return Map.groupBy(alarms.filter(isConsequence), (alarm) => rootOf(alarm, byId)?.alarm_id ?? null);
}

/** The alarms that match the filter, in its order. `words` returns the text shown for an alarm. */
export function filtered(
  alarms: readonly Alarm[],
  { text, severity }: AlarmFilter,
  words: (alarm: Alarm) => string,
): Alarm[] {
  const sought = text.trim().toLocaleLowerCase();
  return alarms.filter(
    (alarm) =>
      (severity === null || alarm.severity === severity) &&
      (sought === '' || words(alarm).toLocaleLowerCase().includes(sought)),
  );
}

/** Alarms by place, those of a device with the house in `houseOf` that uses it, ordered as `groupsOf` does. */
export function placesOf(
  alarms: readonly Alarm[],
  houseOf: ReadonlyMap<string, DeviceHouse> = new Map(),
): AlarmPlace[] {
  const placeOf = ({ source_kind, source_id }: Alarm): string => {
    const house = houseOf.get(source_id);
    return house === undefined ? `${source_kind} ${source_id}` : `facility ${house.unique_id}`;
  };
  return groupsOf(alarms, placeOf).map((group) => {
    const [first] = [...group.alarms, ...group.consequences].flatMap(({ source_id }) => houseOf.get(source_id) ?? []);
    return { ...group, house: first?.name ?? null };
  });
}

/** Alarms by a key: the worst first, then the group with most alarms. Leaves out alarms that a user put away. */
export function groupsOf<Key extends string>(
  alarms: readonly Alarm[],
  keyOf: (alarm: Alarm) => Key,
): AlarmGroup<Key>[] {
  const groups = Map.groupBy(
    alarms.filter((alarm) => !isPutAway(alarm)),
    keyOf,
  );
  const rank = ([worst]: SeverityCount[]): number => (worst === undefined ? -1 : severities.indexOf(worst.severity));
  return [...groups]
    .map(([key, all]) => {
      const causes = all.filter((alarm) => !isConsequence(alarm));
      return { key, alarms: causes, consequences: all.filter(isConsequence), counts: countsOf(causes) };
    })
    .toSorted((one, other) => rank(other.counts) - rank(one.counts) || other.alarms.length - one.alarms.length);
}
