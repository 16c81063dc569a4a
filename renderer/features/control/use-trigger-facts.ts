import type { Trigger } from '../../../server/contract/trigger.ts';
import { useText } from '../../i18n/index.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import { durationText } from '../../ui/duration.ts';
import { useFormat } from '../../ui/format.ts';
import { useSeriesName } from './use-series-name.ts';

/** What a trigger depends on, in words. */
export function useTriggerFacts(): {
  timesOf: (trigger: Trigger) => string;
  watchedOf: (trigger: Trigger) => string;
} {
  const { t, locale } = useText();
  const format = useFormat();
  const live = useLive();
  const devices = useDevices();
  const { nameOf, unitOf } = useSeriesName();
  const every = (period_s: number): string => t('rules.every', { time: durationText(period_s, locale.value) });
  const outputName = (id: string): string => live.device(id)?.name ?? '';

  function daysOf(weekdays: readonly number[] | undefined): string {
    if (weekdays === undefined || weekdays.length === 7) return '';
    const names = new Intl.DateTimeFormat(locale.value, { weekday: 'short', timeZone: 'UTC' });
    return weekdays.map((day) => names.format(Date.UTC(2024, 0, day))).join(' '); // 1 January 2024 is a Monday
  }

  /** Times of day in site time; empty for other kinds. */
  function timesOf(trigger: Trigger): string {
    switch (trigger.kind) {
      case 'time_point':
        return [trigger.at, daysOf(trigger.weekdays)].filter(Boolean).join(' · ');
      case 'time_span':
        return [t('ui.span', { from: trigger.from, to: trigger.to }), every(trigger.period_s), daysOf(trigger.weekdays)]
          .filter(Boolean)
          .join(' · ');
      case 'sunrise_sunset': {
        const { event, offset_min = 0 } = trigger;
        const named = { event: t(`rules.choices.event.${event}`), time: format.duration(Math.abs(offset_min) * 60) };
        return offset_min === 0 ? named.event : t(offset_min > 0 ? 'rules.after' : 'rules.before', named);
      }
      case 'interval':
        return every(trigger.period_s);
      default:
        return '';
    }
  }

  /** The measurement, output or curve that it watches; empty for a clock. */
  function watchedOf(trigger: Trigger): string {
    switch (trigger.kind) {
      case 'edge': {
        const { measurement, level, direction } = trigger;
        const passed = `${t(`rules.choices.direction.${direction}`)} ${format.quantity(level, unitOf(measurement))}`;
        return `${nameOf(measurement)} · ${passed}`;
      }
      case 'output':
        return `${outputName(trigger.output.output_id)} · ${t(`rules.choices.state.${trigger.state}`)}`;
      case 'output_pwm': {
        const { output, level, direction } = trigger;
        const passed = `${t(`rules.choices.direction.${direction}`)} ${format.quantity(level, '%')}`;
        return `${outputName(output.output_id)} · ${passed}`;
      }
      case 'pwm_method': {
        const curve = devices.listOf('method').find(({ unique_id }) => unique_id === trigger.method_id);
        return `${curve?.name ?? ''} → ${outputName(trigger.output.output_id)}`;
      }
      default:
        return '';
    }
  }

  return { timesOf, watchedOf };
}
