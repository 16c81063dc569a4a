import type { SeriesName } from '../../../server/contract/measured.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { fullChannelName } from '../../ui/channel-name.ts';

/** Names and units of the series that controllers use. */
export function useSeriesName(): {
  nameOf: (series: SeriesName) => string;
  unitOf: (series: SeriesName) => string;
  measurementOf: (series: SeriesName) => string | undefined;
} {
  const { t } = useText();
  const live = useLive();

  function found({ device_id, measurement_id }: SeriesName) {
    const device = live.device(device_id);
    return { device, channel: device?.channels.find((one) => one.measurement_id === measurement_id) };
  }

  return {
    /** Device and channel, as far as known. */
    nameOf: (series) => {
      const { device, channel } = found(series);
      if (device === undefined) return '';
      return channel === undefined ? device.name : fullChannelName(device, channel, t);
    },
    measurementOf: (series) => found(series).channel?.measurement,
    unitOf: (series) => found(series).channel?.unit ?? '',
  };
}
