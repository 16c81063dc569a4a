import { useDebounceFn } from '@vueuse/core';
import { shallowRef, watch, type Ref } from 'vue';
import type { Design } from '../../../server/contract/design.ts';
import type { FeatureType } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { movedLayer, overlaysOf, typeLayersOf, type TypeLayer } from '../../map/layer-settings.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useOpenMap } from '../../stores/map.ts';
import { describeError, useNotice } from '../../stores/notice.ts';

interface LayerOptions {
  map: Readonly<Ref<SiteMap | null>>;
  /** Without the right to change the map, layers are changed on this screen alone. */
  isReadOnly: Readonly<Ref<boolean>>;
  earlier: Readonly<Ref<Design | null>>;
}

const quiet_ms = 800;

/** How the features of each type are shown; kept with the map. */
export function useLayers({ map, isReadOnly, earlier }: LayerOptions) {
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();
  const layers = shallowRef<TypeLayer[]>(typeLayersOf());
  let isWaiting = false;

  const save = useDebounceFn(async (mapUuid: string) => {
    isWaiting = false;
    if (store.design?.map_uuid !== mapUuid) return;
    try {
      await store.saveLayers(overlaysOf(layers.value, store.design.layers.overlays));
    } catch (thrown) {
      notice.problem(t('map.layers.notSaved', { reason: describeError(thrown, t) }));
    }
  }, quiet_ms);

  function change(next: TypeLayer[]): void {
    layers.value = next;
    if (isReadOnly.value || store.design === null) return;
    isWaiting = true;
    void save(store.design.map_uuid);
  }

  const put = (type: FeatureType, changed: Partial<TypeLayer>): void =>
    change(layers.value.map((one) => (one.type === type ? { ...one, ...changed } : one)));

  watch(
    [() => store.design?.map_uuid, () => (earlier.value ?? store.design)?.layers],
    ([mapUuid, said], [before]) => {
      if (!isWaiting || mapUuid !== before) layers.value = typeLayersOf(said?.overlays);
    },
    { immediate: true },
  );
  watch([map, layers], ([opened, wanted]) => opened?.setLayers(wanted), { immediate: true });

  return {
    layers,
    setVisible: (type: FeatureType, isVisible: boolean) => put(type, { isVisible }),
    setOpacity: (type: FeatureType, opacity: number) => put(type, { opacity }),
    move: (type: FeatureType, by: 1 | -1) => change(movedLayer(layers.value, type, by)),
    reset: () => change(typeLayersOf()),
  };
}

export type MapLayers = ReturnType<typeof useLayers>;
