import { timeUnitName, withTimeUnit } from '../../server/contract/time-unit.ts';
import { numeral } from '../units/numeral.ts';

/** Units of time with their seconds, longest first. */
export const durationUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
type DurationUnit = (typeof durationUnits)[number];

/** The largest unit in which a duration in s is a whole number; otherwise seconds. */
export function durationUnit(seconds: number): DurationUnit {
  return durationUnits.find(([, one]) => seconds >= one && seconds % one === 0) ?? durationUnits[3];
}

/** The unit as written after a number: "h", "days". */
export function durationUnitName(unit: DurationUnit[0], locale: string): string {
  return timeUnitName(unit, locale);
}

/** "2 days", "90 min": a duration in s in the largest unit in which it is a whole number. */
export function durationText(seconds: number, locale: string): string {
  const [unit, size] = durationUnit(seconds);
  const value = seconds / size;
  return withTimeUnit(numeral(value, locale, { maximumFractionDigits: 1 }), unit, locale, value);
}

/** "9:05" or "1:02:05" for a duration in s; 0 and less is "0:00". */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Rounds up, s: to whole seconds up to two minutes, whole minutes up to two hours, then whole hours. */
export function roundedUp(seconds: number): number {
  const [, step] = durationUnits.find(([, one]) => seconds > 2 * one && one < 86_400) ?? durationUnits[3];
  return Math.ceil(seconds / step) * step;
}
