import type { Device } from '../../../server/contract/device.ts';
import { deviceKinds, type DeviceKindView } from './device-kinds.ts';

/** How the page shows a device; undefined when another page does. */
export function viewOf(device: Pick<Device, 'kind'> | null): DeviceKindView | undefined {
  return deviceKinds.find(({ word }) => word === device?.kind);
}

export interface DeviceGroup {
  view: DeviceKindView;
  devices: Device[];
}

/** The devices by kind. Unfiltered, this includes empty kinds that have a text for that. */
export function groupsOf(devices: readonly Device[], isFiltered: boolean): DeviceGroup[] {
  return deviceKinds
    .map((view) => ({ view, devices: devices.filter(({ kind }) => kind === view.word) }))
    .filter(({ view, devices: some }) => some.length > 0 || (!isFiltered && view.empty !== undefined));
}
