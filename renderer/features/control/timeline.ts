import { useText } from '../../i18n/index.ts';
import { dayStartIn } from '../../i18n/site-time.ts';
import { useSettings } from '../../stores/settings.ts';
import { durationText } from '../../ui/duration.ts';
import { useFormat } from '../../ui/format.ts';
import type { Group } from '../devices/form/option-schema.ts';

const day_ms = 86_400_000;

/** How the times of a kind of curve are read, written and named; its ms are epoch ms, or those since the start. */
export interface Timeline {
  /** No point comes before it. */
  least_ms: number;
  /** Of a point in a form; null while it has none. */
  timeOf(point: Group): number | null;
  /** The fields of a point at that time. */
  fieldsAt(at_ms: number): Group;
  /** The nearest time that is a whole number of steps, of a day at most, from the beginning of its day. */
  snapped(at_ms: number, step_ms: number): number;
  /** In full. */
  text(at_ms: number): string;
  /** Beside a mark of the axis; marks are so far from each other. */
  mark(at_ms: number, step_ms: number): string;
}

/** The timelines of the curves that are drawn over more than a day. */
export function useTimelines(): { date: Timeline; duration: Timeline } {
  const { locale } = useText();
  const format = useFormat();
  const settings = useSettings();
  const zone = (): string => settings.site?.time_zone ?? 'UTC';
  const since = (at_ms: number): string => durationText(Math.round(at_ms / 1_000), locale.value);
  const dated = (at_ms: number, step_ms: number): string => {
    const isHour = step_ms < day_ms && at_ms !== dayStartIn(zone(), at_ms);
    const styles = isHour
      ? ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
      : ({ day: 'numeric', month: 'short' } as const);
    return new Intl.DateTimeFormat(locale.value, { ...styles, timeZone: zone() }).format(at_ms);
  };

  return {
    date: {
      least_ms: -Infinity,
      timeOf: ({ at }) => finite(typeof at === 'number' ? at : Date.parse(String(at))),
      fieldsAt: (at_ms) => ({ at: new Date(at_ms).toISOString() }),
      snapped: (at_ms, step_ms) => {
        // A day is not always 24 hours: from noon of a day back to its beginning.
        if (step_ms >= day_ms) return dayStartIn(zone(), at_ms + day_ms / 2);
        const start = dayStartIn(zone(), at_ms);
        return start + Math.round((at_ms - start) / step_ms) * step_ms;
      },
      text: (at_ms) => format.dateTime(at_ms),
      mark: dated,
    },
    duration: {
      least_ms: 0,
      timeOf: ({ after_s }) => (typeof after_s === 'number' ? after_s * 1_000 : null),
      fieldsAt: (at_ms) => ({ after_s: Math.round(at_ms / 1_000) }),
      snapped: (at_ms, step_ms) => Math.round(at_ms / step_ms) * step_ms,
      text: since,
      mark: since,
    },
  };
}

function finite(at_ms: number): number | null {
  return Number.isFinite(at_ms) ? at_ms : null;
}
