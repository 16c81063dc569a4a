import { computed } from 'vue';
import type { MapLayerKind } from '../../../../server/contract/map-service.ts';
import { useText } from '../../../i18n/index.ts';

interface Covered {
  countries: readonly string[];
  layers?: Readonly<Partial<Record<MapLayerKind, unknown>>>;
}

/** What a tile service shows, and for which countries, in the language of the page. */
export function useMapServiceText(): (service: Covered) => string {
  const { t, locale } = useText();
  const regions = computed(() => new Intl.DisplayNames([locale.value], { type: 'region' }));
  const kindsOf = (layers: NonNullable<Covered['layers']>): string[] =>
    Object.keys(layers).map((kind) => t(`outside.layerKinds.${kind as MapLayerKind}`)); // a key of layers
  return ({ countries, layers = {} }) => {
    const where = countries.map((code) => regions.value.of(code) ?? code);
    return [...kindsOf(layers), ...(where.length === 0 ? [t('settings.services.maps.world')] : where)].join(' · ');
  };
}
