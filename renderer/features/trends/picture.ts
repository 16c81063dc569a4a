import { lineLook, type LineKind } from '../../chart/lines.ts';
import type { Span } from '../../chart/night.ts';
import type { PlotArea } from '../../chart/plot.ts';
import { saveBlob } from '../../ui/save-text.ts';
import { coloursOf, drawState } from './picture-states.ts';
import { keyBox, stripHeight_px } from './state-looks.ts';
import { boxesOf, toldBox, type StateKind, type Strip } from './states.ts';

/** A chart with all that says what it shows, in words. */
export interface Picture {
  chart: HTMLCanvasElement;
  /** Of the chart: strips lie on its time axis. */
  area: PlotArea;
  span: Span;
  title: string;
  /** Where and when. */
  place: string;
  strips: readonly (Pick<Strip, 'states' | 'isComplete'> & { text: string })[];
  /** What the looks of states mean; empty without strips. */
  key: readonly { kind: StateKind; text: string }[];
  names: readonly { look: number; kind: LineKind | undefined; text: string }[];
  /** What else is to be said of the lines; empty for nothing. */
  note: string;
  isDark: boolean;
}

/** A part of the picture: how high it is, and how it is drawn from `top` on, px. */
interface Part {
  height_px: number;
  draw: (top: number) => void;
}

/** The browser draws no picture so large, or has no memory for it. */
export class PictureError extends Error {}

const edge_px = 16;
const line_px = 20;
const gap_px = 12;
const swatch_px = 28;
/**
 * Saves a chart as PNG with title, place and time above it, and the states of outputs and its legend below it. Throws
 * PictureError.
 */
export async function savePicture(picture: Picture, fileName: string): Promise<void> {
  const canvas = drawPicture(picture);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new PictureError('the picture is too large');
  saveBlob(fileName, blob);
}

function drawPicture(picture: Picture): HTMLCanvasElement {
  const { chart, isDark } = picture;
  const scale = window.devicePixelRatio;
  const width_px = chart.width / scale;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new PictureError('no memory for a picture');
  const parts = partsOf(context, picture, width_px);
  canvas.width = chart.width;
  canvas.height = Math.ceil(scale * (2 * gap_px + parts.reduce((sum, { height_px }) => sum + height_px, 0)));
  context.scale(scale, scale);
  context.fillStyle = coloursOf(isDark).ground;
  context.fillRect(0, 0, width_px, canvas.height / scale);
  let top = gap_px;
  for (const { height_px, draw } of parts) {
    draw(top);
    top += height_px;
  }
  return canvas;
}

function partsOf(context: CanvasRenderingContext2D, picture: Picture, width_px: number): Part[] {
  const { chart, area, span, isDark } = picture;
  const colours = coloursOf(isDark);
  const family = getComputedStyle(document.body).fontFamily;
  const words = (text: string, { font = '13px', colour = colours.ink, left = edge_px } = {}): Part => {
    context.font = `${font} ${family}`;
    const lines = wrapped(context, text, width_px - left - edge_px);
    return {
      height_px: lines.length * line_px,
      draw: (top) => {
        Object.assign(context, { font: `${font} ${family}`, fillStyle: colour, textBaseline: 'middle' });
        lines.forEach((line, at) => context.fillText(line, left, top + (at + 0.5) * line_px));
      },
    };
  };
  const room_px = width_px - 2 * edge_px;
  const gap: Part = { height_px: gap_px, draw: () => undefined };
  const height_px = chart.height / window.devicePixelRatio;
  const labelled = (text: string, draw: (middle: number) => void): Part => {
    const label = words(text, { left: edge_px + swatch_px + 8 });
    return {
      ...label,
      draw: (top) => {
        draw(top + line_px / 2);
        label.draw(top);
      },
    };
  };
  return [
    words(picture.title, { font: '600 16px' }),
    words(picture.place, { colour: colours.quiet }),
    gap,
    { height_px, draw: (top) => context.drawImage(chart, 0, top, width_px, height_px) },
    gap,
    ...picture.strips.flatMap((strip): Part[] => [
      words(strip.text, { left: area.left_px }),
      {
        height_px: stripHeight_px + gap_px / 2,
        draw: (top) => {
          const { left_px, width_px: wide_px } = area;
          const told = toldBox(strip, span, wide_px);
          drawState(context, { ...told, kind: 'unrecorded', x: told.x + left_px, fill: 1 }, { top, colours });
          for (const box of boxesOf(strip.states, span, wide_px))
            drawState(context, { ...box, x: box.x + left_px }, { top, colours });
        },
      },
    ]),
    ...rowsOf(picture.key, ({ text }) => 2 * edge_px + swatch_px + context.measureText(text).width, room_px).map(
      (row): Part => ({
        height_px: line_px,
        draw: (top) => {
          for (const { left, of } of row) {
            const box = { ...keyBox(of.kind, swatch_px), x: left };
            drawState(context, box, { top: top + (line_px - stripHeight_px) / 2, colours });
            words(of.text, { left: left + swatch_px + 8 }).draw(top);
          }
        },
      }),
    ),
    ...(picture.strips.length > 0 ? [gap] : []),
    ...picture.names.map(({ look, kind, text }) =>
      labelled(text, (middle) => {
        const { dash, ...colours } = lineLook(look, kind);
        context.strokeStyle = colours[isDark ? 'dark' : 'light'];
        context.lineWidth = 3;
        context.setLineDash([...dash]);
        context.beginPath();
        context.moveTo(edge_px, middle);
        context.lineTo(edge_px + swatch_px, middle);
        context.stroke();
        context.setLineDash([]);
      }),
    ),
    ...(picture.note === '' ? [] : [words(picture.note, { colour: colours.quiet })]),
  ];
}

/** Things beside each other in as many rows as a width asks for, each with its left edge. */
function rowsOf<One>(
  ones: readonly One[],
  widthOf: (one: One) => number,
  room_px: number,
): { left: number; of: One }[][] {
  const rows: { left: number; of: One }[][] = [];
  let left = Infinity;
  for (const of of ones) {
    const width = widthOf(of);
    if (left + width > edge_px + room_px) {
      rows.push([]);
      left = edge_px;
    }
    rows.at(-1)?.push({ left, of });
    left += width;
  }
  return rows;
}

/**
 * The lines of a text in a width, broken at spaces but not at the narrow one before a unit, and what is wider between
 * words of any language.
 */
function wrapped(context: CanvasRenderingContext2D, text: string, width_px: number): string[] {
  const fits = (line: string): boolean => context.measureText(line.trimEnd()).width <= width_px;
  const words = new Intl.Segmenter(undefined, { granularity: 'word' });
  const pieces = text
    .split(/(?<= )/)
    .flatMap((piece) => (fits(piece) ? [piece] : Array.from(words.segment(piece), ({ segment }) => segment)));
  const lines: string[] = [];
  for (const piece of pieces) {
    const longer = `${lines.at(-1) ?? ''}${piece}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
}
