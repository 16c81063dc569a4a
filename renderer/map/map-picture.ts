import type { FeatureType } from '../../server/contract/overlay.ts';
import { lightLook, outlineStyle } from './look.ts';
import { northArrow, northLetter, scaleBar_m } from './sheet-marks.ts';

/** What surrounds the map in an image. */
export interface PictureText {
  title: string;
  /** When it was made. */
  time: string;
  /** Types that are seen, with their names, and the name of the list. */
  legend: { title: string; types: readonly { type: FeatureType; name: string; opacity: number }[] };
  /** The letter of north. */
  north: string;
  /** Writes a distance in m. */
  distance: (metres: number) => string;
  /** Length of the unit that distances are shown in, in m. */
  unit_m: number;
}

/** The page's texts for it; the map knows its units. */
export type MapPictureText = Omit<PictureText, 'unit_m'>;

export interface PictureMap {
  container: HTMLElement;
  /** At the middle of the map. */
  metresPerPixel: number;
  attribution: string;
}

const margin = 24;
const head = 56;
/** Of the scale bar. */
const foot = 60;
const lineHeight = 15;
const legendRow = 26;
const legendWidth = 200;
const ink = '#1b2329';
export const font = '"Noto Sans", "Noto Sans CJK KR", system-ui, sans-serif';
/** The most that a scale bar is long. */
const longestBar_px = 180;
const creditSize = 11;

/**
 * The part of the map that is on the screen, at least at twice its points, with title, scale bar, north arrow, legend
 * and attribution.
 */
export function mapPicture(
  { container, metresPerPixel, attribution }: PictureMap,
  text: PictureText,
): HTMLCanvasElement {
  const scale = Math.max(2, devicePixelRatio);
  const { width, height } = container.getBoundingClientRect();
  const hasLegend = text.legend.types.length > 0;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const credits = wrapped(context, attribution, { size: creditSize, width });
  const below = foot + credits.length * lineHeight;
  const legendHeight = hasLegend ? 28 + text.legend.types.length * legendRow + margin : 0;
  canvas.width = Math.round((width + 2 * margin + (hasLegend ? legendWidth : 0)) * scale);
  canvas.height = Math.round((head + Math.max(height + below, legendHeight)) * scale);
  context.scale(scale, scale);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.save();
  context.translate(margin, head);
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  drawMap(context, container);
  drawNorth(context, { x: width - 34, y: 18 }, text.north);
  context.restore();
  context.strokeStyle = ink;
  context.strokeRect(margin, head, width, height);
  drawHead(context, text, width);
  drawScale(context, { x: margin, y: head + height + 20 }, { metresPerPixel, ...text });
  for (const [at, line] of credits.entries()) {
    write(context, line, { x: margin, y: head + height + foot + at * lineHeight, size: creditSize });
  }
  if (hasLegend) drawLegend(context, { x: 2 * margin + width - 4, y: head }, text.legend);
  return canvas;
}

/**
 * Until all tiles are drawn, none fades in and the colours have changed, but no longer than 3 s: a service outside may
 * not answer.
 */
export async function tilesShown(container: HTMLElement): Promise<void> {
  const isShown = (tile: Element): boolean =>
    tile.classList.contains('leaflet-tile-loaded') && getComputedStyle(tile).opacity === '1';
  const isChanging = (): boolean =>
    container.getAnimations({ subtree: true }).some((one) => one instanceof CSSTransition);
  for (let tries = 0; tries < 60; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!isChanging() && [...container.querySelectorAll('.leaflet-tile')].every(isShown)) return;
  }
}

/** What Leaflet has drawn, bottom to top: tiles, shapes, then names and marks. */
function drawMap(context: CanvasRenderingContext2D, container: HTMLElement): void {
  const origin = container.getBoundingClientRect();
  context.fillStyle = getComputedStyle(container).backgroundColor;
  context.fillRect(0, 0, origin.width, origin.height);
  const drawn = container.querySelectorAll<HTMLCanvasElement | HTMLImageElement>(
    '.leaflet-tile-pane :is(img, canvas), .leaflet-overlay-pane canvas',
  );
  for (const one of drawn) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || (one instanceof HTMLImageElement && !one.complete)) continue;
    context.globalAlpha = opacityOf(one, container);
    context.drawImage(one, box.x - origin.x, box.y - origin.y, box.width, box.height);
  }
  context.globalAlpha = 1;
  for (const mark of container.querySelectorAll<HTMLElement>('.map-point')) drawMark(context, mark, origin);
  for (const name of container.querySelectorAll<HTMLElement>('.map-label, .map-text')) drawName(context, name, origin);
}

function opacityOf(element: Element, end: Element): number {
  let opacity = 1;
  for (let at: Element | null = element; at !== null && at !== end; at = at.parentElement) {
    opacity *= Number(getComputedStyle(at).opacity);
  }
  return opacity;
}

function drawMark(context: CanvasRenderingContext2D, mark: HTMLElement, origin: DOMRect): void {
  const box = mark.getBoundingClientRect();
  const { backgroundColor, borderColor, color, borderRadius } = getComputedStyle(mark);
  context.save();
  context.translate(box.x - origin.x, box.y - origin.y);
  context.beginPath();
  const isRound = borderRadius.includes('%') || Number.parseFloat(borderRadius) * 2 >= box.width;
  context.roundRect(0, 0, box.width, box.height, isRound ? box.width / 2 : 5);
  context.fillStyle = backgroundColor;
  context.fill();
  context.strokeStyle = borderColor;
  context.lineWidth = 1.5;
  context.stroke();
  const path = mark.querySelector('path')?.getAttribute('d');
  const side = box.width * 0.62;
  context.translate((box.width - side) / 2, (box.height - side) / 2);
  context.scale(side / 24, side / 24);
  context.fillStyle = color;
  if (path != null) context.fill(new Path2D(path));
  context.restore();
  const value = mark.querySelector<HTMLElement>('.map-point__value');
  if (value !== null && value.textContent !== '') drawName(context, value, origin);
}

/** With the paper about its letters, as on the screen. */
function drawName(context: CanvasRenderingContext2D, element: HTMLElement, origin: DOMRect): void {
  const box = element.getBoundingClientRect();
  const { color, fontSize, fontWeight } = getComputedStyle(element);
  const paper = getComputedStyle(element).getPropertyValue('--map-paper') || lightLook.paper;
  context.font = `${fontWeight} ${fontSize} ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = paper;
  context.fillStyle = color;
  const [x, y] = [box.x - origin.x + box.width / 2, box.y - origin.y + box.height / 2];
  context.strokeText(element.textContent, x, y);
  context.fillText(element.textContent, x, y);
}

interface Writing {
  x: number;
  y: number;
  size: number;
  align?: CanvasTextAlign;
  weight?: number;
  /** Omits what does not fit. */
  room?: number;
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, size, align = 'left', weight = 400, room }: Writing,
): void {
  context.font = `${weight} ${size}px ${font}`;
  context.textAlign = align;
  context.textBaseline = 'middle';
  context.fillStyle = ink;
  context.fillText(room === undefined ? text : shortened(context, text, room), x, y);
}

/** The words of a text in lines that are no wider than `width`. */
function wrapped(
  context: CanvasRenderingContext2D,
  text: string,
  { size, width }: { size: number; width: number },
): string[] {
  context.font = `400 ${size}px ${font}`;
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** As much of a text as has room in the font that is set. */
function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && context.measureText(`${letters.join('')}…`).width > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

function drawHead(context: CanvasRenderingContext2D, { title, time }: PictureText, width: number): void {
  write(context, time, { x: margin + width, y: head / 2, size: 12, align: 'right' });
  const room = width - context.measureText(time).width - margin;
  write(context, title, { x: margin, y: head / 2, size: 20, weight: 650, room });
}

function drawNorth(context: CanvasRenderingContext2D, { x, y }: { x: number; y: number }, letter: string): void {
  context.beginPath();
  for (const [dx, dy] of northArrow) context.lineTo(x + dx, y + dy);
  context.closePath();
  context.fillStyle = ink;
  context.strokeStyle = '#ffffff';
  context.lineWidth = 3;
  context.stroke();
  context.fill();
  context.font = `700 ${northLetter.size}px ${font}`;
  context.textAlign = 'center';
  context.strokeText(letter, x, y + northLetter.y);
  context.fillText(letter, x, y + northLetter.y);
}

interface Scale extends Pick<PictureText, 'distance' | 'unit_m'> {
  metresPerPixel: number;
}

function drawScale(
  context: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  { metresPerPixel, distance, unit_m }: Scale,
): void {
  const length_m = scaleBar_m(longestBar_px * metresPerPixel, unit_m);
  const width = length_m / metresPerPixel;
  context.fillStyle = ink;
  context.fillRect(x, y, width / 2, 6);
  context.strokeStyle = ink;
  context.lineWidth = 1;
  context.strokeRect(x, y, width, 6);
  write(context, '0', { x, y: y + 18, size: 11 });
  write(context, distance(length_m), { x: x + width, y: y + 18, size: 11, align: 'center' });
}

function drawLegend(
  context: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  { title, types }: PictureText['legend'],
): void {
  write(context, title, { x, y: y + 8, size: 13, weight: 650 });
  for (const [at, { type, name, opacity }] of types.entries()) {
    const style = outlineStyle(type, lightLook, { isSelected: false, opacity });
    const top = y + 28 + at * legendRow;
    context.setLineDash([...style.dash]);
    context.strokeStyle = style.color;
    context.lineWidth = style.weight;
    context.fillStyle = style.fillColor;
    context.globalAlpha = style.fillOpacity;
    context.fillRect(x, top, 26, 16);
    context.globalAlpha = style.opacity;
    if (style.fillOpacity > 0) context.strokeRect(x, top, 26, 16);
    else {
      context.beginPath();
      context.moveTo(x, top + 8);
      context.lineTo(x + 26, top + 8);
      context.stroke();
    }
    context.globalAlpha = 1;
    context.setLineDash([]);
    write(context, name, { x: x + 36, y: top + 8, size: 12, room: legendWidth - 36 - margin });
  }
}
