import { withUnit } from '../../server/contract/unit-text.ts';
import { numeral } from '../units/numeral.ts';

/** Units of time with their seconds, longest first. */
export const durationUnits = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;
type DurationUnit = (typeof durationUnits)[number];

/** The largest unit in which a duration in s is a whole number; otherwise seconds. */
export function durationUnit(seconds: number): DurationUnit {
  return durationUnits.find(([, one]) => seconds >= one && seconds % one === 0) ?? durationUnits[3];
}

/** "2 days", "90 min": a duration in s in the largest unit in which it is a whole number. */
export function durationText(seconds: number, locale: string): string {
  const [unit, size] = durationUnit(seconds);
  const value = seconds / size;
  return withUnit(numeral(value, locale, { maximumFractionDigits: 1 }), { value, unit }, locale);
}

/** "9 min 5 s" or "1 h 2 min": a duration in s that passes, in its two longest units; 0 and less is "0 s". */
export function passingText(seconds: number, locale: string): string {
  const whole_s = Math.max(0, Math.round(seconds));
  const longest = durationUnits.findIndex(([, one]) => whole_s >= one);
  const shown = longest < 0 ? durationUnits.slice(-1) : durationUnits.slice(longest, longest + 2);
  let rest_s = whole_s;
  const parts = shown.map(([unit, one]) => {
    const count = Math.floor(rest_s / one);
    rest_s -= count * one;
    return withUnit(numeral(count, locale, {}), { value: count, unit }, locale);
  });
  return parts.join(' ');
}

/** Rounds up, s: to whole seconds up to two minutes, whole minutes up to two hours, then whole hours. */
export function roundedUp(seconds: number): number {
  const [, step] = durationUnits.find(([, one]) => seconds > 2 * one && one < 86_400) ?? durationUnits[3];
  return Math.ceil(seconds / step) * step;
}
