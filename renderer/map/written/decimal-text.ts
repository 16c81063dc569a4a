/** Of a coordinate, with all its digits and no exponent, which XML Schema does not take. Thirteen decimals are 10 nm. */
export function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  // From 1e21 on toFixed has an exponent too.
  return Math.abs(value) >= 1e21 ? String(BigInt(value)) : value.toFixed(13).replace(/\.?0+$/, '');
}
