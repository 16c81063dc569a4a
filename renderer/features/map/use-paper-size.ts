import { useEventListener } from '@vueuse/core';
import type { Ref } from 'vue';

/** The map on a sheet of A4 or letter, landscape, between its margins and beneath its name, in CSS px. */
const paper_px = { width: 960, height: 610 };

/**
 * On paper the map keeps the size that it has on the screen, for Leaflet draws nothing anew while the browser prints, and
 * is shrunk to the sheet as a whole. Sets `--paper-width`, `--paper-height` and `--paper-zoom` on the element around it.
 */
export function usePaperSize(canvas: Readonly<Ref<HTMLElement | null>>): void {
  useEventListener(window, 'beforeprint', () => {
    const frame = canvas.value?.parentElement;
    if (canvas.value === null || frame === null || frame === undefined) return;
    const { clientWidth, clientHeight } = canvas.value;
    frame.style.setProperty('--paper-width', `${clientWidth}px`);
    frame.style.setProperty('--paper-height', `${clientHeight}px`);
    const zoom = Math.min(1, paper_px.width / clientWidth, paper_px.height / clientHeight);
    frame.style.setProperty('--paper-zoom', String(zoom));
  });
}
