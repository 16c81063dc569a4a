/** A number as a language writes it, the only place of the pages that does; what rounds to zero has no minus sign. */
export function numeral(value: number, locale: string, digits: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale, { ...digits, signDisplay: 'negative' }).format(value);
}
