import type { ControllerWord } from '../../../server/contract/controller-kinds.ts';
import type { Device } from '../../../server/contract/device.ts';
import type { Translate } from '../../i18n/index.ts';
import { channelName } from '../../ui/channel-name.ts';

export type Filter = 'all' | 'failed' | 'inactive' | ControllerWord;

interface Asked {
  sought: string | null;
  filter: Filter;
  hasFailed: boolean;
  /** Its house where another device is called the same. */
  house: string | undefined;
  t: Translate;
}

/** Whether a device matches: every word occurs in its name, its house, its driver or a channel. */
export function matches(device: Device, { sought, filter, hasFailed, house = '', t }: Asked): boolean {
  const text = [device.name, house, device.driver, ...device.channels.map((channel) => channelName(device, channel, t))]
    .join(' ')
    .toLowerCase();
  const words = (sought ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return isOf(device, filter, hasFailed) && words.every((word) => text.includes(word));
}

function isOf(device: Device, filter: Filter, hasFailed: boolean): boolean {
  if (filter === 'all') return true;
  if (filter === 'failed') return device.is_activated && hasFailed;
  if (filter === 'inactive') return !device.is_activated;
  return device.kind === filter;
}
