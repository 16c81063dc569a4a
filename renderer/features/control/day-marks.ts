import type { Trigger } from '../../../server/contract/trigger.ts';
import { minuteOf } from '../../../server/contract/clock-time.ts';

/** When a trigger is due in a day, minutes of site time; `from_min` equals `to_min` for a moment. */
export interface DayMark {
  from_min: number;
  to_min: number;
}

/** The day drawn: Monday 1 to Sunday 7, and when a trigger by the sun is due, if known. */
export interface Day {
  weekday: number;
  sun_min: number | null;
}

const midnight_min = 1_440;

/** Kinds that follow the clock or the sun and so have a position in the day. */
const byTheDay: readonly Trigger['kind'][] = ['time_point', 'time_span', 'sunrise_sunset'];

export const hasDay = ({ kind }: Pick<Trigger, 'kind'>): boolean => byTheDay.includes(kind);

/** When a trigger is due in a day; a span over midnight belongs to the day on which it begins. */
export function dayMarks(trigger: Trigger, { weekday, sun_min }: Day): DayMark[] {
  const moment = (at_min: number): DayMark => ({ from_min: at_min, to_min: at_min });
  if (trigger.kind === 'sunrise_sunset') return sun_min === null ? [] : [moment(sun_min)];
  if (trigger.kind !== 'time_point' && trigger.kind !== 'time_span') return [];
  const isOn = (day: number): boolean => trigger.weekdays?.includes(day) ?? true;
  if (trigger.kind === 'time_point') return isOn(weekday) ? [moment(minuteOf(trigger.at))] : [];
  const [from_min, to_min] = [minuteOf(trigger.from), minuteOf(trigger.to)];
  if (from_min < to_min) return isOn(weekday) ? [{ from_min, to_min }] : [];
  return [
    ...(isOn(weekday === 1 ? 7 : weekday - 1) ? [{ from_min: 0, to_min }] : []),
    ...(isOn(weekday) ? [{ from_min, to_min: midnight_min }] : []),
  ];
}

/** The position of a minute of the day in the picture, % of its width. */
export const shareOf = (at_min: number): number => (100 * at_min) / midnight_min;
