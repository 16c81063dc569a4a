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
