import { useText } from '../../i18n/index.ts';
import { dayStartIn } from '../../i18n/site-time.ts';
import { useSettings } from '../../stores/settings.ts';
import { durationText } from '../../ui/duration.ts';
import { useFormat } from '../../ui/format.ts';
import type { Group } from '../devices/form/option-schema.ts';

const dayMs = 86_400_000;

/** How the times of a curve are parsed, written and displayed; its ms are epoch ms, or ms since the start. */
export interface Timeline {
  /** The earliest time of a point. */
  least_ms: number;
  /** The time of a point in a form; null while it has none. */
  timeOf(point: Group): number | null;
  /** The fields of a point at that time. */
  fieldsAt(atMs: number): Group;
  /** The nearest whole number of steps, of a day at most, from the start of its day. */
  snapped(atMs: number, stepMs: number): number;
  /** The full text. */
  text(atMs: number): string;
  /** The label of an axis mark; marks are `stepMs` apart. */
  mark(atMs: number, stepMs: number): string;
}

/** The timelines of curves that span more than a day. */
export function useTimelines(): { date: Timeline; duration: Timeline } {
  const { locale } = useText();
  const format = useFormat();
  const settings = useSettings();
  const zone = (): string => settings.site?.time_zone ?? 'UTC';
  const since = (atMs: number): string => durationText(Math.round(atMs / 1_000), locale.value);
  const dated = (atMs: number, stepMs: number): string => {
    const isHour = stepMs < dayMs && atMs !== dayStartIn(zone(), atMs);
    return format.parts(atMs, isHour ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' });
  };

  return {
    date: {
      least_ms: -Infinity,
      timeOf: ({ at }) => finite(typeof at === 'number' ? at : Date.parse(String(at))),
      fieldsAt: (atMs) => ({ at: new Date(atMs).toISOString() }),
      snapped: (atMs, stepMs) => {
        // A day does not always have 24 hours: go from a day's noon back to its start.
        if (stepMs >= dayMs) return dayStartIn(zone(), atMs + dayMs / 2);
        const start = dayStartIn(zone(), atMs);
        return start + Math.round((atMs - start) / stepMs) * stepMs;
      },
      text: (atMs) => format.dateTime(atMs),
      mark: dated,
    },
    duration: {
      least_ms: 0,
      timeOf: ({ after_s }) => (typeof after_s === 'number' ? after_s * 1_000 : null),
      fieldsAt: (atMs) => ({ after_s: Math.round(atMs / 1_000) }),
      snapped: (atMs, stepMs) => Math.round(atMs / stepMs) * stepMs,
      text: since,
      mark: since,
    },
  };
}

function finite(atMs: number): number | null {
  return Number.isFinite(atMs) ? atMs : null;
}
