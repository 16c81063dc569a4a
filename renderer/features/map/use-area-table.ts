import type { Ref } from 'vue';
import { useText } from '../../i18n/index.ts';
import { sizeOf } from '../../map/geodesy.ts';
import type { SheetTable } from '../../map/sheet-table.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useFormat } from '../../ui/format.ts';

/** A view of the whole of a large farm would print a book. */
const mostRows = 300;

/** The table of the areas in view, by name, for the sheet that is printed or saved; null when there is none. */
export function useAreaTable(map: Readonly<Ref<SiteMap | null>>): () => SheetTable | null {
  const { t, locale } = useText();
  const format = useFormat();
  return () => {
    const order = new Intl.Collator(locale.value, { numeric: true });
    const areas = (map.value?.areasInView() ?? [])
      .map((feature) => ({ feature, name: map.value?.nameOf(feature) ?? '' }))
      .toSorted((one, other) => order.compare(one.name, other.name));
    if (areas.length === 0) return null;
    const rows = areas.slice(0, mostRows).map(({ feature: { geometry, properties }, name }) => {
      const { area_m2, length_m } = sizeOf(geometry);
      const type = t(`map.types.${properties.type}`);
      return [name || t('map.unnamed'), type, format.quantity(area_m2, 'm2'), format.quantity(length_m, 'm', 1)];
    });
    const left = areas.length - mostRows;
    return {
      title: t('map.export.areas'),
      head: [t('map.conflict.name'), t('map.form.type'), t('map.form.area'), t('map.form.perimeter')],
      rows,
      more: left > 0 ? t('map.export.areasMore', { n: format.number(left) }, left) : null,
    };
  };
}
