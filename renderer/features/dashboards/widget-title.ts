import type { Widget } from '../../../server/contract/dashboard.ts';
import { seriesKey } from '../../../server/contract/measured.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { whereOf } from '../trends/channels.ts';
import { useChannels } from '../trends/use-channels.ts';

/** A widget's title: the one entered, else what it shows. */
export function useWidgetTitle(): (widget: Widget) => string {
  const { t } = useText();
  const live = useLive();

  const { channels, outputs } = useChannels();

  function channelOf(source: { device_id: string; measurement_id: string }): string | null {
    const channel = channels.value.find(({ key }) => key === seriesKey(source));
    return channel === undefined ? null : [channel.name, whereOf(channel)].filter(Boolean).join(' · ');
  }

  function outputOf(deviceId: string): string {
    const house = outputs.value.find(({ device_id }) => device_id === deviceId)?.house;
    return [house, live.device(deviceId)?.name].filter(Boolean).join(' · ');
  }

  return (widget) => {
    const kind = t(`dashboards.kinds.${widget.kind}`);
    if (widget.title) return widget.title;
    switch (widget.kind) {
      case 'value':
        return channelOf(widget.source) ?? kind;
      case 'trend':
        return widget.sources.length === 1 && widget.sources[0] ? (channelOf(widget.sources[0]) ?? kind) : kind;
      case 'output':
        return outputOf(widget.device_id) || kind;
      default:
        return kind;
    }
  };
}
