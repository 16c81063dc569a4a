import { shallowRef, watch, type Ref } from 'vue';
import type { Device } from '../../../server/contract/device.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useLive } from '../../stores/live.ts';
import { deviceDragType } from './device-drag.ts';

interface DropOptions {
  isReadOnly: Readonly<Ref<boolean>>;
  map: Readonly<Ref<SiteMap | null>>;
  placeDevice: (device: Device, at: { lat: number; lng: number }) => void;
}

/** Drops on the map: a device to place, or files to import. */
export function useMapDrop({ isReadOnly, map, placeDevice }: DropOptions) {
  const live = useLive();
  const isImporting = shallowRef(false);
  const dropped = shallowRef<readonly File[]>([]);

  watch(isImporting, (isNow) => {
    if (!isNow) dropped.value = [];
  });

  function drop(event: DragEvent): void {
    if (isReadOnly.value) return;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) {
      dropped.value = files;
      isImporting.value = true;
      return;
    }
    const device = live.device(event.dataTransfer?.getData(deviceDragType) ?? '');
    const at = map.value?.placeOf(event);
    if (device !== undefined && at !== undefined) placeDevice(device, at);
  }

  function allowDrop(event: DragEvent): void {
    const types = event.dataTransfer?.types ?? [];
    // A file is never opened in place of the page.
    if (types.includes('Files') || (types.includes(deviceDragType) && !isReadOnly.value)) event.preventDefault();
  }

  return { isImporting, dropped, drop, allowDrop };
}
