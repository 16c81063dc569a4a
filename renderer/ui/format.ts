import { useSettings } from '../stores/settings.ts';
import { showQuantity, shownUnit } from '../units/quantity.ts';
import { useText } from '../i18n/index.ts';
import { momentIn } from '../i18n/site-time.ts';

const secondsOf = { minute: 60, hour: 3_600, day: 86_400 };

export interface Format {
  /** A number in the shown language's way. */
  number(value: number, digits?: number): string;
  /** A value of a wire unit, converted to the site's units, with its unit; `null` is "No value". */
  quantity(value: number | null, wireUnit: string, digits?: number): string;
  /** Label of a wire unit after conversion, e.g. `ft²` for `m2` where lengths are in feet. */
  unit(wireUnit: string): string;
  /** Date and time of an ISO text or epoch ms, in the site's zone. */
  dateTime(at: string | number): string;
  time(at: string | number): string;
  /** ISO 8601 of what a field for date and time holds, in the zone that times are shown in; null while it is not complete. */
  moment(written: string): string | null;
  /** "12 s ago". */
  age(seconds: number): string;
}

/** Numbers, quantities and times as the shown language and the site's units want them. */
export function useFormat(): Format {
  const { t, locale } = useText();
  const settings = useSettings();
  const number = (value: number, digits?: number): string => {
    const options = digits === undefined ? { maximumFractionDigits: 2 } : exactly(digits);
    return new Intl.NumberFormat(locale.value, options).format(value);
  };
  /** Before the log-in nobody knows the site: the browser's own. */
  const zone = (): Intl.DateTimeFormatOptions => (settings.site === null ? {} : { timeZone: settings.site.time_zone });
  return {
    number,
    unit: (wireUnit) => shownUnit(wireUnit, settings.units),
    quantity: (value, wireUnit, digits) => {
      if (value === null) return t('ui.noValue');
      if (wireUnit === 'd') return days(locale.value, value);
      const shown = showQuantity(value, wireUnit, settings.units);
      return `${number(shown.value, digits ?? shown.digits)}${shown.unit === '' ? '' : `\u202f${shown.unit}`}`;
    },
    dateTime: (at) =>
      new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short', ...zone() }).format(
        new Date(at),
      ),
    time: (at) => new Intl.DateTimeFormat(locale.value, { timeStyle: 'medium', ...zone() }).format(new Date(at)),
    moment: (written) =>
      momentIn(settings.site?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone, written),
    age: (seconds) => {
      if (seconds < 2) return t('ui.age.now');
      if (seconds < secondsOf.minute) return t('ui.age.seconds', { n: Math.floor(seconds) });
      if (seconds < secondsOf.hour) return t('ui.age.minutes', { n: Math.floor(seconds / secondsOf.minute) });
      if (seconds < secondsOf.day) return t('ui.age.hours', { n: Math.floor(seconds / secondsOf.hour) });
      return t('ui.age.days', { n: Math.floor(seconds / secondsOf.day) });
    },
  };
}

/** "3 days", "3일". */
function days(locale: string, value: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(value);
}

function exactly(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}
