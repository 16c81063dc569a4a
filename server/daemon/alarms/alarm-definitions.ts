import type { AlarmCode, AlarmCondition } from '../../contract/alarm.ts';

/** How the conditions of one code become alarms. */
export interface AlarmDefinition {
  /** How long the condition must last before it is an alarm, s. */
  on_delay_s: number;
  /** How long it must be gone before the alarm is cleared, s. */
  off_delay_s: number;
  /** It stays until it is reset, even if it was acknowledged before its condition ended. */
  is_latching: boolean;
  /**
   * While an alarm of one of these codes is raised at the same source, this one is its consequence and stays silent.
   */
  suppressed_by: readonly AlarmCode[];
}

const plain: AlarmDefinition = { on_delay_s: 0, off_delay_s: 0, is_latching: false, suppressed_by: [] };
/** For what a single late answer must not raise and what must not flicker. */
const calm = { on_delay_s: 5, off_delay_s: 5 };
/** Air moves slowly, and the doors of a house are opened. */
const climate = { on_delay_s: 60, off_delay_s: 60 };

/**
 * Delays after ISA-18.2 (2016), annex of 10.6: 60 s for temperature, 15 s for flow and pressure; none where harm is
 * near. Wind and rain come sooner, as vents stand open, and last as long as the gate keeps these closed
 * (`SiteConditions`).
 */
export const alarmDefinitions: Readonly<Record<AlarmCode, AlarmDefinition>> = {
  stale: { ...plain, ...calm, suppressed_by: ['controller_down'] },
  no_data: { ...plain, ...calm, suppressed_by: ['controller_down'] },
  sensor_disagree: { ...plain, ...climate },
  out_of_band: { ...plain, ...climate, suppressed_by: ['frost', 'over_temperature'] },
  wind: { ...plain, on_delay_s: 5, off_delay_s: 300 },
  rain: { ...plain, on_delay_s: 5, off_delay_s: 300 },
  frost: { ...plain, off_delay_s: 60 },
  over_temperature: { ...plain, off_delay_s: 60 },
  heater_and_vent: { ...plain, on_delay_s: 60, off_delay_s: 5 },
  controller_down: { ...plain, ...calm },
  output_unknown: { ...plain, ...calm, suppressed_by: ['controller_down', 'command_failed'] },
  command_failed: plain,
  daemon_down: plain,
  daemon_stopped: plain,
  daemon_restarted: { ...plain, suppressed_by: ['crash_loop'] },
  crash_loop: plain,
  disk_low: { ...plain, off_delay_s: 60 },
  store_failed: { ...plain, ...calm },
  // The stop itself lasts until its release: nothing remains to be reset.
  emergency_stop: plain,
  // The delay lets its cause become an alarm first, and outputs that take turns have theirs.
  safety_gate: {
    on_delay_s: 30,
    off_delay_s: 60,
    is_latching: false,
    suppressed_by: ['wind', 'rain', 'frost', 'over_temperature'],
  },
  watchdog: { ...plain, is_latching: true },
  dead_man: { ...plain, off_delay_s: 5, suppressed_by: ['controller_down'] },
  control_stopped: plain,
  climate_fallback: { ...plain, ...climate },
  clock_set: plain,
  message_lost: plain,
  custom: plain,
};

/** Whether one alarm is the cause of another, which then needs no report of its own. */
export function isCauseOf(cause: AlarmCondition, other: AlarmCondition): boolean {
  const isNamed = alarmDefinitions[other.code].suppressed_by.includes(cause.code);
  if (!isNamed || cause.source_id !== other.source_id) return false;
  if (cause.code === 'command_failed') return other.channel === cause.channel; // each channel has its commands
  if (other.code === 'safety_gate') return other.name === cause.code; // another rule holds for another reason
  return other.code !== 'out_of_band' || other.role === cause.role; // frost says nothing of humidity
}
