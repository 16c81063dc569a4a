/** Writes the figures of a check: the number of a value in a wire unit, and the name of that unit. */
export interface FigureWriter {
  number: (value: number, unit: string) => string;
  unit: (unit: string) => string;
}

/** Smaller figures are shown as "< 0.01": no such difference matters in a house. */
const smallest = 0.01;
const signs: Readonly<Record<string, string>> = { '>=': '≥\u202f', '<=': '≤\u202f', '±': '±' };
const limit = /^(>=|<=|±)? ?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\.\.(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))?$/;

/** A figure of a check with its unit; one that is nearly nothing says so. */
export function figureText(value: number, unit: string, write: FigureWriter): string {
  const isTiny = value !== 0 && Math.abs(value) < smallest;
  const number = write.number(isTiny ? Math.sign(value) * smallest : value, unit);
  return withUnit(isTiny ? `${value < 0 ? '>' : '<'}\u202f${number}` : number, write.unit(unit));
}

/** `>= 0.5`, `0..45` or a bare figure as people write them, with its unit; a name or a word is returned as it is. */
export function limitText(expected: string, unit: string, write: FigureWriter): string {
  // Earlier versions wrote the unit behind some figures.
  const bare = unit !== '' && expected.endsWith(` ${unit}`) ? expected.slice(0, -unit.length - 1) : expected;
  const [, sign = '', low, high] = limit.exec(bare) ?? [];
  if (low === undefined) return expected;
  const ends = [low, ...(high === undefined ? [] : [high])].map((end) => write.number(Number(end), unit));
  return withUnit(`${signs[sign] ?? ''}${ends.join(' … ')}`, write.unit(unit));
}

/** Names of what was read, where the vapour that a humidity sensor was judged by is said in the language. */
export function seriesText(names: string, vapour: string): string {
  return names.replaceAll(/ \(vapour\)(?=,|$)/g, ` (${vapour})`);
}

/** `C/h` and `g/m3` as people write them. */
export function unitText(unit: string): string {
  return unit
    .replace(/^C(?=\/|$)/, '°C')
    .replace('umol/m2/s', 'µmol/m²s')
    .replace('m2', 'm²')
    .replace('m3', 'm³')
    .replace(/^deg$/, '°');
}

function withUnit(written: string, unit: string): string {
  return unit === '' ? written : `${written}\u202f${unit}`;
}
