import { Color, DoubleSide, LineBasicMaterial, MeshLambertMaterial } from 'three';
import type { Part, PartState } from '../part.ts';

/** Colours of the page, as CSS writes them. */
export interface Palette {
  isDark: boolean;
  /** Of what is not known, of what runs, and of lines and quiet things. */
  unknown: string;
  running: string;
  ink: string;
  quiet: string;
}

interface Look {
  color: string;
  opacity: number;
  /** Share of its colour that it shows without light: glass is bright from within too. */
  glow?: number;
}

/** How a part in a state is coloured: grey when all is usual, the colour of the unknown where a device does not say. */
export function lookOf(part: Part, state: PartState, { isDark, unknown, running, quiet }: Palette): Look {
  if (state === 'unknown') return { color: unknown, opacity: 'panes' in part.motion ? 1 : 0.9 };
  const runs = typeof state === 'number' && state > 0;
  switch (part.category) {
    case 'covering':
      return { color: isDark ? '#9cc3d8' : '#e8f4fa', opacity: isDark ? 0.3 : 0.42, glow: isDark ? 0.1 : 0.35 };
    case 'frame':
      return { color: isDark ? '#a3adb5' : '#98a2a8', opacity: 1 };
    case 'crop':
      return { color: isDark ? '#66855f' : '#8fb083', opacity: 1 };
    case 'openings':
      return { color: isDark ? '#7fb2d4' : '#5b9cc6', opacity: 0.62, glow: isDark ? 0.15 : 0.3 };
    case 'curtains':
      return part.kind === 'thermal' ? { color: '#b9c0c6', opacity: 0.78 } : { color: '#4c5258', opacity: 0.6 };
    case 'sensors':
      return { color: isDark ? '#ffffff' : '#20282e', opacity: 1 };
    default:
      return { color: runs ? running : quiet, opacity: runs ? 1 : 0.75 };
  }
}

export function materialOf({ color, opacity, glow = 0 }: Look): MeshLambertMaterial {
  const isClear = opacity < 1;
  const lit = { color, emissive: new Color(color).multiplyScalar(glow) };
  // All faces of a part look alike: three.js would draw those that are seen from behind first, each part twice a frame.
  const once = { side: DoubleSide, forceSinglePass: true };
  return new MeshLambertMaterial({ ...lit, opacity, transparent: isClear, depthWrite: !isClear, ...once });
}

export const lineOf = (color: string, opacity = 1): LineBasicMaterial =>
  new LineBasicMaterial({ color, opacity, transparent: opacity < 1 });
