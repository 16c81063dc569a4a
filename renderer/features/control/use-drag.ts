import { shallowRef, type Ref, type ShallowRef } from 'vue';
import { picture } from './daily-points.ts';

interface Drag<Grip, Scale> {
  /** The picture's scale, frozen while something is dragged; null otherwise. */
  held: ShallowRef<Scale | null>;
  begin: (grip: Grip, scale: Scale, event: PointerEvent) => void;
  drag: (event: PointerEvent) => void;
  end: () => void;
}

/** Drags part of a drawn curve by mouse, pen or finger; calls `move` with its position in drawing units. */
export function useDrag<Grip, Scale>(
  svg: Ref<SVGSVGElement | null>,
  move: (moved: { grip: Grip; x: number; y: number; hold: Scale }) => void,
): Drag<Grip, Scale> {
  const held = shallowRef<Scale | null>(null);
  let dragged: { grip: Grip; hold: Scale } | null = null;
  return {
    held,
    begin: (grip, scale, event) => {
      held.value = scale;
      dragged = { grip, hold: scale };
      svg.value?.setPointerCapture(event.pointerId);
    },
    drag: (event) => {
      const box = svg.value?.getBoundingClientRect();
      if (dragged === null || box === undefined) return;
      const x = ((event.clientX - box.left) / box.width) * picture.width;
      const y = ((event.clientY - box.top) / box.height) * picture.height;
      move({ ...dragged, x, y });
    },
    end: () => {
      dragged = null;
      held.value = null;
    },
  };
}

const arrows: Readonly<Record<string, { steps: number; tenths: number }>> = {
  ArrowLeft: { steps: -1, tenths: 0 },
  ArrowRight: { steps: 1, tenths: 0 },
  ArrowUp: { steps: 0, tenths: 1 },
  ArrowDown: { steps: 0, tenths: -1 },
};

/** How an arrow key moves a point; null for other keys. Stops the page from scrolling. */
export function arrowOf(event: KeyboardEvent): { steps: number; tenths: number } | null {
  const known = arrows[event.key] ?? null;
  if (known !== null) event.preventDefault();
  return known;
}
