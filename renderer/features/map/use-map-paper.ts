import { useEventListener } from '@vueuse/core';
import { onScopeDispose, type Ref } from 'vue';
import { tableElement } from '../../map/sheet-table.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { usePrinting } from '../../ui/use-printing.ts';
import { useAreaTable } from './use-area-table.ts';
import { usePictureText } from './use-picture-text.ts';

/**
 * The sheet that is printed: the part of the map that is on the screen with its name, scale, north and legend, as a
 * picture, for Leaflet draws nothing anew while the browser prints, and the table of its areas. By the browser's own
 * menu it has the colours of the screen, else light ones.
 */
export function useMapPaper(map: Readonly<Ref<SiteMap | null>>): { print: () => Promise<void> } {
  const textOf = usePictureText(map);
  const areaTable = useAreaTable(map);
  const { canPrint } = usePrinting();
  let sheet: HTMLElement | undefined;

  function lay(picture: HTMLCanvasElement): void {
    clear();
    sheet = document.createElement('div');
    sheet.className = 'map-paper';
    picture.role = 'img';
    picture.ariaLabel = textOf().title;
    const table = areaTable();
    sheet.append(picture, ...(table === null ? [] : [tableElement(table)]));
    document.body.append(sheet);
  }

  function clear(): void {
    sheet?.remove();
    sheet = undefined;
  }

  async function print(): Promise<void> {
    if (map.value === null || !canPrint) return;
    lay(await map.value.picture(textOf()));
    window.print();
  }

  useEventListener(window, 'beforeprint', () => {
    // A plan of pipes has a sheet of its own.
    const isOther = document.querySelector('body > .bill-paper') !== null;
    if (sheet === undefined && map.value !== null && !isOther) lay(map.value.pictured(textOf()));
  });
  useEventListener(window, 'afterprint', clear);
  useEventListener(window, 'keydown', (event) => {
    if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void print();
  });
  onScopeDispose(clear);
  return { print };
}
