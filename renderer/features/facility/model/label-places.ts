import type { Vec } from '../../../scene/part.ts';

/** A label at a place of the model. */
export interface ModelLabel {
  id: string;
  place: Vec;
  text: string;
  tone: 'value' | 'unknown' | 'quiet';
}

/** A label on the canvas, px. */
export interface PlacedLabel extends Omit<ModelLabel, 'place'> {
  x: number;
  y: number;
}

const line_px = 22;
const letter_px = 7.5;
const wideLetter_px = 13;

const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? wideLetter_px : letter_px), 14);

/** The labels that fit on the canvas without overlapping; earlier ones win. */
export function withRoom(labels: readonly PlacedLabel[], canvas: { width: number; height: number }): PlacedLabel[] {
  const kept: { left: number; right: number; top: number; bottom: number }[] = [];
  return labels.filter(({ x, y, text }) => {
    const half = widthOf(text) / 2;
    const box = { left: x - half, right: x + half, top: y - line_px, bottom: y };
    if (box.left < 0 || box.right > canvas.width || box.top < 0 || box.bottom > canvas.height) return false;
    const isFree = kept.every(
      (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
    );
    if (isFree) kept.push(box);
    return isFree;
  });
}
