import { useSettings } from '../stores/settings.ts';
import { isTimeUnit, unitText, withUnit } from '../../server/contract/unit-text.ts';
import { numeral } from '../units/numeral.ts';
import { digitsOf, showQuantity, shownUnit } from '../units/quantity.ts';
import { useText } from '../i18n/index.ts';
import { durationText, passingText } from './duration.ts';
import { usePrinting } from './use-printing.ts';
import { momentIn, writtenIn } from '../i18n/site-time.ts';

const secondsOf = { minute: 60, hour: 3_600, day: 86_400 };

export interface Format {
  /** A number in the format of the language. */
  number(value: number, digits?: number): string;
  /** A number of any size, such as the gain of a controller, with three significant digits. */
  significant(value: number): string;
  /** A value of a wire unit, converted to the site's units, with its unit; `null` is "No value". */
  quantity(value: number | null, wireUnit: string, digits?: number): string;
  /** The number that `quantity` writes, so that what is said of it agrees with what is read. */
  shownNumber(value: number, wireUnit: string, digits?: number): number;
  /** Decimals of a sensor that moves by this step; undefined, so those of the unit, when that is unknown. */
  digits(resolution: number | undefined, wireUnit: string): number | undefined;
  /** A setting with its unit, converted, with no more decimals than it has: two at most, four below 0.01. */
  amount(value: number, wireUnit: string): string;
  /** The number of `amount` without its unit. */
  figure(value: number, wireUnit: string): string;
  /** "18.0 to 25.0 °C": two readings, as `quantity` writes them, with one unit. */
  range(least: number, most: number, wireUnit: string, digits?: number): string;
  /** "0 to 3,600 s": two settings, as `amount` writes them, with one unit. */
  limits(least: number, most: number, wireUnit: string): string;
  /** Label of a wire unit after conversion, e.g. `ft²` for `m2` with lengths in feet; "초" for `s`. */
  unit(wireUnit: string): string;
  /** A written number with that unit, or with one that is converted already; `value` inflects it. */
  withUnit(written: string, unit: string, value: number): string;
  /** Date and time of an ISO text or epoch ms, in site time. */
  dateTime(at: string | number): string;
  /** The same with seconds, for journals. */
  stamp(at: string | number): string;
  time(at: string | number): string;
  /** Some parts of a moment, such as its weekday and hour, in site time. */
  parts(at: string | number, parts: Intl.DateTimeFormatOptions): string;
  /** The time alone on the day of `nowMs` at the site, else with its date. */
  nearTime(at: string | number, nowMs: number): string;
  /** "Monday, 23 November 2026", in site time. */
  date(at: string | number): string;
  /** "30 min": a duration in s in the largest unit in which it is a whole number. */
  duration(seconds: number): string;
  /** "9 min 5 s": a duration in s that passes, or was measured, in its two longest units. */
  passing(seconds: number): string;
  /** Converts the value of a date and time field, in the displayed zone, to ISO 8601; null while incomplete. */
  moment(written: string): string | null;
  /** Converts a moment to the value of a date and time field, in that zone. */
  written(at: string | number): string;
  /** "12 s ago". */
  age(seconds: number): string;
  /** The age at `nowMs`; on paper, which is read later, the time. */
  ago(at: string | number, nowMs: number): string;
}

/** Formats numbers, quantities and times for the language of the page and the site's units. */
export function useFormat(): Format {
  const { t, locale } = useText();
  const settings = useSettings();
  const { isPrinting } = usePrinting();
  const number = (value: number, digits?: number): string =>
    numeral(value, locale.value, digits === undefined ? { maximumFractionDigits: 2 } : exactly(digits));
  const figure = (value: number, wireUnit: string): string => {
    const shown = showQuantity(value, wireUnit, settings.units).value;
    return numeral(shown, locale.value, { maximumFractionDigits: Math.abs(shown) < 0.01 ? 4 : 2 });
  };
  /** Before login the site is unknown: use the browser's zone. */
  const zone = (): Intl.DateTimeFormatOptions => (settings.site === null ? {} : { timeZone: settings.site.time_zone });
  const timeText = (at: string | number, styles: Intl.DateTimeFormatOptions): string => {
    const options = { ...styles, ...zone(), hourCycle: 'h23' as const }; // growers use the 24-hour clock
    const parts = formatterOf(regional(locale.value), options).formatToParts(new Date(at));
    // Korean and Japanese drop the zero of an early hour: times of a column must be as wide.
    return parts.map(({ type, value }) => (type === 'hour' ? value.padStart(2, '0') : value)).join('');
  };
  const zoneName = (): string => settings.site?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const time = (at: string | number): string => timeText(at, { timeStyle: 'medium' });
  const dateTime = (at: string | number): string => timeText(at, { dateStyle: 'medium', timeStyle: 'short' });
  const day = (at: string | number): string => timeText(at, { dateStyle: 'short' });
  const nearTime = (at: string | number, nowMs: number): string => (day(at) === day(nowMs) ? time(at) : dateTime(at));
  const age = (seconds: number): string => {
    if (seconds < 2) return t('ui.age.now');
    if (seconds < secondsOf.minute) return t('ui.age.seconds', { n: Math.floor(seconds) });
    if (seconds < secondsOf.hour) return t('ui.age.minutes', { n: Math.floor(seconds / secondsOf.minute) });
    if (seconds < secondsOf.day) return t('ui.age.hours', { n: Math.floor(seconds / secondsOf.hour) });
    return t('ui.age.days', { n: Math.floor(seconds / secondsOf.day) });
  };
  const ofUnit = (written: string, wireUnit: string, value: number): string =>
    withUnit(written, { value, unit: shownUnit(wireUnit, settings.units) }, locale.value);
  /** The number of a reading, without its unit. */
  const reading = (value: number, wireUnit: string, digits?: number): string => {
    if (isTimeUnit(wireUnit)) return numeral(value, locale.value, { maximumFractionDigits: 1 });
    const shown = showQuantity(value, wireUnit, settings.units);
    return number(shown.value, digits ?? shown.digits);
  };
  return {
    number,
    significant: (value) => numeral(value, locale.value, { maximumSignificantDigits: 3 }),
    unit: (wireUnit) => unitText(shownUnit(wireUnit, settings.units), locale.value),
    withUnit: ofUnit,
    digits: (resolution, wireUnit) =>
      resolution === undefined ? undefined : digitsOf(resolution, wireUnit, settings.units),
    amount: (value, wireUnit) => ofUnit(figure(value, wireUnit), wireUnit, value),
    figure,
    limits: (least, most, wireUnit) =>
      ofUnit(t('ui.range', { from: figure(least, wireUnit), to: figure(most, wireUnit) }), wireUnit, most),
    quantity: (value, wireUnit, digits) =>
      value === null ? t('ui.noValue') : ofUnit(reading(value, wireUnit, digits), wireUnit, value),
    range: (least, most, wireUnit, digits) => {
      const [from, to] = [reading(least, wireUnit, digits), reading(most, wireUnit, digits)];
      return ofUnit(t('ui.range', { from, to }), wireUnit, most);
    },
    shownNumber: (value, wireUnit, digits) => {
      const shown = showQuantity(value, wireUnit, settings.units);
      return Number(shown.value.toFixed(digits ?? shown.digits));
    },
    dateTime,
    stamp: (at) => timeText(at, { dateStyle: 'medium', timeStyle: 'medium' }),
    date: (at) => timeText(at, { dateStyle: 'full' }),
    duration: (seconds) => durationText(seconds, locale.value),
    passing: (seconds) => passingText(seconds, locale.value),
    time,
    parts: timeText,
    nearTime,
    moment: (written) => momentIn(zoneName(), written),
    written: (at) => writtenIn(zoneName(), new Date(at).getTime()),
    age,
    ago: (at, nowMs) =>
      isPrinting.value ? nearTime(at, nowMs) : age(Math.max(0, nowMs - new Date(at).getTime()) / 1_000),
  };
}

/** To make one costs far more than to use it, and times are written each second. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(key, formatter);
  return formatter;
}

/**
 * The reader's regional variant of a language, for the order of day and month: en-GB for a British reader of English.
 */
function regional(language: string): string {
  return navigator.languages.find((one) => one.split('-')[0] === language) ?? language;
}

function exactly(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}
