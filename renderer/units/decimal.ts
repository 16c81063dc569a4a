const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A typed number, with a point or a comma, in half- or full-width digits; null when it is not one. */
export function readDecimal(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace('−', '-').replace(',', '.');
  if (!decimal.test(plain)) return null;
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}

/** Degrees within ± a limit; null when the text is not valid. */
export function readDegrees(text: string, limit: 90 | 180): number | null {
  const degrees = readDecimal(text);
  return degrees !== null && Math.abs(degrees) <= limit ? degrees : null;
}
