import type { Device } from '../../../server/contract/device.ts';
import { seriesKey } from '../../../server/contract/measured.ts';
import { measurementName } from '../../../server/contract/units.ts';
import type { Translate } from '../../i18n/index.ts';
import { listedChannelName } from '../../ui/channel-name.ts';

/** A measured channel that can be drawn. */
export interface Channel {
  /** Its `seriesKey`. */
  key: string;
  device_id: string;
  measurement_id: string;
  /** The house of its device where another device is called the same; else empty. */
  house: string;
  device: string;
  name: string;
  /** Wire unit. */
  unit: string;
  /** Smallest step of its values; undefined when unknown. */
  resolution?: number | undefined;
  /** The age from which its values are stale, s; undefined when unknown. */
  stale_after_s?: number | undefined;
  measurement: string | undefined;
  /** The quantity in words; empty when unknown. */
  measured: string;
}

/** Maximum number of series in one chart; more cannot be distinguished. */
export const mostLines = 12;

/** `houses` names the house of a device by its id, where that is needed. */
export function channelsOf(devices: readonly Device[], houses: ReadonlyMap<string, string>, t: Translate): Channel[] {
  return devices.flatMap((device) =>
    device.channels.flatMap((channel) =>
      channel.measurement_id === undefined
        ? []
        : [
            {
              key: seriesKey({ device_id: device.unique_id, measurement_id: channel.measurement_id }),
              device_id: device.unique_id,
              measurement_id: channel.measurement_id,
              house: houses.get(device.unique_id) ?? '',
              device: device.name,
              name: listedChannelName(device, channel, t),
              unit: channel.unit ?? '',
              resolution: channel.resolution,
              stale_after_s: device.stale_after_s,
              measurement: channel.measurement,
              measured: measuredText(channel.measurement, t),
            },
          ],
    ),
  );
}

function measuredText(measurement: string | undefined, t: Translate): string {
  const read = measurementName.safeParse(measurement);
  return read.success && read.data !== 'unitless' ? t(`devices.choices.measurement.${read.data}`) : '';
}

/** Where a channel is measured or driven, as far as its name does not say it. */
export function whereOf({ house, device, name }: Pick<Channel, 'house' | 'device' | 'name'>): string {
  return [house, device === name ? '' : device].filter(Boolean).join(' · ');
}

/** Those whose house, device, name or unit contains every word of a search. */
export function matching<One extends Pick<Channel, 'house' | 'device' | 'name'> & { unit?: string }>(
  ones: readonly One[],
  search: string,
): One[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return ones.filter(({ house, device, name, unit = '' }) => {
    const text = `${house} ${device} ${name} ${unit}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
