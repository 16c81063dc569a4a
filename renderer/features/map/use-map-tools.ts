import { computed, type Ref } from 'vue';
import type { Design } from '../../../server/contract/design.ts';
import type { Device } from '../../../server/contract/device.ts';
import { useText } from '../../i18n/index.ts';
import type { DrawTool } from '../../map/drawing-port.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { useOpenMap } from '../../stores/map.ts';
import type { DrawnKind, MapDesk } from './map-desk.ts';
import type { Tool } from './tools.ts';

/** Selecting a shape and taking a tool into the hand. */
export function useMapTools(desk: MapDesk, earlier: Readonly<Ref<Design | null>>) {
  const { t } = useText();
  const store = useOpenMap();
  const { map, tool, selected, types } = desk;

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
    desk.positions.value = [];
    desk.placing.value = null;
    const feature = selectedFeature.value;
    if (wanted === 'edit' && feature === undefined) return setTool('select');
    tool.value = wanted;
    if (wanted === 'edit' && feature !== undefined) map.value?.edit(feature);
    else if (wanted !== 'select' && wanted !== 'edit') startDrawing(wanted);
  }

  function startDrawing(wanted: DrawTool): void {
    map.value?.draw(wanted, { isTouch: desk.isTouch.value, crossesText: t('map.draw.crosses') });
  }

  function beginPlacing(device: Device): void {
    setTool('marker');
    desk.placing.value = device;
  }

  return { selectedFeature, drawnType, select, setTool, beginPlacing };
}
