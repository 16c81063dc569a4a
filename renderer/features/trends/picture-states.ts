import { dark, light } from '../../ui/theme/palette.ts';
import type { StateKind } from './states.ts';

/** Of a strip, as on the page. */
export const stripHeight_px = 14;

interface Colours {
  ground: string;
  ink: string;
  quiet: string;
  on: string;
  unknown: string;
  line: string;
}

/** Those of the page, and white where it is light: for paper. */
export function coloursOf(isDark: boolean): Colours {
  const { colors = {} } = isDark ? dark : light;
  const colour = (name: keyof typeof colors): string => {
    const found = colors[name];
    return typeof found === 'string' ? found : '';
  };
  return {
    ground: colour(isDark ? 'background' : 'surface-bright'),
    ink: colour('on-background'),
    quiet: colour('quiet'),
    on: colour('primary'),
    unknown: colour('warning'),
    line: colour('line'),
  };
}

interface StateBox {
  kind: StateKind;
  x: number;
  width: number;
  /** Fraction of the height that is filled, 0 to 1. */
  fill: number;
}

/** Draws a state in its look of the page; `top` in px. */
export function drawState(
  context: CanvasRenderingContext2D,
  { kind, x, width, fill }: StateBox,
  { top, colours }: { top: number; colours: Colours },
): void {
  const { on, quiet, unknown, line } = colours;
  context.save();
  if (kind === 'unrecorded') {
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.strokeRect(x + 0.5, top + 0.5, Math.max(0, width - 1), stripHeight_px - 1);
  } else if (kind === 'unknown') {
    context.beginPath();
    context.rect(x, top, width, stripHeight_px);
    context.clip();
    context.strokeStyle = unknown;
    context.lineWidth = 2;
    context.beginPath();
    for (let at = x - stripHeight_px; at < x + width; at += 6) {
      context.moveTo(at, top + stripHeight_px);
      context.lineTo(at + stripHeight_px, top);
    }
    context.stroke();
  } else {
    context.globalAlpha = kind === 'position' ? 0.65 : 1;
    context.fillStyle = kind === 'off' ? quiet : on;
    const height = kind === 'off' ? 3 : stripHeight_px * fill;
    context.fillRect(x, top + stripHeight_px - height, width, height);
  }
  context.restore();
}
