const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a person typed, with a point or a comma, in narrow or full-width digits; null where it is none. */
export function readDecimal(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace('−', '-').replace(',', '.');
  if (!decimal.test(plain)) return null;
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}
