import { Temporal } from 'temporal-polyfill';
import {
  setpointNames,
  type ClimatePeriod,
  type ClimateProgram,
  type SetpointName,
} from '../../contract/climate-settings.ts';
import type { SunPoint } from '../../contract/method.ts';
import { dailyCurve, momentOf, step, type Curve } from '../control/methods/knots.ts';
import { crossingDay, startsOf, sunCurve } from '../control/methods/sun.ts';
import { sunDay, type Place } from '../solar/sun-day.ts';

/** The periods of a program over time at one place. */
export interface DayPlan {
  /** The period at a moment, epoch ms. */
  periodAt(timeMs: number): ClimatePeriod;
  /** The setpoints of the periods alone, with ramps; null where a period has none. */
  curves: Readonly<Record<SetpointName, Curve>>;
  /** The site date of a moment, YYYY-MM-DD. */
  dateOf(timeMs: number): string;
  isDay(timeMs: number): boolean;
  /** Sunrise and sunset of a moment's day, epoch ms; null when there is none. */
  sunOf(timeMs: number): { sunrise_ms: number | null; sunset_ms: number | null };
  /** The last of the clock times before a moment, epoch ms; null when there are none. */
  clockBefore(timeMs: number): number | null;
}

/** Of a program, what a day goes by. */
export type PlannedProgram = Pick<ClimateProgram, 'periods' | 'irrigation' | 'heating'>;

/** Setpoints where a period does not name them; null is none. */
function absentOf({ pipe_min_c }: ClimateProgram['heating']): Readonly<Record<SetpointName, number | null>> {
  return {
    heating_c: null,
    ventilation_c: null,
    humidity_pct: null,
    co2_ppm: null,
    vent_min_pct: 0,
    vent_max_pct: 100,
    pipe_min_c,
  };
}

/** The curves follow a running clock: calls that go back by days make it slow. */
export function dayPlan({ periods, irrigation: { times }, heating }: PlannedProgram, place: Place): DayPlan {
  const starts = periods.map((period) => pointOf(period, 0));
  const turns = dailyCurve(
    place.time_zone,
    (date) => startsOf(starts, date, place).map((atMs, value) => ({ at_ms: atMs, value })),
    step,
  );
  const periodAt = (timeMs: number): ClimatePeriod => periodOf(periods, turns(timeMs));
  const dates = dailyCurve(
    place.time_zone,
    (date) => [{ at_ms: startOfDay(date, place), value: dayNumber(date) }],
    step,
  );
  const sun = dailyCurve(place.time_zone, (date) => sunKnots(date, place), step);
  const ofDay = (pick: (date: Temporal.PlainDate) => number): Curve =>
    dailyCurve(place.time_zone, (date) => [{ at_ms: startOfDay(date, place), value: pick(date) }], step);
  const sunrise = ofDay((date) => sunDay(date, place).sunrise_ms);
  const sunset = ofDay((date) => sunDay(date, place).sunset_ms);
  const clock = dailyCurve(
    place.time_zone,
    (date) => times.map((at) => momentOf(date, at, place.time_zone)).map((atMs) => ({ at_ms: atMs, value: atMs })),
    step,
  );
  const absent = absentOf(heating);
  const curveOf = (name: SetpointName): Curve => {
    const temperature = name === 'heating_c' || name === 'ventilation_c';
    if (!periods.every(({ setpoints }) => setpoints[name] !== undefined))
      return (timeMs) => periodAt(timeMs).setpoints[name] ?? absent[name];
    return sunCurve({ points: periods.map((one) => pointOf(one, one.setpoints[name] ?? 0, temperature)) }, place);
  };
  return {
    periodAt,
    curves: Object.fromEntries(setpointNames.map((name) => [name, curveOf(name)])) as DayPlan['curves'], // of every name
    dateOf: (timeMs) => epochDay.add({ days: dates(timeMs) ?? 0 }).toString(),
    isDay: (timeMs) => sun(timeMs) === 1,
    sunOf: (timeMs) => ({ sunrise_ms: sunrise(timeMs), sunset_ms: sunset(timeMs) }),
    clockBefore: (timeMs) => (times.length === 0 ? null : clock(timeMs)),
  };
}

/**
 * The first day of a year, YYYY-MM-DD, on which a period would not begin after its predecessor; undefined when there is
 * none.
 */
export function crossingOf(periods: readonly ClimatePeriod[], year: number, place: Place): string | undefined {
  return crossingDay(
    periods.map((period) => pointOf(period, 0)),
    year,
    place,
  );
}

function pointOf({ start, ramp }: ClimatePeriod, value: number, isTemperature = false): SunPoint {
  const point = { ...start, value };
  if (ramp === undefined) return point;
  if ('minutes' in ramp) return { ...point, ramp };
  return isTemperature ? { ...point, ramp: { per_h: ramp.k_per_h } } : point;
}

function periodOf(periods: readonly ClimatePeriod[], index: number | null): ClimatePeriod {
  const period = periods[index ?? 0] ?? periods[0];
  if (period === undefined) throw new RangeError('a climate program without a period');
  return period;
}

const epochDay = Temporal.PlainDate.from('1970-01-01');

function dayNumber(date: Temporal.PlainDate): number {
  return epochDay.until(date).days;
}

function startOfDay(date: Temporal.PlainDate, { time_zone }: Place): number {
  return date.toZonedDateTime({ timeZone: time_zone }).epochMilliseconds;
}

function sunKnots(date: Temporal.PlainDate, place: Place) {
  const { sunrise_ms, sunset_ms } = sunDay(date, place);
  return [
    { at_ms: sunrise_ms, value: 1 },
    { at_ms: sunset_ms, value: 0 },
  ];
}
