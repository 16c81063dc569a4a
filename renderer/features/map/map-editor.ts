import { until, useEventListener, useLocalStorage, useResizeObserver } from '@vueuse/core';
import { markRaw, onBeforeUnmount, watch, type Ref } from 'vue';
import type { Design, MapSketch } from '../../../server/contract/design.ts';
import type { Geometry } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import type { SiteMapListener, View } from '../../map/site-map-port.ts';
import type { Covered } from '../../map/sight.ts';
import { startPainter } from '../../map/shapes/shape-canvas.ts';
import { SiteMap } from '../../map/site-map.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import { useMapAppearance } from '../../ui/map-appearance.ts';
import { isShapeAction } from './shape-tools/list.ts';
import { useShapeTools } from './use-shape-tools.ts';
import { firstTypes, mapDesk, type MapDesk } from './map-desk.ts';
import type { MapAction } from './tools.ts';
import { useDrawing } from './use-drawing.ts';
import { useMapChanges } from './use-map-changes.ts';
import { useMapTools } from './use-map-tools.ts';
import { usePlacedDevices } from './use-placed-devices.ts';

/** Until a sketch says where it lies. */
const firstZoom = 14;

interface EditorOptions {
  isReadOnly: Readonly<Ref<boolean>>;
  /** An earlier state to show in place of the map; it is only looked at. */
  earlier: Readonly<Ref<Design | null>>;
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
  /** How much of the map lies under its tools and the open form. */
  covered: () => Covered;
  /** Returns whether the click was handled; otherwise it selects what is there. */
  clicked: (place: { lat: number; lng: number }) => boolean;
}

/** The active tools: what is selected, drawn and edited, between the open map and Leaflet. */
export function useMapEditor(element: Readonly<Ref<HTMLElement | null>>, options: EditorOptions) {
  const desk = mapDesk();
  const devices = usePlacedDevices(() => desk.map.value?.refreshDevices());
  const tools = useMapTools(desk, options.earlier);
  const changes = useMapChanges(desk, { ...options, ...devices, ...tools });
  const shapeTools = useShapeTools(desk, { ...options, ...tools });
  const parts = { ...options, ...devices, ...tools, ...changes, ...shapeTools };
  const drawn = useDrawn(desk, parts);
  const { sketch, show, snaps, isSquare } = useShownMap(element, desk, { ...parts, drawn });
  followChanges(desk, parts);
  useEventListener(
    window,
    'pointerdown',
    ({ pointerType }: PointerEvent) => {
      desk.isTouch.value = pointerType === 'touch';
    },
    { capture: true },
  );
  const act = useActions(desk, parts);
  return {
    ...desk,
    ...useDrawing(desk),
    ...tools,
    ...changes,
    ...shapeTools,
    placed: devices.placed,
    snaps,
    isSquare,
    sketch,
    show,
    drawn,
    act,
  };
}

export type MapEditor = ReturnType<typeof useMapEditor>;

type Parts = EditorOptions &
  ReturnType<typeof usePlacedDevices> &
  ReturnType<typeof useMapTools> &
  ReturnType<typeof useMapChanges> &
  ReturnType<typeof useShapeTools>;

type Drawn = NonNullable<SiteMapListener['drawn']>;

/** What a drawn shape becomes: the cut of a tool, a selection, the device being placed, or a new feature. */
function useDrawn(
  { placing, types, tool }: MapDesk,
  { setTool, place, add, selectInside, applyShapeTool }: Parts,
): Drawn {
  return (geometry: Geometry) => {
    if (tool.value === 'shape') return void applyShapeTool(geometry);
    if (tool.value === 'area') return selectInside(geometry);
    const device = placing.value;
    const type = types[geometry.type === 'Point' ? 'point' : geometry.type === 'LineString' ? 'line' : 'outline'];
    setTool('select');
    if (device !== null) place(device, geometry);
    else add({ type, name: '' }, geometry);
  };
}

/** Actions of keys and buttons. */
function useActions(
  { map, tool, isHelpOpen }: MapDesk,
  { holdsHouse, select, selectAll, setTool, removeSelected, beginShapeTool }: Parts,
) {
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();
  /** The last corner is then the last step, not the shape finished before. */
  const isDrawing = (): boolean => (map.value?.hand.corners ?? []).length > 0;

  /** Undoes or redoes, unless that takes the shape of a house off the map: the whole save would be refused. */
  function step(run: () => void, removed: readonly string[]): void {
    if (removed.some(holdsHouse)) notice.problem(t('errors.shape_in_use'));
    else run();
  }

  return (action: Exclude<MapAction, 'history'>): void => {
    switch (action) {
      case 'cancel':
        if (tool.value === 'select') select(null);
        else setTool('select');
        break;
      case 'delete':
        return removeSelected();
      case 'undo':
        return isDrawing() ? map.value?.hand.removeLastCorner() : step(store.undo, store.removedByUndo());
      case 'redo':
        return isDrawing() ? undefined : step(store.redo, store.removedByRedo());
      case 'save':
        return void store.flush();
      case 'help':
        isHelpOpen.value = true;
        break;
      case 'fit':
        return map.value?.fit();
      case 'selectAll':
        // Not what is hidden or filtered out: the next key would move or delete it unseen.
        return selectAll(map.value?.idsVisible() ?? []);
      default:
        if (isShapeAction(action)) beginShapeTool(action);
        else setTool(action);
    }
  };
}

/** Leaflet's map in its element, for as long as the page lives. */
function useShownMap(
  element: Readonly<Ref<HTMLElement | null>>,
  desk: MapDesk,
  { clicked, select, toggle, drawn, reshape, describeDevice }: Parts & { drawn: Drawn },
) {
  const { map, types } = desk;
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();
  const appearance = useMapAppearance();
  const snaps = useLocalStorage('orangery.map-snaps', true);
  const isSquare = useLocalStorage('orangery.map-square', false);
  const listener: SiteMapListener = {
    clicked,
    selected: (id, adds) => {
      if (id !== null && (adds || desk.isPicking.value)) toggle(id);
      else if (id !== null || !adds) select(id);
    },
    progress: (drawnSoFar) => (desk.positions.value = drawnSoFar),
    drawn,
    refused: () => notice.problem(t('map.draw.crosses')),
    reshaped: reshape,
    crowded: () => notice.problem(t('map.tools.crowded')),
    pointer: (at) => (desk.pointer.value = at),
    moved: (_view, spacing) => (desk.grid_m.value = spacing),
    popup: (opened) => (desk.popup.value = opened),
    device: describeDevice,
  };

  /** Ready by the time the first map is read. */
  let painter: Worker | undefined = startPainter();
  /** The map of which the sketch is shown. */
  let sketched: string | null = null;

  function begin(at: HTMLElement, view: View): SiteMap {
    map.value?.destroy();
    const begun = markRaw(new SiteMap(at, view, { appearance: appearance.value, listener, painter }));
    painter = undefined;
    begun.hand.setSnapping(snaps.value);
    begun.hand.setSquare(isSquare.value);
    map.value = begun;
    return begun;
  }

  /** Shows a large map before its features are read; resolves once it is seen. */
  async function sketch(drawn: MapSketch): Promise<void> {
    const at = await until(element).not.toBeNull();
    sketched = drawn.map_uuid;
    await begin(at, { lat: drawn.south, lng: drawn.west, zoom: firstZoom }).showSketch(drawn);
  }

  /** Begins to show a map; one whose sketch is shown stays where it was moved to. */
  async function show({ map_uuid, ...view }: View & Pick<Design, 'map_uuid'>): Promise<void> {
    const at = await until(element).not.toBeNull();
    if (store.design?.map_uuid !== map_uuid) return; // another is open by now
    const kept = sketched === map_uuid ? map.value : null;
    sketched = null;
    const shown = kept ?? begin(at, view);
    const hasSite = store.features.some((feature) => feature.properties.type === 'site');
    types.outline = hasSite ? 'facility' : firstTypes.outline;
    shown.showAll(store.features, { fits: kept === null });
  }

  watch(snaps, (wanted) => map.value?.hand.setSnapping(wanted));
  watch(isSquare, (wanted) => map.value?.hand.setSquare(wanted));
  watch(appearance, (wanted) => map.value?.setAppearance(wanted));
  useResizeObserver(element, () => map.value?.resized());
  onBeforeUnmount(() => {
    map.value?.destroy();
    painter?.terminate();
  });
  return { sketch, show, snaps, isSquare };
}

/** Shows what changed in the open map, and an earlier state in place of it. */
function followChanges({ map, selection, popup }: MapDesk, { earlier, select, selectAll, setTool }: Parts): void {
  const store = useOpenMap();
  store.onChanged(({ ids }) => {
    if (earlier.value === null) map.value?.show(ids, store.find);
    const left = selection.value.filter((id) => store.find(id) !== undefined);
    if (left.length < selection.value.length) selectAll(left);
    if (popup.value !== null && ids.includes(popup.value.id)) map.value?.closePopup();
  });
  watch(earlier, (shown) => {
    setTool('select');
    select(null);
    map.value?.showAll(shown?.features.features ?? store.features);
  });
}
