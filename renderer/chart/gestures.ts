import type uPlot from 'uplot';
import type { Span } from './night.ts';

/** What the gestures request. */
export interface Asked {
  /** A new span, epoch ms. */
  ask: (span: Span) => void;
  /** Marks a moment, epoch ms. */
  mark: (atMs: number) => void;
  /** True when the plain wheel scrolls the page and only Ctrl+wheel zooms. */
  isWheelOfPage: () => boolean;
}

const wheelStep = 1.25;
/** A press that moves further is not a click. */
const stillPx = 3;

/** Wheel: zoom at the pointer; Shift+wheel or sideways: pan. Two fingers: zoom; one finger: pan. Click: mark. */
export function listenForGestures(plot: uPlot, { ask, mark, isWheelOfPage }: Asked): () => void {
  const over = plot.over;
  const fingers = new Map<number, number>();
  let pressedAtMs = 0;

  function spanNow(): Span {
    const { min = 0, max = 0 } = plot.scales['x'] ?? {};
    return { from_ms: (min ?? 0) * 1000, to_ms: (max ?? 0) * 1000 };
  }

  function shareAt(clientX: number): number {
    const { left, width } = over.getBoundingClientRect();
    return (clientX - left) / width;
  }

  function wheel(event: WheelEvent): void {
    if (isWheelOfPage() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const along = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.shiftKey || Math.abs(along) > Math.abs(event.deltaY)) ask(shifted(spanNow(), Math.sign(along) * 0.1));
    else ask(zoomed(spanNow(), event.deltaY > 0 ? wheelStep : 1 / wheelStep, shareAt(event.clientX)));
  }

  function down(event: PointerEvent): void {
    pressedAtMs = event.clientX;
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event.clientX);
  }

  function move(event: PointerEvent): void {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
    const { width } = over.getBoundingClientRect();
    const [other] = others;
    if (other === undefined) ask(shifted(spanNow(), (before - event.clientX) / width));
    else if (Math.abs(event.clientX - other) > 10) {
      const factor = Math.abs(before - other) / Math.abs(event.clientX - other);
      ask(zoomed(spanNow(), factor, shareAt((event.clientX + other) / 2)));
    }
    fingers.set(event.pointerId, event.clientX);
  }

  function up(event: PointerEvent): void {
    fingers.delete(event.pointerId);
  }

  function click(event: MouseEvent): void {
    if (Math.abs(event.clientX - pressedAtMs) > stillPx) return;
    const { from_ms, to_ms } = spanNow();
    mark(Math.round(from_ms + (to_ms - from_ms) * shareAt(event.clientX)));
  }

  over.style.touchAction = 'pan-y';
  over.addEventListener('wheel', wheel, { passive: false });
  over.addEventListener('pointerdown', down);
  over.addEventListener('pointermove', move);
  over.addEventListener('click', click);
  for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const) over.addEventListener(name, up);
  return () => {
    over.removeEventListener('wheel', wheel);
    over.removeEventListener('pointerdown', down);
    over.removeEventListener('pointermove', move);
    over.removeEventListener('click', click);
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const) over.removeEventListener(name, up);
  };
}

/** A span made longer (factor above 1) or shorter around a fraction of it: 0 its start, 1 its end. */
export function zoomed({ from_ms, to_ms }: Span, factor: number, share = 0.5): Span {
  const about = from_ms + (to_ms - from_ms) * share;
  return { from_ms: about - (about - from_ms) * factor, to_ms: about + (to_ms - about) * factor };
}

/** A span moved by a fraction of its length; positive is later. */
export function shifted({ from_ms, to_ms }: Span, share: number): Span {
  const by = (to_ms - from_ms) * share;
  return { from_ms: from_ms + by, to_ms: to_ms + by };
}
