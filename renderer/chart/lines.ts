/** A strip of the chart with its own axis; lanes are stacked. */
export interface Lane {
  key: string;
  /** The measured quantity and its unit. */
  title: string;
  /** Decimals of its values: marks stand no closer; absent where unknown. */
  digits?: number;
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
  /** What it is other than the measurements of this span; absent for those. */
  kind?: LineKind;
}

/** Measured at an earlier time, measured in another house, or not measured but expected. */
export type LineKind = 'earlier' | 'elsewhere' | 'forecast';

/** How a line is drawn on light and on dark backgrounds. */
export interface LineLook {
  light: string;
  dark: string;
  /** Dashes in px, so that lines differ without colour; empty draws solid. */
  dash: readonly number[];
  width_px: number;
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

/** Dashes of each round of hues; no two kinds share any. */
const strokes: Record<LineKind | 'measured', Pick<LineLook, 'width_px'> & { dashes: readonly (readonly number[])[] }> =
  {
    measured: { width_px: 1.6, dashes: [[], [8, 4], [2, 3], [14, 3]] },
    earlier: {
      width_px: 1.2,
      dashes: [
        [2, 4],
        [2, 8],
      ],
    },
    elsewhere: {
      width_px: 1.6,
      dashes: [
        [10, 3, 2, 3],
        [10, 3, 2, 3, 2, 3],
      ],
    },
    forecast: {
      width_px: 1.6,
      dashes: [
        [7, 5],
        [14, 5],
      ],
    },
  };

/** The look of the nth line of a kind: hues first, then dashes. */
export function lineLook(index: number, kind: LineKind | 'measured' = 'measured'): LineLook {
  const [light, dark] = hues[index % hues.length] ?? ['#000000', '#ffffff'];
  const { dashes, width_px } = strokes[kind];
  return { light, dark, dash: dashes[Math.floor(index / hues.length) % dashes.length] ?? [], width_px };
}
