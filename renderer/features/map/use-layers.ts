import { useEventListener } from '@vueuse/core';
import { shallowRef, watch, type Ref } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
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

const quietMs = 800;

/** How the features of each type are shown; kept with the map. */
export function useLayers({ map, isReadOnly, earlier }: LayerOptions) {
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();
  const layers = shallowRef<TypeLayer[]>(typeLayersOf());
  /** While a change waits to be saved. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Saves at once what waits. */
  async function flush(): Promise<void> {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    if (store.design === null) return;
    try {
      await store.saveLayers(overlaysOf(layers.value, store.design.layers.overlays));
    } catch (thrown) {
      notice.problem(t('map.layers.notSaved', { reason: describeError(thrown, t) }));
    }
  }

  function change(next: TypeLayer[]): void {
    layers.value = next;
    if (isReadOnly.value || store.design === null) return;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), quietMs);
  }

  const put = (type: FeatureType, changed: Partial<TypeLayer>): void =>
    change(layers.value.map((one) => (one.type === type ? { ...one, ...changed } : one)));

  watch(
    // Compared by content: each save by another user makes the design a new object.
    [() => store.design?.map_uuid, () => JSON.stringify((earlier.value ?? store.design)?.layers.overlays)],
    ([mapUuid], [before]) => {
      if (timer !== undefined && mapUuid === before) return;
      layers.value = typeLayersOf((earlier.value ?? store.design)?.layers.overlays);
    },
    { immediate: true },
  );
  onBeforeRouteLeave(flush);
  onBeforeRouteUpdate(flush);
  useEventListener(document, 'visibilitychange', () => {
    if (document.hidden) void flush();
  });
  useEventListener(window, 'beforeunload', (event) => {
    if (timer !== undefined) event.preventDefault();
    void flush();
  });
  watch([map, layers], ([opened, wanted]) => opened?.setLayers(wanted), { immediate: true });

  return {
    layers,
    setVisible: (type: FeatureType, isVisible: boolean) => put(type, { isVisible }),
    setOpacity: (type: FeatureType, opacity: number) => put(type, { opacity }),
    move: (type: FeatureType, by: number) => change(movedLayer(layers.value, type, by)),
    reset: () => change(typeLayersOf()),
    showAll: () => change(layers.value.map((one) => ({ ...one, isVisible: true, opacity: one.opacity || 1 }))),
  };
}

export type MapLayers = ReturnType<typeof useLayers>;
