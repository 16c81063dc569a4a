import type { Ref } from 'vue';
import { useText } from '../../i18n/index.ts';
import { sizeOf } from '../../map/geodesy.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useFormat } from '../../ui/format.ts';

/** A view of the whole of a large farm would print a book. */
const mostRows = 300;

/** The table of the areas in view, by name, for the sheet that is printed; null when there is none. */
export function useAreaTable(map: Readonly<Ref<SiteMap | null>>): () => HTMLTableElement | null {
  const { t, locale } = useText();
  const format = useFormat();
  return () => {
    const order = new Intl.Collator(locale.value, { numeric: true });
    const areas = (map.value?.areasInView() ?? []).toSorted((one, other) =>
      order.compare(one.properties.name, other.properties.name),
    );
    if (areas.length === 0) return null;
    const table = document.createElement('table');
    table.createCaption().textContent = t('map.export.areas');
    const head = table.createTHead().insertRow();
    for (const key of ['name', 'type', 'area', 'perimeter'] as const) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = t(key === 'name' ? 'map.conflict.name' : `map.form.${key}`);
      head.append(cell);
    }
    const body = table.createTBody();
    for (const { geometry, properties } of areas.slice(0, mostRows)) {
      const { area_m2, length_m } = sizeOf(geometry);
      const row = body.insertRow();
      for (const text of [
        properties.name,
        t(`map.types.${properties.type}`),
        format.quantity(area_m2, 'm2'),
        format.quantity(length_m, 'm', 1),
      ]) {
        row.insertCell().textContent = text;
      }
    }
    const left = areas.length - mostRows;
    if (left > 0) {
      const cell = table.createTFoot().insertRow().insertCell();
      cell.colSpan = 4;
      cell.textContent = t('map.export.areasMore', { n: format.number(left) }, left);
    }
    return table;
  };
}
