import type { AlarmCode, AlarmCondition } from './alarm.ts';

/** While an alarm of one of these codes is raised at the same source, one of this code is its consequence, and silent. */
export const alarmCauses: { readonly [Code in AlarmCode]?: readonly AlarmCode[] } = {
  stale: ['controller_down'],
  no_data: ['controller_down'],
  out_of_band: ['frost', 'over_temperature'],
  output_unknown: ['controller_down', 'command_failed'],
  daemon_restarted: ['crash_loop'],
  safety_gate: ['wind', 'rain', 'frost', 'over_temperature'],
  dead_man: ['controller_down'],
};

type Facts = Pick<AlarmCondition, 'code' | 'source_id' | 'channel' | 'role' | 'name'>;

/** Whether one alarm is the cause of another, which then needs no report of its own. */
export function isCauseOf(cause: Facts, other: Facts): boolean {
  const isNamed = alarmCauses[other.code]?.includes(cause.code) === true;
  if (!isNamed || cause.source_id !== other.source_id) return false;
  if (cause.code === 'command_failed') return other.channel === cause.channel; // each channel has its commands
  if (other.code === 'safety_gate') return other.name === cause.code; // another rule holds for another reason
  return other.code !== 'out_of_band' || other.role === cause.role; // frost says nothing of humidity
}
