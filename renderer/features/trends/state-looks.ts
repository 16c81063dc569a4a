import type { StateKind } from './states.ts';

interface Look {
  /** Of the theme. */
  colour: 'primary' | 'quiet' | 'unknown' | 'line';
  drawn: 'filled' | 'hatched' | 'outlined';
  opacity?: number;
  /** px; as high as its fill when absent. */
  height_px?: number;
}

/** How states look in a strip: on the page and in its picture. */
export const stateLooks: Record<StateKind, Look> = {
  on: { colour: 'primary', drawn: 'filled' },
  position: { colour: 'primary', drawn: 'filled', opacity: 0.65 },
  off: { colour: 'quiet', drawn: 'filled', height_px: 3 },
  unknown: { colour: 'unknown', drawn: 'hatched' },
  unrecorded: { colour: 'line', drawn: 'outlined' },
};

export const stripHeight_px = 14;
/** Stripes that rise to the right at 45°: how far apart and how wide they are. */
export const hatch = { every_px: 6, width_px: 2 };
/** Of an outline of 1 px: its dashes and the gaps between them. */
export const dashes_px = [2, 3];

/** A state in a strip, px. */
export interface StateBox {
  kind: StateKind;
  x: number;
  width: number;
  /** Fraction of the height that is filled, 0 to 1. */
  fill: number;
}

/** A state as the key of strips shows it. */
export const keyBox = (kind: StateKind, width: number): StateBox => ({
  kind,
  x: 0,
  width,
  fill: kind === 'position' ? 0.5 : 1,
});

/** The rectangle of a state, px from the top of its strip; an outline lies within its box. */
export function rectOf({ kind, x, width, fill }: StateBox): { x: number; y: number; width: number; height: number } {
  const { drawn, height_px: height = stripHeight_px * fill } = stateLooks[kind];
  const inset = drawn === 'outlined' ? 0.5 : 0;
  return {
    x: x + inset,
    y: stripHeight_px - height + inset,
    width: Math.max(0, width - 2 * inset),
    height: height - 2 * inset,
  };
}
