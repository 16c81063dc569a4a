import type { MeasurementSource, Widget } from '../../../server/contract/dashboard.ts';
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

  /** What is measured, and where; empty while none of the channels is known. */
  function channelsOf(sources: readonly MeasurementSource[]): string {
    const found = sources.flatMap((one) => channels.value.find(({ key }) => key === seriesKey(one)) ?? []);
    const listed = (words: readonly string[]): string => [...new Set(words)].filter(Boolean).join(t('ui.comma'));
    return [listed(found.map(({ name }) => name)), listed(found.map(whereOf))].filter(Boolean).join(' · ');
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
        return channelsOf([widget.source]) || kind;
      case 'trend':
        return channelsOf(widget.sources) || kind;
      case 'output':
        return outputOf(widget.device_id) || kind;
      default:
        return kind;
    }
  };
}
