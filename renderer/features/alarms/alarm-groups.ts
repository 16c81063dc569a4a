import { severities, type Severity } from '../../../server/contract/facility-live.ts';
import type { Alarm } from '../../../server/contract/alarm.ts';
import { countsOf, type SeverityCount } from '../../ui/alarm-text.ts';

/** Which alarms to show. */
export interface AlarmFilter {
  /** Part of an alarm's text; empty for all. */
  text: string;
  /** null for all. */
  severity: Severity | null;
}

/** The alarms of a house, a device or the site. */
export interface AlarmPlace {
  key: string;
  alarms: Alarm[];
  /** Alarms that the control service silenced as consequences of another alarm here. */
  consequences: Alarm[];
  counts: SeverityCount[];
}

const isConsequence = ({ state }: Alarm): boolean => state === 'suppressed';
/** Silenced by a user, not as a consequence. */
export const isPutAway = ({ state }: Alarm): boolean => state === 'shelved' || state === 'out_of_service';

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

/**
 * Alarms by place. Places in `known` keep that order, so that nothing moves while a user looks; then the worst first,
 * then the one with most alarms. Leaves out alarms that a user put away.
 */
export function placesOf(alarms: readonly Alarm[], known: readonly string[] = []): AlarmPlace[] {
  const groups = Map.groupBy(
    alarms.filter((alarm) => !isPutAway(alarm)),
    ({ source_kind, source_id }) => `${source_kind} ${source_id}`,
  );
  const place = ({ key }: AlarmPlace): number => (known.includes(key) ? known.indexOf(key) : known.length);
  const rank = ([worst]: SeverityCount[]): number => (worst === undefined ? -1 : severities.indexOf(worst.severity));
  return [...groups]
    .map(([key, all]) => {
      const causes = all.filter((alarm) => !isConsequence(alarm));
      return { key, alarms: causes, consequences: all.filter(isConsequence), counts: countsOf(causes) };
    })
    .toSorted(
      (one, other) =>
        place(one) - place(other) || rank(other.counts) - rank(one.counts) || other.alarms.length - one.alarms.length,
    );
}
