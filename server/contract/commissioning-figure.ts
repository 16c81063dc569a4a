/** What a figure of a check is: its wire unit, and the test or finding that it belongs to. */
export interface FigureKind {
  unit: string;
  code?: string;
}

/** Writes the figures of a check: a number of a wire unit, and one with its unit, which `value` inflects. */
export interface FigureWriter {
  figure: (value: number, unit: string) => string;
  withUnit: (written: string, unit: string, value: number) => string;
}

/** Tests and findings of temperatures; the degrees of all others are differences. */
const ofTemperatures: ReadonlySet<string> = new Set([
  'range',
  'limit',
  'stopped',
  'not_driven',
  'balance',
  'unbalanced',
]);

/** Smaller figures are shown as "< 0.01": no such difference matters in a house. */
const smallest = 0.01;
const signs: Readonly<Record<string, string>> = { '>=': '≥\u202f', '<=': '≤\u202f', '±': '±' };
const limit = /^(>=|<=|±)? ?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\.\.(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))?$/;

/** A figure of a check with its unit; one that is nearly nothing says so. */
export function figureText(value: number, kind: FigureKind, write: FigureWriter): string {
  const [unit, per] = unitParts(kind);
  // Not of a temperature: the zero of its scale is no nothing, and other scales have it elsewhere.
  const isTiny = unit !== 'C' && value !== 0 && Math.abs(value) < smallest;
  const number = write.figure(isTiny ? Math.sign(value) * smallest : value, unit);
  const written = isTiny ? `${value < 0 ? '>' : '<'}\u202f${number}` : number;
  return write.withUnit(written, unit, value) + per;
}

/** `>= 0.5`, `0..45` or a bare figure as people write them, with its unit; a name or a word is returned as it is. */
export function limitText(expected: string, kind: FigureKind, write: FigureWriter): string {
  // Earlier versions wrote the unit behind some figures.
  const said = ` ${kind.unit}`;
  const bare = said !== ' ' && expected.endsWith(said) ? expected.slice(0, -said.length) : expected;
  const [, sign = '', low, high] = limit.exec(bare) ?? [];
  if (low === undefined) return expected;
  const [unit, per] = unitParts(kind);
  const ends = [low, ...(high === undefined ? [] : [high])].map((end) => write.figure(Number(end), unit));
  const written = `${signs[sign] ?? ''}${ends.join(' … ')}`;
  return write.withUnit(written, unit, Number(high ?? low)) + per;
}

/** The unit of differences of a wire unit: 0 °C are 32 °F, 0 K are 0 °F. */
export function differenceUnit(unit: string): string {
  return unit === 'C' ? 'K' : unit;
}

/** Names of what was read, where the vapour that a humidity sensor was judged by is said in the language. */
export function seriesText(names: string, vapour: string): string {
  return names.replaceAll(/ \(vapour\)(?=,|$)/g, ` (${vapour})`);
}

/** `K` and `/min` of a rate in `C/min`: only a temperature itself has degrees of a scale. */
function unitParts({ unit, code }: FigureKind): [unit: string, per: string] {
  const [, whole = unit, per = ''] = /^(.+?)(\/min|\/h)?$/.exec(unit) ?? [];
  const isDifference = per !== '' || (code !== undefined && !ofTemperatures.has(code));
  return [isDifference ? differenceUnit(whole) : whole, per];
}
