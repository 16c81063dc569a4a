import { useLocalStorage } from '@vueuse/core';
import { computed, reactive, shallowRef, watch, type Ref } from 'vue';
import { baseMapEndpoints, type BaseMap } from '../../../server/contract/base-map.ts';
import type { MapLayerKind } from '../../../server/contract/map-service.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import type { LayerBox, OutsideLayer, OutsideState } from '../../map/outside-layer.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useSession } from '../../stores/session.ts';
import { useSettings } from '../../stores/settings.ts';
import {
  baseChoices,
  fileChoices,
  listedChoices,
  radarLayer,
  weatherLayerOf,
  wmsChoices,
  type WeatherLayer,
} from './outside-choices.ts';
import { useRadar } from './use-radar.ts';

/** What this device shows from outside services. */
interface Shown {
  base: string | null;
  hasRadar: boolean;
  weather: WeatherLayer | null;
  /** Ids of WMS layers, from the lowest to the highest. */
  wms: string[];
}

/** A layer of a Web Map Service and the box to ask it about. */
export interface LayerQuestion {
  unique_id: string;
  name: string;
  box: LayerBox;
}

const overlayOpacity = 0.7;

/** What the map shows from outside services, as allowed by the settings and chosen on this device. */
export function useOutside(map: Readonly<Ref<SiteMap | null>>) {
  const call = useCall();
  const { t } = useText();
  const layerName = (service: string, kind: MapLayerKind): string =>
    `${service}${t('ui.colon')}${t(`outside.layerKinds.${kind}`)}`;
  const settings = useSettings();
  const shown = useLocalStorage<Shown>('orangery.map-outside', { base: null, hasRadar: false, weather: null, wms: [] });
  const states = reactive<Record<string, OutsideState>>({});
  const isAskingSoil = shallowRef(false);
  const isAskingLayers = shallowRef(false);
  const soilPlace = shallowRef<{ lat: number; lng: number } | null>(null);
  const layerQuestions = shallowRef<readonly LayerQuestion[] | null>(null);

  const files = shallowRef<readonly BaseMap[]>([]);
  const bases = computed(() => [
    ...fileChoices(files.value),
    ...(settings.site === null ? [] : [...listedChoices(settings.site, layerName), ...baseChoices(settings.site)]),
  ]);
  // Without the list the built-in map is there.
  void call(baseMapEndpoints.list)
    .then(({ base_maps }) => (files.value = base_maps))
    .catch(() => undefined);
  const session = useSession();
  /** What may be stored of the present base map, for users with permission. */
  const area = computed(() =>
    session.can('edit_settings') ? bases.value.find(({ id }) => id === shown.value.base)?.area : undefined,
  );
  const wms = computed(() => (settings.site === null ? [] : wmsChoices(settings.site)));
  const mayRadar = computed(() => settings.site?.providers.rainviewer.enabled === true);
  const maySoil = computed(() => settings.site?.providers.isric.enabled === true);
  const mayWeather = computed(() => {
    const provider = settings.site?.providers.openweather;
    return provider?.enabled === true && provider.key !== undefined;
  });
  const isRadarShown = computed(() => mayRadar.value && shown.value.hasRadar);
  const radar = useRadar(isRadarShown);

  const layers = computed<OutsideLayer[]>(() => {
    const base = bases.value.filter(({ id }) => id === shown.value.base).map((one) => ({ ...one, opacity: 1 }));
    const services = wms.value.flatMap(({ id, layer }) =>
      layer !== null && shown.value.wms.includes(id) ? [layer] : [],
    );
    const { weather } = shown.value;
    const above = [
      ...services,
      ...(mayWeather.value && weather !== null ? [weatherLayerOf(weather)] : []),
      ...(radar.time.value === null ? [] : [radarLayer(radar.time.value)]),
    ];
    return [...base, ...above.map((one) => ({ ...one, opacity: overlayOpacity }))];
  });

  watch([map, layers], ([opened, wanted]) => opened?.showOutside(wanted, (id, state) => (states[id] = state)), {
    immediate: true,
  });
  // A place's information is cleared when it is switched off.
  watch(isAskingSoil, (isNow) => isNow || (soilPlace.value = null));
  watch(isAskingLayers, (isNow) => isNow || (layerQuestions.value = null));
  /** Layers that are wanted and do not come. */
  const missing = computed(() =>
    layers.value.filter(({ id }) => states[id] === 'off').map(({ attribution }) => attribution),
  );

  /** Asks what the switched-on services know of a place; true where one was asked. */
  function askAt(place: { lat: number; lng: number }): boolean {
    const asksLayers = isAskingLayers.value && wms.value.length > 0;
    if (isAskingSoil.value) soilPlace.value = place;
    if (asksLayers) layerQuestions.value = questionsAt(place);
    return isAskingSoil.value || asksLayers;
  }

  function questionsAt(place: { lat: number; lng: number }): LayerQuestion[] {
    return wms.value.flatMap(({ id, unique_id, name, layer }) => {
      const box = layer === null || !shown.value.wms.includes(id) ? undefined : map.value?.boxAround(place, layer.crs);
      return box === undefined ? [] : { unique_id, name, box };
    });
  }

  const asking = { isAskingSoil, isAskingLayers, soilPlace, layerQuestions, askAt };
  return { ...asking, shown, bases, area, map, wms, mayRadar, maySoil, mayWeather, isRadarShown, radar, missing };
}

export type Outside = ReturnType<typeof useOutside>;
