import { severities, type Severity } from '../../../server/contract/facility-live.ts';
import type { Alarm } from '../../../server/contract/alarm.ts';
import { countsOf, type SeverityCount } from '../../ui/alarm-text.ts';

/** What of many alarms is to be seen. */
export interface AlarmFilter {
  /** Part of what is said of an alarm; empty for all. */
  text: string;
  /** null for all. */
  severity: Severity | null;
}

/** The alarms of a house, a device or the site. */
export interface AlarmPlace {
  key: string;
  alarms: Alarm[];
  /** What the control service silenced as following from another alarm here. */
  consequences: Alarm[];
  counts: SeverityCount[];
}

const isConsequence = ({ state }: Alarm): boolean => state === 'suppressed';
/** Silenced by somebody, not as a consequence. */
export const isPutAway = ({ state }: Alarm): boolean => state === 'shelved' || state === 'out_of_service';

/** Those that the filter names, in their order. `words` is what is said of an alarm on the screen. */
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
 * Alarms by where they are: those of `known` in that order, for nothing moves while one looks; then the place with the worst first,
 * then the one with the most; what somebody put away is left out.
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
