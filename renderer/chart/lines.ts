/** A strip of the chart with its own axis; lanes are stacked. */
export interface Lane {
  key: string;
  /** The measured quantity and its unit. */
  title: string;
}

/** A series to draw, in the displayed unit; null breaks the line. */
export interface Line {
  key: string;
  /** Displayed unit. */
  unit: string;
  /** Lines in one lane share an axis; default: one lane per unit. */
  lane?: Lane;
  /** Index of its look. */
  look: number;
  /** Epoch ms, ascending. */
  times: readonly number[];
  values: readonly (number | null)[];
  /** Minimum and maximum behind each mean; absent when each value is a single reading. */
  band?: { least: readonly (number | null)[]; most: readonly (number | null)[] };
  /** From another period: drawn thin and dashed. */
  isCompared?: boolean;
  /** Not measured: drawn dashed. */
  isForecast?: boolean;
}

/** The colour of a line on light and on dark backgrounds. */
export interface LineLook {
  light: string;
  dark: string;
  /** Dashes in px, so that lines differ without colour; empty draws solid. */
  dash: number[];
}

/** Hues distinguishable with the common kinds of colour blindness (Okabe & Ito 2008), darkened for white paper. */
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
