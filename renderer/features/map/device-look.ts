import { mdiAccessPoint, mdiPower, mdiThermometer } from '@mdi/js';
import type { Device } from '../../../server/contract/device.ts';
import type { PlacedKind } from '../../map/point-icon.ts';

/** Family of a device as the map draws it. */
export function kindOf(device: Device | undefined): PlacedKind {
  if (device === undefined) return 'gone';
  return device.kind === 'input' || device.kind === 'output' ? device.kind : 'other';
}

export const kindIcons: Record<Exclude<PlacedKind, 'gone'>, string> = {
  input: mdiThermometer,
  output: mdiPower,
  other: mdiAccessPoint,
};
