import type { FeatureType } from '../../server/contract/overlay.ts';
import { lightLook, pathStyle } from './look.ts';
import { roundStep } from './metric-step.ts';

/** What stands around the map on a picture of it. */
export interface PictureText {
  title: string;
  /** When it was made. */
  time: string;
  /** Types that are seen, with their names, and the name of the list. */
  legend: { title: string; types: readonly { type: FeatureType; name: string }[] };
  /** The letter of north. */
  north: string;
  /** Writes a distance in m. */
  distance: (metres: number) => string;
  /** Length of the unit that distances are shown in, in m. */
  unit_m: number;
}

export interface PictureMap {
  container: HTMLElement;
  /** At the middle of the map. */
  metresPerPixel: number;
  attribution: string;
}

const margin = 24;
const head = 56;
const foot = 64;
const legendWidth = 200;
const ink = '#1b2329';
const font = '"Noto Sans", "Noto Sans CJK KR", system-ui, sans-serif';
/** The most that a scale bar is long. */
const longestBar_px = 180;

/** The part of the map that is on the screen, at least at twice its points, with title, scale bar, north arrow, legend and attribution. */
export function mapPicture(
  { container, metresPerPixel, attribution }: PictureMap,
  text: PictureText,
): HTMLCanvasElement {
  const scale = Math.max(2, devicePixelRatio);
  const { width, height } = container.getBoundingClientRect();
  const hasLegend = text.legend.types.length > 0;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round((width + 2 * margin + (hasLegend ? legendWidth : 0)) * scale);
  canvas.height = Math.round((height + head + foot) * scale);
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
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
  write(context, attribution, { x: margin + width, y: head + height + 26, size: 11, align: 'right' });
  if (hasLegend) drawLegend(context, { x: 2 * margin + width - 4, y: head }, text.legend);
  return canvas;
}

/** What Leaflet has drawn, from the lowest to the highest: tiles, shapes, then names and marks. */
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
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, size, align = 'left', weight = 400 }: Writing,
): void {
  context.font = `${weight} ${size}px ${font}`;
  context.textAlign = align;
  context.textBaseline = 'middle';
  context.fillStyle = ink;
  context.fillText(text, x, y);
}

function drawHead(context: CanvasRenderingContext2D, { title, time }: PictureText, width: number): void {
  write(context, title, { x: margin, y: head / 2, size: 20, weight: 650 });
  write(context, time, { x: margin + width, y: head / 2, size: 12, align: 'right' });
}

function drawNorth(context: CanvasRenderingContext2D, { x, y }: { x: number; y: number }, letter: string): void {
  context.beginPath();
  for (const [dx, dy] of [
    [0, 0],
    [11, 36],
    [0, 28],
    [-11, 36],
  ] as const) {
    context.lineTo(x + dx, y + dy);
  }
  context.closePath();
  context.fillStyle = ink;
  context.strokeStyle = '#ffffff';
  context.lineWidth = 3;
  context.stroke();
  context.fill();
  context.font = `700 14px ${font}`;
  context.textAlign = 'center';
  context.strokeText(letter, x, y + 48);
  context.fillText(letter, x, y + 48);
}

interface Scale extends Pick<PictureText, 'distance' | 'unit_m'> {
  metresPerPixel: number;
}

function drawScale(
  context: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  { metresPerPixel, distance, unit_m }: Scale,
): void {
  // The round length of which five, two or one are the longest that has room.
  const longest = (longestBar_px * metresPerPixel) / unit_m;
  const step = roundStep(longest / 5);
  const length_m = (step * 5 <= longest ? step * 5 : step * 2 <= longest ? step * 2 : step) * unit_m;
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
  for (const [at, { type, name }] of types.entries()) {
    const style = pathStyle(type, lightLook, { isSelected: false });
    const top = y + 28 + at * 26;
    context.setLineDash(
      typeof style.dashArray === 'string' && style.dashArray !== '' ? style.dashArray.split(' ').map(Number) : [],
    );
    context.strokeStyle = style.color ?? ink;
    context.lineWidth = style.weight ?? 1;
    context.fillStyle = style.fillColor ?? ink;
    context.globalAlpha = style.fillOpacity ?? 0;
    context.fillRect(x, top, 26, 16);
    context.globalAlpha = 1;
    if ((style.fillOpacity ?? 0) > 0) context.strokeRect(x, top, 26, 16);
    else {
      context.beginPath();
      context.moveTo(x, top + 8);
      context.lineTo(x + 26, top + 8);
      context.stroke();
    }
    context.setLineDash([]);
    write(context, name, { x: x + 36, y: top + 8, size: 12 });
  }
}
