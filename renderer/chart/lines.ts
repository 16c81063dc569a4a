/** A strip of the chart with an axis of its own, one below the other. */
export interface Lane {
  key: string;
  /** What is measured in it, with its unit. */
  title: string;
}

/** A series to draw, its values already in the unit that is shown; null breaks the line. */
export interface Line {
  key: string;
  /** Shown unit. */
  unit: string;
  /** Lines of one lane share an axis; by their unit when absent. */
  lane?: Lane;
  /** Which look it has. */
  look: number;
  /** Epoch ms, ascending. */
  times: readonly number[];
  values: readonly (number | null)[];
  /** Least and most of what each value is the mean of; absent where each is one reading. */
  band?: { least: readonly (number | null)[]; most: readonly (number | null)[] };
  /** Of another time: drawn thin and broken. */
  isCompared?: boolean;
  /** Not measured: drawn broken. */
  isForecast?: boolean;
}

/** Colour of a line on a light and on a dark ground. */
export interface LineLook {
  light: string;
  dark: string;
  /** Dashes in px, so that lines differ without colour; none is drawn through. */
  dash: number[];
}

/** Hues that stay apart for the usual kinds of colour blindness (Okabe & Ito 2008), darkened for white paper. */
const hues: readonly (readonly [light: string, dark: string])[] = [
  ['#0060a0', '#56b4e9'],
  ['#b85000', '#ff9d4d'],
  ['#00735a', '#3fd0a8'],
  ['#9c4a7e', '#e39ac6'],
  ['#7a6a00', '#e5d54a'],
  ['#3d4a54', '#cfd6db'],
];
const dashes: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** The look of the nth line: hues first, then dashes. */
export function lineLook(index: number): LineLook {
  const [light, dark] = hues[index % hues.length] ?? ['#000000', '#ffffff'];
  return { light, dark, dash: dashes[Math.floor(index / hues.length) % dashes.length] ?? [] };
}
