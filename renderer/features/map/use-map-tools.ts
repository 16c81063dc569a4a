import { computed, type Ref } from 'vue';
import type { Design } from '../../../server/contract/design.ts';
import type { Device } from '../../../server/contract/device.ts';
import type { Geometry } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import type { DrawTool } from '../../map/drawing-port.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { pathsOf, type Position } from '../../map/geometry.ts';
import { useOpenMap } from '../../stores/map.ts';
import type { DrawnKind, MapDesk } from './map-desk.ts';
import type { Tool } from './tools.ts';

/** What a mouse drags from corner to corner, and the keyboard draws by two corners, as a finger does. */
const dragged: Partial<Record<Tool, DrawTool>> = { area: 'rectangle', rectangle: 'rectangle', circle: 'circle' };

/** Selecting shapes and taking a tool into the hand. */
export function useMapTools(desk: MapDesk, earlier: Readonly<Ref<Design | null>>) {
  const { t } = useText();
  const store = useOpenMap();
  const { map, tool, selection, selected, types } = desk;

  const kindOfTool = computed<DrawnKind>(() =>
    tool.value === 'marker' ? 'point' : tool.value === 'line' ? 'line' : 'outline',
  );
  const selectedFeatures = computed(() => {
    // The store's list shows which features changed.
    if (store.features.length === 0) return [];
    return selection.value.flatMap((id) => store.find(id) ?? []);
  });
  const selectedFeature = computed(() =>
    selected.value === null ? undefined : selectedFeatures.value.find((feature) => idOf(feature) === selected.value),
  );
  /** What the active tool draws. */
  const drawnType = computed({
    get: () => types[kindOfTool.value],
    set: (type) => {
      types[kindOfTool.value] = type;
    },
  });

  function selectAll(ids: readonly string[]): void {
    if (ids.length > 0 && earlier.value !== null) return;
    selection.value = [...new Set(ids)];
    if (tool.value === 'edit' || tool.value === 'shape') setTool('select');
    map.value?.select(selection.value);
    const [id] = selection.value;
    if (id !== undefined && id === selected.value && store.find(id)?.properties.device_id !== undefined) {
      map.value?.openPopup(id);
    } else map.value?.closePopup();
  }

  function select(id: string | null): void {
    selectAll(id === null ? [] : [id]);
  }

  /** Adds a shape to the selection, or removes it. */
  function toggle(id: string): void {
    const has = selection.value.includes(id);
    selectAll(has ? selection.value.filter((one) => one !== id) : [...selection.value, id]);
  }

  function setTool(wanted: Tool): void {
    map.value?.hand.stop();
    if (tool.value === 'area') map.value?.showPreview([]);
    desk.positions.value = [];
    desk.placing.value = null;
    desk.shapeAction.value = null;
    const feature = selectedFeature.value;
    if (wanted === 'edit' && feature === undefined) return setTool('select');
    tool.value = wanted;
    if (wanted === 'edit' && feature !== undefined) map.value?.hand.edit(feature);
    else if (wanted === 'area') startArea();
    else if (wanted !== 'select' && wanted !== 'edit' && wanted !== 'shape') startDrawing(wanted);
  }

  function startDrawing(wanted: DrawTool): void {
    map.value?.hand.draw(wanted, { isTouch: desk.isTouch.value, crossesText: t('map.draw.crosses') });
  }

  /** Whether the active tool is dragged by mouse, so that two corners do the same. */
  const isDragged = (): boolean => dragged[tool.value] !== undefined;

  /** Sets a corner without a pointer. */
  function setCorner(at: Position): void {
    const wanted = dragged[tool.value];
    if (wanted !== undefined && map.value?.hand.corners.length === 0)
      map.value.hand.draw(wanted, { isTouch: true, crossesText: t('map.draw.crosses') });
    map.value?.hand.addCorner(at);
  }

  /** Adds what lies within a rectangle to the selection. */
  function startArea(): void {
    const show = ([west = 0, south = 0]: number[], [east = 0, north = 0]: number[]): void => {
      const ring = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ];
      map.value?.showPreview([{ positions: ring, isMain: false }]);
    };
    map.value?.hand.drag({ moved: show, ended: selectWithin }, 'crosshair');
  }

  function selectWithin(from: Position, to: Position): void {
    selectAll([...selection.value, ...(map.value?.idsWithin(from, to) ?? [])]);
    setTool('select');
  }

  /** The rectangle of the area tool, drawn by its corners. */
  function selectInside(rectangle: Geometry): void {
    const [from = [], , to = []] = pathsOf(rectangle)[0]?.positions ?? [];
    selectWithin(from, to);
  }

  function beginPlacing(device: Device): void {
    setTool('marker');
    desk.placing.value = device;
  }

  return {
    selectedFeature,
    selectedFeatures,
    drawnType,
    select,
    selectAll,
    selectInside,
    toggle,
    setTool,
    isDragged,
    setCorner,
    beginPlacing,
  };
}
