import type { Widget } from '../../../server/contract/dashboard.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { channelName } from '../../ui/channel-name.ts';

/** A widget's title: the one entered, else what it shows. */
export function useWidgetTitle(): (widget: Widget) => string {
  const { t } = useText();
  const live = useLive();

  function channelOf({ device_id, measurement_id }: { device_id: string; measurement_id: string }): string | null {
    const device = live.device(device_id);
    const channel = device?.channels.find((one) => one.measurement_id === measurement_id);
    return device && channel ? `${channelName(device, channel, t)} · ${device.name}` : null;
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
        return live.device(widget.device_id)?.name ?? kind;
      default:
        return kind;
    }
  };
}
