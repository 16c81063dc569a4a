import { dark, light } from '../../ui/theme/palette.ts';
import { dashes_px, hatch, rectOf, stateLooks, type StateBox } from './state-looks.ts';

type Colours = Record<'ground' | 'ink' | 'quiet' | 'primary' | 'unknown' | 'line', string>;

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
    primary: colour('primary'),
    unknown: colour('unknown'),
    line: colour('line'),
  };
}

/** Draws a state in its look of the page; `top` in px. */
export function drawState(
  context: CanvasRenderingContext2D,
  box: StateBox,
  { top, colours }: { top: number; colours: Colours },
): void {
  const { colour, drawn, opacity = 1 } = stateLooks[box.kind];
  const { x, y: below, width, height } = rectOf(box);
  const y = top + below;
  context.save();
  context.globalAlpha = opacity;
  context.fillStyle = colours[colour];
  context.strokeStyle = colours[colour];
  if (drawn === 'filled') context.fillRect(x, y, width, height);
  else if (drawn === 'outlined') {
    context.lineWidth = 1;
    context.setLineDash(dashes_px);
    context.strokeRect(x, y, width, height);
  } else {
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.lineWidth = hatch.width_px;
    context.beginPath();
    for (let at = x - height; at < x + width; at += hatch.every_px * Math.SQRT2) {
      context.moveTo(at, y + height);
      context.lineTo(at + height, y);
    }
    context.stroke();
  }
  context.restore();
}
