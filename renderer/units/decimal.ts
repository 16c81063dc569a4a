const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a person typed, with a point or a comma, in narrow or full-width digits; null where it is none. */
export function readDecimal(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace('−', '-').replace(',', '.');
  if (!decimal.test(plain)) return null;
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}

/** Degrees up to a limit either way; null where the text is none. */
export function readDegrees(text: string, limit: 90 | 180): number | null {
  const degrees = readDecimal(text);
  return degrees !== null && Math.abs(degrees) <= limit ? degrees : null;
}
