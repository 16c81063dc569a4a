import type { Action, ActionOf } from '../../../server/contract/action.ts';
import { allKinds } from '../../../server/contract/controller-kinds.ts';
import { useText } from '../../i18n/index.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import { useFormat } from '../../ui/format.ts';

/** What an action does, for people: its own name is for statements. "Irrigation valve · On · 10 min". */
export function useActionText(): (action: Action) => string {
  const { t } = useText();
  const format = useFormat();
  const live = useLive();
  const devices = useDevices();

  /** Of a device or controller; of one that is gone nothing is known. */
  function nameOf(id: string): string {
    const settings = (): { name: string } | undefined =>
      allKinds.flatMap(({ word }) => devices.listOf(word)).find(({ unique_id }) => unique_id === id);
    return live.device(id)?.name ?? settings()?.name ?? t('ui.unknown');
  }

  function commanded({ state, value, duty_cycle_pct, duration_s, volume_ml }: ActionOf<'output'>): string[] {
    const position_pct = value ?? duty_cycle_pct;
    return [
      position_pct === undefined || !state
        ? t(`rules.choices.state.${state ? 'on' : 'off'}`)
        : format.quantity(position_pct, '%'),
      ...(duration_s === undefined ? [] : [format.duration(duration_s)]),
      ...(volume_ml === undefined ? [] : [format.quantity(volume_ml, 'ml')]),
    ];
  }

  function parts(action: Action): string[] {
    switch (action.kind) {
      case 'output':
        return [nameOf(action.output_id), ...commanded(action)];
      case 'controller':
        return [nameOf(action.controller_id), t(action.activate ? 'devices.activate' : 'devices.deactivate')];
      case 'pid':
        return [nameOf(action.pid_id), t(`rules.choices.command.${action.command}`)];
      case 'setpoint':
        return [nameOf(action.pid_id), t('rules.fields.setpoint'), format.number(action.setpoint)];
      case 'method':
        return [nameOf(action.pid_id), nameOf(action.method_id)];
      case 'command':
        return [nameOf(action.function_id), t(`rules.choices.command.${action.command}`)];
      case 'lcd':
        return [nameOf(action.lcd_id), t(`rules.choices.does.${action.does}`)];
      case 'alarm':
        return [t(`rules.choices.actions_kind.${action.kind}`), action.text];
      case 'note':
      case 'message':
      case 'mqtt':
      case 'webhook':
        return [t(`rules.choices.actions_kind.${action.kind}`)];
    }
  }

  return (action) => parts(action).join(' · ');
}
