import {
  climateProgram,
  type ClimatePeriod,
  type ClimateSetpoints,
} from '../../../server/contract/climate-settings.ts';
import { clockOf, minuteOf } from '../../../server/contract/clock-time.ts';
import { setpointFields, type SetpointField } from './loop-fields.ts';

export const ramps = ['none', 'k_per_h', 'minutes'] as const;
export const permissions = [
  'screen_allowed',
  'lamps_allowed',
  'irrigation_allowed',
] as const satisfies readonly (keyof ClimateSetpoints)[];
type Permission = (typeof permissions)[number];

/** A period as form values; null for empty fields. */
export interface PeriodRow extends Record<SetpointField, number | null>, Record<Permission, boolean> {
  name: string;
  event: ClimatePeriod['start']['event'];
  at: string;
  offset_min: number | null;
  ramp: (typeof ramps)[number];
  ramp_amount: number | null;
}

const setpointNames = Object.keys(setpointFields) as SetpointField[]; // of a const object

export function rowOf({ name, start, ramp, setpoints }: ClimatePeriod): PeriodRow {
  const numbers = setpointNames.map((field) => [field, setpoints[field] ?? null]);
  const allowed = permissions.map((field) => [field, setpoints[field] ?? true]);
  const [kind, amount] = Object.entries(ramp ?? {})[0] ?? ['none', null];
  return {
    name,
    event: start.event,
    at: start.at ?? '06:00',
    offset_min: start.offset_min ?? 0,
    ramp: kind as PeriodRow['ramp'], // of one of two keys
    ramp_amount: amount,
    ...(Object.fromEntries(numbers) as Record<SetpointField, number | null>), // of every field
    ...(Object.fromEntries(allowed) as Record<Permission, boolean>), // of every field
  };
}

/** A period in contract form, except for missing fields: null stays where a number is required. */
export function periodOf(row: PeriodRow): object {
  const { name, event, at, offset_min, heating_c, ventilation_c, ramp, ramp_amount } = row;
  const numbers = setpointNames.filter((field) => row[field] !== null).map((field) => [field, row[field]] as const);
  const refused = permissions.filter((field) => !row[field]).map((field) => [field, false] as const);
  return {
    name,
    start: event === 'clock' ? { event, at } : { event, offset_min: offset_min ?? 0 },
    ...(ramp !== 'none' && { ramp: { [ramp]: ramp_amount } }),
    setpoints: { heating_c, ventilation_c, ...Object.fromEntries<number | boolean | null>([...numbers, ...refused]) },
  };
}

/** Null while one of them is not complete. */
export function periodsOf(rows: readonly PeriodRow[]): ClimatePeriod[] | null {
  return climateProgram.shape.periods.safeParse(rows.map(periodOf)).data ?? null;
}

/** About when each event is, minutes after midnight: by it periods are put in an order. */
const usualMinutes = { sunrise: 360, noon: 720, sunset: 1080 } as const;

function beginMinute({ event, at, offset_min }: PeriodRow): number {
  return event === 'clock' ? minuteOf(at) : usualMinutes[event] + (offset_min ?? 0);
}

export function inDayOrder(rows: readonly PeriodRow[]): PeriodRow[] {
  return rows.toSorted((a, b) => beginMinute(a) - beginMinute(b));
}

/** With one more period at its place in the day: around noon, or else in the middle of the longest that there is. */
export function withNewRow(rows: readonly PeriodRow[], name: string): PeriodRow[] {
  const begins = rows.map(beginMinute).toSorted((a, b) => a - b);
  const isFree = begins.every((minute) => Math.abs(minute - usualMinutes.noon) > 60);
  const start: ClimatePeriod['start'] = isFree
    ? { event: 'noon', offset_min: 0 }
    : { event: 'clock', at: gapOf(begins) };
  const before = inDayOrder(rows).findLast((row) => beginMinute(row) < minuteOfStart(start)) ?? rows.at(-1);
  const setpoints = { heating_c: before?.heating_c ?? 18, ventilation_c: before?.ventilation_c ?? 22 };
  return inDayOrder([...rows, rowOf({ name, start, ramp: { k_per_h: 1 }, setpoints })]);
}

const day_min = 1440;

function minuteOfStart({ event, at = '' }: ClimatePeriod['start']): number {
  return event === 'clock' ? minuteOf(at) : usualMinutes[event];
}

/** The clock in the middle of the longest time between two beginnings. */
function gapOf(begins: readonly number[]): string {
  const gaps = begins.map((from, index) => {
    const to = begins[index + 1] ?? (begins[0] ?? 0) + day_min;
    return { middle: Math.round((from + to) / 2) % day_min, length: to - from };
  });
  const { middle = 720 } = gaps.toSorted((a, b) => b.length - a.length)[0] ?? {};
  return clockOf(middle);
}

/** Day and night, by which a house begins. */
export function firstRows(day: string, night: string): PeriodRow[] {
  const periods: ClimatePeriod[] = [
    {
      name: day,
      start: { event: 'sunrise', offset_min: 0 },
      ramp: { k_per_h: 1.5 },
      setpoints: { heating_c: 18, ventilation_c: 22 },
    },
    {
      name: night,
      start: { event: 'sunset', offset_min: 0 },
      ramp: { k_per_h: 1 },
      setpoints: { heating_c: 16, ventilation_c: 20 },
    },
  ];
  return periods.map(rowOf);
}
