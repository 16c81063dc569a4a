import { computed, type ComputedRef } from 'vue';
import type { OutputChannelState } from '../../../server/contract/output.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { useOriginText } from '../../ui/origin-text.ts';
import { isOn, isPausing } from '../../../server/contract/output-state.ts';
import { useStateText } from './use-state-text.ts';

/** Where the present state of a channel comes from and how long it lasts, in short sentences. */
export function useOutputOrigins(
  known: () => OutputChannelState | undefined,
  kind: () => 'switch' | 'dimmer',
): ComputedRef<string[]> {
  const { t } = useText();
  const stateText = useStateText(kind);
  const originText = useOriginText();
  const format = useFormat();
  const now = useNow();
  const live = useLive();

  /** While a rule holds the state, whoever asked for another is not its source. */
  function sourceText(state: OutputChannelState): string {
    return state.rule === null ? originText(state) : '';
  }

  /** Without live values nobody knows whether it still lasts. */
  function sinceText({ state, contact, changed_at }: OutputChannelState): string {
    if (!live.isCurrent || !isOn(state) || changed_at === null) return '';
    const time = format.passing((now.value - Date.parse(changed_at)) / 1_000);
    if (contact !== null) return t(`devices.control.contact.${contact}`, { time });
    return t(kind() === 'dimmer' ? 'devices.control.since' : 'devices.control.onSince', { time });
  }

  /**
   * The end of the command; the end of an override is shown with the override. A command of a check ends with its test,
   * which is not foreseen: `until` is only when the channel stops without the check.
   */
  function endsText({ state, source, until, override_until }: OutputChannelState): string {
    if (!live.isCurrent) return '';
    if (source === 'commissioning') return t('devices.control.checked');
    if (until === null || until === override_until) return '';
    const left_s = (Date.parse(until) - now.value) / 1_000;
    if (left_s <= 0) return '';
    const goesOff = kind() === 'switch' && isOn(state); // a vent or a dimmer is not off at 0 %
    return t(goesOff ? 'devices.control.offIn' : 'devices.control.endsIn', { time: format.passing(left_s) });
  }

  /** When a heater comes on after the pause of its cycle, in whole minutes: a forecast of the time of its cause. */
  function pauseText(state: OutputChannelState): string {
    const due = state.cause?.reason?.facts.on_at;
    if (!live.isCurrent || !isPausing(state) || due === undefined || !('at' in due)) return '';
    const left_min = Math.ceil((Date.parse(due.at) - now.value) / 60_000);
    return left_min > 0
      ? t('devices.control.onIn', { time: format.duration(left_min * 60) })
      : t('devices.control.onSoon');
  }

  /** A kept command is shown beside what holds it back. */
  function waitingText({ wanted, rule, kept }: OutputChannelState): string {
    if (wanted === null || kept !== undefined) return '';
    const state = stateText(wanted);
    return rule === null
      ? t('devices.control.waiting', { source: t('ui.source.automatic'), state })
      : t('devices.control.wanted', { state });
  }

  /** A motor by run time: its target, and how far it may be from the state shown. */
  function motorText({ moves_to, drift_pct, state }: OutputChannelState): string[] {
    const to = moves_to === undefined ? '' : t('devices.control.moves', { state: stateText(moves_to) });
    const isSure = drift_pct === undefined || drift_pct === 0 || state === null;
    return [to, isSure ? '' : t('devices.control.drift', { n: format.number(drift_pct, 1) })];
  }

  return computed(() => {
    const state = known();
    if (state === undefined) return [];
    // A motor shows more than just that it cannot report back.
    const isPlain = state.quality === 'commanded' && state.drift_pct === undefined;
    const told = isPlain ? [t('ui.quality.commanded')] : motorText(state);
    return [sourceText(state), sinceText(state), endsText(state), pauseText(state), waitingText(state), ...told].filter(
      Boolean,
    );
  });
}
