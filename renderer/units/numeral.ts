/** A number as a language writes it, the only place of the pages that does; what rounds to zero has no minus sign. */
export function numeral(value: number, locale: string, digits: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale, { ...digits, signDisplay: 'negative' }).format(value);
}

/** "2 days", "90 min": a number of units of time, written and inflected by the language, with a decimal at most. */
export function spanText(value: number, locale: string, unit: 'second' | 'minute' | 'hour' | 'day' | 'year'): string {
  return numeral(value, locale, { style: 'unit', unit, unitDisplay: displayOf(unit), maximumFractionDigits: 1 });
}

/** The unit alone, as it stands after several: "h", "days". */
export function spanName(unit: 'second' | 'minute' | 'hour' | 'day' | 'year', locale: string): string {
  const form = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: displayOf(unit) });
  return form.formatToParts(2).find(({ type }) => type === 'unit')?.value ?? unit;
}

const displayOf = (unit: string): 'short' | 'long' => (unit === 'day' || unit === 'year' ? 'long' : 'short');
