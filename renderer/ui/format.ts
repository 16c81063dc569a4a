import { useSettings } from '../stores/settings.ts';
import { showQuantity, shownUnit } from '../units/quantity.ts';
import { useText } from '../i18n/index.ts';
import { durationText } from './duration.ts';
import { momentIn, writtenIn } from '../i18n/site-time.ts';

const secondsOf = { minute: 60, hour: 3_600, day: 86_400 };

export interface Format {
  /** A number in the shown language's way. */
  number(value: number, digits?: number): string;
  /** A value of a wire unit, converted to the site's units, with its unit; `null` is "No value". */
  quantity(value: number | null, wireUnit: string, digits?: number): string;
  /** A setting with its unit, converted, with no more digits than it has: two at most. */
  amount(value: number, wireUnit: string): string;
  /** Label of a wire unit after conversion, e.g. `ft²` for `m2` where lengths are in feet. */
  unit(wireUnit: string): string;
  /** Date and time of an ISO text or epoch ms, in the site's zone. */
  dateTime(at: string | number): string;
  /** The same with seconds, for journals. */
  stamp(at: string | number): string;
  time(at: string | number): string;
  /** "Monday, 23 November 2026", in the site's zone. */
  date(at: string | number): string;
  /** "30 min": a time in seconds in the largest unit of which it is a whole number. */
  duration(seconds: number): string;
  /** ISO 8601 of what a field for date and time holds, in the zone that times are shown in; null while it is not complete. */
  moment(written: string): string | null;
  /** A moment as a field for date and time holds it, in that zone. */
  written(at: string | number): string;
  /** "12 s ago". */
  age(seconds: number): string;
}

/** Numbers, quantities and times as the shown language and the site's units want them. */
export function useFormat(): Format {
  const { t, locale } = useText();
  const settings = useSettings();
  const number = (value: number, digits?: number): string => {
    const options = digits === undefined ? { maximumFractionDigits: 2 } : exactly(digits);
    // What is rounded to nothing is not below it.
    return new Intl.NumberFormat(locale.value, { ...options, signDisplay: 'negative' }).format(value);
  };
  /** Before the log-in nobody knows the site: the browser's own. */
  const zone = (): Intl.DateTimeFormatOptions => (settings.site === null ? {} : { timeZone: settings.site.time_zone });
  const timeText = (at: string | number, styles: Intl.DateTimeFormatOptions): string => {
    const options = { ...styles, ...zone(), hourCycle: 'h23' as const }; // a house is kept by the 24-hour clock
    return new Intl.DateTimeFormat(regional(locale.value), options).format(new Date(at));
  };
  const zoneName = (): string => settings.site?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    number,
    unit: (wireUnit) => shownUnit(wireUnit, settings.units),
    amount: (value, wireUnit) => {
      const shown = showQuantity(value, wireUnit, settings.units);
      return withUnit(number(shown.value), shown.unit);
    },
    quantity: (value, wireUnit, digits) => {
      if (value === null) return t('ui.noValue');
      if (wireUnit === 'd') return spanOf(locale.value, value, 'day');
      if (wireUnit === 'a') return spanOf(locale.value, value, 'year');
      const shown = showQuantity(value, wireUnit, settings.units);
      return withUnit(number(shown.value, digits ?? shown.digits), shown.unit);
    },
    dateTime: (at) => timeText(at, { dateStyle: 'medium', timeStyle: 'short' }),
    stamp: (at) => timeText(at, { dateStyle: 'medium', timeStyle: 'medium' }),
    date: (at) => timeText(at, { dateStyle: 'full' }),
    duration: (seconds) => durationText(seconds, locale.value),
    time: (at) => timeText(at, { timeStyle: 'medium' }),
    moment: (written) => momentIn(zoneName(), written),
    written: (at) => writtenIn(zoneName(), new Date(at).getTime()),
    age: (seconds) => {
      if (seconds < 2) return t('ui.age.now');
      if (seconds < secondsOf.minute) return t('ui.age.seconds', { n: Math.floor(seconds) });
      if (seconds < secondsOf.hour) return t('ui.age.minutes', { n: Math.floor(seconds / secondsOf.minute) });
      if (seconds < secondsOf.day) return t('ui.age.hours', { n: Math.floor(seconds / secondsOf.hour) });
      return t('ui.age.days', { n: Math.floor(seconds / secondsOf.day) });
    },
  };
}

/** The language as it is written where the reader is, for the order of day and month: en-GB for somebody who reads English there. */
function regional(language: string): string {
  return navigator.languages.find((one) => one.split('-')[0] === language) ?? language;
}

/** "3 days", "3일", "2.5 years". */
function spanOf(locale: string, value: number, unit: 'day' | 'year'): string {
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}

/** With a narrow space between, but for degrees of an angle. */
function withUnit(figure: string, unit: string): string {
  return unit === '' || unit === '°' ? figure + unit : `${figure}\u202f${unit}`;
}

function exactly(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}
