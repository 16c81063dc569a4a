import { shallowRef } from 'vue';

/** The part of the bar above a page that holds nothing to press; null on a page without a bar. */
export const noticeRoom = shallowRef<HTMLElement | null>(null);

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What is pressed, or is a stop of the keys. */
export const pressable =
  'a, button, input, select, textarea, summary, [role=button], [role=slider], [role=combobox], [tabindex="0"]';
/** From the edge of the page, px. */
const margin = 8;
/** Between two places that are tried above one another, px. */
const step = 16;

const covers = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

/** Where a box of this size covers the least to press: as low in the page as can be, in its middle or at a side. */
export function freestPlace({ width, height }: Pick<Box, 'width' | 'height'>): { left: number; top: number } {
  const frame =
    document.querySelector('#content')?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const pressed = [...document.querySelectorAll(`:is(${pressable}):not(.notice-bar *)`)].map((one) =>
    one.getBoundingClientRect(),
  );
  const lefts = [(frame.width - width) / 2, frame.width - width - margin, margin].map(
    (x) => frame.left + Math.max(0, x),
  );
  const lowest = frame.bottom - height - margin;
  const rows = Math.max(1, Math.floor((lowest - frame.top) / step));
  const places = Array.from({ length: rows }, (_, row) => lowest - row * step).flatMap((top) =>
    lefts.map((left) => ({ left, top })),
  );
  const costOf = (place: { left: number; top: number }): number =>
    pressed.filter((one) => covers({ ...place, width, height }, one)).length;
  return places.reduce((best, one) => (costOf(one) < costOf(best) ? one : best));
}
