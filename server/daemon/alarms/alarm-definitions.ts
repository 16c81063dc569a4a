import type { AlarmCode } from '../../contract/alarm.ts';

/** How the conditions of one code become alarms. */
export interface AlarmDefinition {
  /** How long the condition must last before it is an alarm, s. */
  on_delay_s: number;
  /** How long it must be gone before the alarm is cleared, s. */
  off_delay_s: number;
  /** It stays until it is reset, even if it was acknowledged before its condition ended. */
  is_latching: boolean;
}

const plain: AlarmDefinition = { on_delay_s: 0, off_delay_s: 0, is_latching: false };
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
  stale: { ...plain, ...calm },
  no_data: { ...plain, ...calm },
  sensor_disagree: { ...plain, ...climate },
  out_of_band: { ...plain, ...climate },
  wind: { ...plain, on_delay_s: 5, off_delay_s: 300 },
  rain: { ...plain, on_delay_s: 5, off_delay_s: 300 },
  frost: { ...plain, off_delay_s: 60 },
  over_temperature: { ...plain, off_delay_s: 60 },
  heater_and_vent: { ...plain, on_delay_s: 60, off_delay_s: 5 },
  controller_down: { ...plain, ...calm },
  output_unknown: { ...plain, ...calm },
  command_failed: plain,
  daemon_down: plain,
  daemon_stopped: plain,
  daemon_restarted: plain,
  crash_loop: plain,
  disk_low: { ...plain, off_delay_s: 60 },
  store_failed: { ...plain, ...calm },
  // The stop itself lasts until its release: nothing remains to be reset.
  emergency_stop: plain,
  // The delay lets its cause become an alarm first, and outputs that take turns have theirs.
  safety_gate: { ...plain, on_delay_s: 30, off_delay_s: 60 },
  watchdog: { ...plain, is_latching: true },
  dead_man: { ...plain, off_delay_s: 5 },
  control_stopped: plain,
  climate_fallback: { ...plain, ...climate },
  clock_set: plain,
  message_lost: plain,
  connection_lost: { ...plain, ...calm },
  custom: plain,
};
