/** Of a coordinate, with all its digits and no exponent, which XML Schema does not take. Thirteen decimals are 10 nm. */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(13).replace(/\.?0+$/, '') : text;
}
