/** Without an exponent, which XML Schema does not take. Thirteen decimals are 10 nm. */
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 13, useGrouping: false });

/** Of a coordinate, with all its digits. */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e') ? decimals.format(value) : text;
}
