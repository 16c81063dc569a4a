/** Writes a number the way of a language. */
export type NumberText = (value: number) => string;

/** Smaller figures are shown as "< 0.01": no such difference matters in a house. */
const smallest = 0.01;
const signs: Readonly<Record<string, string>> = { '>=': '≥\u202f', '<=': '≤\u202f', '±': '±' };
const limit = /^(>=|<=|±)? ?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\.\.(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))?$/;

/** A figure of a check with its unit; one that is nearly nothing says so. */
export function figureText(value: number, unit: string, number: NumberText): string {
  const isTiny = value !== 0 && Math.abs(value) < smallest;
  const written = isTiny ? `${value < 0 ? '>\u202f' : '<\u202f'}${number(Math.sign(value) * smallest)}` : number(value);
  return withUnit(written, unit);
}

/** `>= 0.5`, `0..45` or a bare figure as people write them, with its unit; a name or a word is returned as it is. */
export function limitText(expected: string, unit: string, number: NumberText): string {
  // Earlier versions wrote the unit behind some figures.
  const bare = unit !== '' && expected.endsWith(` ${unit}`) ? expected.slice(0, -unit.length - 1) : expected;
  const [, sign = '', low, high] = limit.exec(bare) ?? [];
  if (low === undefined) return expected;
  const ends = [low, ...(high === undefined ? [] : [high])].map((end) => number(Number(end)));
  return withUnit(`${signs[sign] ?? ''}${ends.join(' … ')}`, unit);
}

/** Names of what was read, where the vapour that a humidity sensor was judged by is said in the language. */
export function seriesText(names: string, vapour: string): string {
  return names.replaceAll(/ \(vapour\)(?=,|$)/g, ` (${vapour})`);
}

/** `C/h` and `g/m3` as people write them. */
function unitText(unit: string): string {
  return unit
    .replace(/^C(?=\/|$)/, '°C')
    .replace('m2', 'm²')
    .replace('m3', 'm³')
    .replace(/^deg$/, '°');
}

function withUnit(written: string, unit: string): string {
  return unit === '' ? written : `${written}\u202f${unitText(unit)}`;
}
