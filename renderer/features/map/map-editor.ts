import { useLocalStorage, useResizeObserver, watchDebounced } from '@vueuse/core';
import { computed, markRaw, nextTick, onBeforeUnmount, onMounted, reactive, shallowRef, watch } from 'vue';
import type { Ref } from 'vue';
import type { Design } from '../../../server/contract/design.ts';
import type { Device } from '../../../server/contract/device.ts';
import type { Feature, FeatureType, Geometry } from '../../../server/contract/overlay.ts';
import { useFormat } from '../../ui/format.ts';
import { useText } from '../../i18n/index.ts';
import type { DrawTool } from '../../map/drawing-port.ts';
import { idOf } from '../../map/edit-buffer.ts';
import type { PlacedDevice } from '../../map/feature-layers.ts';
import type { Position } from '../../map/geometry.ts';
import { SiteMap } from '../../map/site-map.ts';
import type { View } from '../../map/site-map.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import { useMapAppearance } from '../../ui/map-appearance.ts';
import { kindOf } from './device-look.ts';
import type { MapAction, Tool } from './tools.ts';

/** What each kind of shape becomes at first. */
const firstTypes = { outline: 'site', line: 'pipe', point: 'label' } as const satisfies Record<string, FeatureType>;
type DrawnKind = keyof typeof firstTypes;

interface EditorOptions {
  isReadOnly: Readonly<Ref<boolean>>;
  /** An earlier state to show in place of the map; it is only looked at. */
  earlier: Readonly<Ref<Design | null>>;
  /** Whether a house stands on a shape. */
  holdsHouse: (id: string) => boolean;
  /** How much of the map the open form lies over, from the bottom. */
  covered_px: () => number;
  /** A place of the map where nothing stands. */
  clicked: (place: { lat: number; lng: number }) => void;
}

/** The tools at work: what is selected, drawn and edited, between the open map and Leaflet. */
export function useMapEditor(
  element: Readonly<Ref<HTMLElement | null>>,
  { isReadOnly, earlier, holdsHouse, covered_px, clicked }: EditorOptions,
) {
  const { t } = useText();
  const format = useFormat();
  const store = useOpenMap();
  const live = useLive();
  const appearance = useMapAppearance();
  const notice = useNotice();

  const map = shallowRef<SiteMap | null>(null);
  const tool = shallowRef<Tool>('select');
  const selected = shallowRef<string | null>(null);
  const positions = shallowRef<Position[]>([]);
  const pointer = shallowRef<{ lat: number; lng: number } | null>(null);
  const grid_m = shallowRef<number | null>(null);
  const popup = shallowRef<{ id: string; element: HTMLElement } | null>(null);
  const placing = shallowRef<Device | null>(null);
  const isTouch = shallowRef(matchMedia('(pointer: coarse)').matches);
  const types = reactive<Record<DrawnKind, FeatureType>>({ ...firstTypes });
  const isHelpOpen = shallowRef(false);
  const snaps = useLocalStorage('orangery.map-snaps', true);
  const kindOfTool = computed<DrawnKind>(() =>
    tool.value === 'marker' ? 'point' : tool.value === 'line' ? 'line' : 'outline',
  );

  const selectedFeature = computed(() =>
    selected.value === null ? undefined : store.features.find((feature) => idOf(feature) === selected.value),
  );
  /** What the tool in the hand draws. */
  const drawnType = computed({
    get: () => types[kindOfTool.value],
    set: (type) => {
      types[kindOfTool.value] = type;
    },
  });
  const placed = computed(
    () =>
      new Map(
        store.features.flatMap((feature) =>
          feature.properties.device_id === undefined
            ? []
            : [[feature.properties.device_id.toLowerCase(), idOf(feature)] as const],
        ),
      ),
  );

  function describeDevice(feature: Feature): PlacedDevice {
    const device = live.device(feature.properties.device_id ?? '');
    const first = device?.channels[0];
    const kind = kindOf(device);
    if (first?.measurement_id !== undefined) {
      const known = live.value(first.measurement_id);
      return { kind, value: known === undefined ? '' : format.quantity(known.value, known.unit) };
    }
    const state =
      device === undefined || first === undefined ? undefined : live.output(device.unique_id, first.channel)?.state;
    if (kind !== 'output') return { kind, value: '' };
    if (typeof state === 'number') return { kind, value: format.quantity(state, '%') };
    return { kind, value: t(state === 'on' ? 'ui.on' : state === 'off' ? 'ui.off' : 'ui.unknown') };
  }

  function select(id: string | null): void {
    if (id !== null && earlier.value !== null) return;
    selected.value = id;
    if (tool.value === 'edit') setTool('select');
    map.value?.select(id);
    if (id !== null && store.find(id)?.properties.device_id !== undefined) map.value?.openPopup(id);
    else map.value?.closePopup();
  }

  function setTool(wanted: Tool): void {
    map.value?.stopTool();
    positions.value = [];
    placing.value = null;
    const feature = selectedFeature.value;
    if (wanted === 'edit' && feature === undefined) return setTool('select');
    tool.value = wanted;
    if (wanted === 'edit' && feature !== undefined) map.value?.edit(feature);
    else if (wanted !== 'select' && wanted !== 'edit') startDrawing(wanted);
  }

  function startDrawing(wanted: DrawTool): void {
    map.value?.draw(wanted, { isTouch: isTouch.value, crossesText: t('map.draw.crosses') });
  }

  function drawn(geometry: Geometry): void {
    const device = placing.value;
    const type = types[geometry.type === 'Point' ? 'point' : geometry.type === 'LineString' ? 'line' : 'outline'];
    setTool('select');
    if (device !== null) place(device, geometry);
    else add({ type, name: '' }, geometry);
  }

  function add(
    properties: Omit<Feature['properties'], 'unique_id'> & { name: string; type: FeatureType },
    geometry: Geometry,
  ): void {
    const id = crypto.randomUUID();
    store.put([{ type: 'Feature', geometry, properties: { ...properties, unique_id: id } }]);
    // After a site its houses are drawn.
    if (properties.type === 'site') types.outline = 'facility';
    select(id);
    void nextTick(() => map.value?.bringIntoSight(id, covered_px()));
  }

  function place(device: Device, geometry: Geometry): void {
    if (!placed.value.has(device.unique_id.toLowerCase())) {
      add({ type: 'device', name: device.name, device_id: device.unique_id }, geometry);
    }
  }

  function beginPlacing(device: Device): void {
    setTool('marker');
    placing.value = device;
  }

  function reshape(id: string, geometry: Geometry): boolean {
    const feature = store.find(id);
    if (feature === undefined || isReadOnly.value) return false;
    store.put([{ ...feature, geometry }]);
    return true;
  }

  function rename(id: string, name: string): void {
    const feature = store.find(id);
    if (feature !== undefined) store.put([{ ...feature, properties: { ...feature.properties, name } }], `name:${id}`);
  }

  function removeSelected(): void {
    if (selected.value === null) return;
    const id = selected.value;
    // The server would refuse the whole save, and with it what is drawn afterwards.
    if (holdsHouse(id)) return notice.problem(t('errors.shape_in_use'));
    select(null);
    store.remove([id]);
  }

  function act(action: Exclude<MapAction, 'history'>): void {
    switch (action) {
      case 'cancel':
        if (tool.value === 'select') select(null);
        else setTool('select');
        break;
      case 'delete':
        return removeSelected();
      case 'undo':
        return store.undo();
      case 'redo':
        return store.redo();
      case 'save':
        return void store.flush();
      case 'help':
        isHelpOpen.value = true;
        break;
      case 'fit':
        return map.value?.fit();
      default:
        setTool(action);
    }
  }

  /** Begins to show a map. */
  function show(view: View): void {
    if (element.value === null) return;
    map.value?.destroy();
    map.value = markRaw(
      new SiteMap(element.value, view, {
        appearance: appearance.value,
        listener: {
          clicked,
          selected: select,
          progress: (drawnSoFar) => (positions.value = drawnSoFar),
          drawn,
          refused: () => notice.problem(t('map.draw.crosses')),
          reshaped: reshape,
          pointer: (at) => (pointer.value = at),
          moved: (_view, spacing) => (grid_m.value = spacing),
          popup: (opened) => (popup.value = opened),
          device: describeDevice,
        },
      }),
    );
    map.value.setSnapping(snaps.value);
    const hasSite = store.features.some((feature) => feature.properties.type === 'site');
    types.outline = hasSite ? 'facility' : firstTypes.outline;
    map.value.showAll(store.features);
    if (store.features.length > 0) map.value.fit();
  }

  store.onChanged(({ ids }) => {
    if (earlier.value === null) map.value?.show(ids, store.find);
    if (selected.value !== null && store.find(selected.value) === undefined) select(null);
    if (popup.value !== null && ids.includes(popup.value.id)) map.value?.closePopup();
  });
  watch(earlier, (shown) => {
    setTool('select');
    select(null);
    map.value?.showAll(shown?.features.features ?? store.features);
  });
  watch(snaps, (wanted) => map.value?.setSnapping(wanted));
  watch(appearance, (wanted) => map.value?.setAppearance(wanted));
  watchDebounced(
    () =>
      [...placed.value.values()]
        .map((id) => store.find(id))
        .map((one) => (one === undefined ? '' : describeDevice(one).value)),
    () => map.value?.refreshDevices(),
    { debounce: 250, maxWait: 1_000 },
  );
  useResizeObserver(element, () => map.value?.resized());

  const notePointer = (event: PointerEvent): void => {
    isTouch.value = event.pointerType === 'touch';
  };
  onMounted(() => window.addEventListener('pointerdown', notePointer, { capture: true }));
  onBeforeUnmount(() => {
    window.removeEventListener('pointerdown', notePointer, { capture: true });
    map.value?.destroy();
  });

  return {
    map,
    tool,
    selected,
    selectedFeature,
    positions,
    pointer,
    grid_m,
    popup,
    placing,
    placed,
    isTouch,
    drawnType,
    snaps,
    isHelpOpen,
    act,
    select,
    rename,
    reshape,
    removeSelected,
    beginPlacing,
    place,
    show,
  };
}
