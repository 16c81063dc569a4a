/** What a figure of a check is: its wire unit, and the test or finding that it belongs to. */
export interface FigureKind {
  unit: string;
  code?: string;
}

/** Writes the figures of a check: a number in a wire unit, and one with its unit, which `value` inflects. */
export interface FigureWriter {
  number: (value: number, unit: string) => string;
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
  const parts = unitParts(kind);
  // Not of a temperature: the zero of its scale is no nothing, and other scales have it elsewhere.
  const isTiny = parts[0] !== 'C' && value !== 0 && Math.abs(value) < smallest;
  const number = write.number(isTiny ? Math.sign(value) * smallest : value, parts[0]);
  const written = isTiny ? `${value < 0 ? '>' : '<'}\u202f${number}` : number;
  return withUnit(written, { parts, value }, write);
}

/** `>= 0.5`, `0..45` or a bare figure as people write them, with its unit; a name or a word is returned as it is. */
export function limitText(expected: string, kind: FigureKind, write: FigureWriter): string {
  const { unit } = kind;
  // Earlier versions wrote the unit behind some figures.
  const bare = unit !== '' && expected.endsWith(` ${unit}`) ? expected.slice(0, -unit.length - 1) : expected;
  const [, sign = '', low, high] = limit.exec(bare) ?? [];
  if (low === undefined) return expected;
  const parts = unitParts(kind);
  const ends = [low, ...(high === undefined ? [] : [high])].map((end) => write.number(Number(end), parts[0]));
  const written = `${signs[sign] ?? ''}${ends.join(' … ')}`;
  return withUnit(written, { parts, value: Number(high ?? low) }, write);
}

/** The unit of differences of a wire unit: 0 °C are 32 °F, 0 K are 0 °F. */
export function differenceUnit(unit: string): string {
  return unit === 'C' ? 'K' : unit;
}

/** Names of what was read, where the vapour that a humidity sensor was judged by is said in the language. */
export function seriesText(names: string, vapour: string): string {
  return names.replaceAll(/ \(vapour\)(?=,|$)/g, ` (${vapour})`);
}

/** `C` and `g/m3` as people write them. */
export function unitText(unit: string): string {
  return unit
    .replace(/^C$/, '°C')
    .replace('umol/m2/s', 'µmol/m²s')
    .replace('m2', 'm²')
    .replace('m3', 'm³')
    .replace(/^deg$/, '°');
}

/** `K` and `/min` of a rate in `C/min`: only a temperature itself has degrees of a scale. */
function unitParts({ unit, code }: FigureKind): [unit: string, per: string] {
  const [, whole = unit, per = ''] = /^(.+?)(\/min|\/h)?$/.exec(unit) ?? [];
  const isDifference = per !== '' || (code !== undefined && !ofTemperatures.has(code));
  return [isDifference ? differenceUnit(whole) : whole, per];
}

function withUnit(
  written: string,
  { parts: [unit, per], value }: { parts: [unit: string, per: string]; value: number },
  write: FigureWriter,
): string {
  return unit === '' ? written : write.withUnit(written, unit, value) + per;
}
