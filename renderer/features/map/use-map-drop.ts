import { useEventListener } from '@vueuse/core';
import { shallowRef, watch, type Ref } from 'vue';
import type { Device } from '../../../server/contract/device.ts';
import { useText } from '../../i18n/index.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useLive } from '../../stores/live.ts';
import { useNotice } from '../../stores/notice.ts';
import { deviceDragType } from './device-drag.ts';
import { isInFieldOrDialog } from './field-or-dialog.ts';

interface DropOptions {
  canvas: Readonly<Ref<HTMLElement | null>>;
  isReadOnly: Readonly<Ref<boolean>>;
  map: Readonly<Ref<SiteMap | null>>;
  placeDevice: (device: Device, at: { lat: number; lng: number }) => void;
}

/** Drops on the map, a device to place, and files to import anywhere on the page. */
export function useMapDrop({ canvas, isReadOnly, map, placeDevice }: DropOptions) {
  const { t } = useText();
  const live = useLive();
  const notice = useNotice();
  const isImporting = shallowRef(false);
  const dropped = shallowRef<readonly File[]>([]);

  watch(isImporting, (isNow) => {
    if (!isNow) dropped.value = [];
  });

  const isOnMap = ({ target }: DragEvent): boolean => target instanceof Node && canvas.value?.contains(target) === true;

  function drop(event: DragEvent): void {
    if (event.defaultPrevented) return; // a field took it
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) {
      event.preventDefault();
      if (isInFieldOrDialog(event.target)) return;
      if (isReadOnly.value) return notice.problem(t('map.file.readOnly'));
      dropped.value = files;
      isImporting.value = true;
      return;
    }
    if (isReadOnly.value || !isOnMap(event)) return;
    event.preventDefault();
    const device = live.device(event.dataTransfer?.getData(deviceDragType) ?? '');
    const at = map.value?.placeOf(event);
    if (device !== undefined && at !== undefined) placeDevice(device, at);
  }

  function allowDrop(event: DragEvent): void {
    const types = event.dataTransfer?.types ?? [];
    const isDevice = types.includes(deviceDragType) && !isReadOnly.value && isOnMap(event);
    // A file is never opened in place of the page.
    if (types.includes('Files') || isDevice) event.preventDefault();
  }

  useEventListener(window, 'drop', drop);
  useEventListener(window, 'dragover', allowDrop);

  return { isImporting, dropped };
}
