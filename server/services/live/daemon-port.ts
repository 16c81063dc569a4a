import type { Alarm, AlarmCondition } from '../../contract/alarm.ts';
import type { ReferenceReading } from '../../contract/commissioning-accuracy.ts';
import type { CheckItem, CheckOverview, CheckVerdict, CommissioningCheck } from '../../contract/commissioning.ts';
import type { DaemonStatus, EventsSince, LiveState, OutputCommand } from '../../contract/daemon.ts';
import type { DriverDescription, ModbusProbed } from '../../contract/driver.ts';
import type { MqttProbe, MqttProbed } from '../../contract/mqtt-found.ts';
import { Refusal } from '../../contract/errors.ts';
import type { LastValue } from '../../contract/measurement.ts';
import type { EmergencyStop } from '../../contract/safety.ts';
import type { Outcome, OutputChannelState } from '../../contract/output.ts';

/** How the daemon says that one command ended. */
export interface CommandAnswer {
  outcome: Outcome;
  /** Why it was not confirmed; `cannot_answer` marks a device that never answers. */
  code?: string | undefined;
  message: string;
  state: OutputChannelState;
  /** Id of the newest event at the moment of the state: the events up to it are in the state. */
  cursor?: string | undefined;
}

export type StatusPair = readonly [status: number, message: string];

/** Why the daemon did not store a sample. */
export interface SampleFault {
  code: string;
  message: string;
}

export interface OverrideRelease {
  /** False when there was no manual command. */
  released: boolean;
  state: OutputChannelState;
}

/** What the services ask of the control daemon; `DaemonControl` has it. Failures are errors with a `code`. */
export interface DaemonPort {
  output_command(command: OutputCommand): Promise<CommandAnswer>;
  override_release(output_id: string, output_channel?: number, actor?: string): Promise<OverrideRelease>;
  drivers(): Promise<DriverDescription[]>;
  /** Whether a Modbus unit is there; changes nothing. */
  modbus_probe(host: string, unit_id: number, port?: number): Promise<ModbusProbed>;
  /** Which devices announced themselves on an MQTT broker; changes nothing. Takes up to 8 s. */
  mqtt_probe(broker: MqttProbe): Promise<MqttProbed>;
  /** Takes up, changes or lets go a controller, as its settings now say. */
  controller_refresh(controller_id: string): Promise<StatusPair>;
  input_force_measurements(input_id: string): Promise<StatusPair>;
  lcd_backlight(lcd_id: string, state: boolean): Promise<StatusPair>;
  display_backlight_color(lcd_id: string, color: string): Promise<StatusPair>;
  lcd_flash(lcd_id: string, state: boolean): Promise<StatusPair>;
  lcd_reset(lcd_id: string): Promise<StatusPair>;
  last_measurement(device_id: string, measurement_id: string): Promise<LastValue | null>;
  /** Stores samples; resolves when they are durable, with what is wrong with each: null for one that is stored. */
  measurements_create(samples: readonly LastValue[]): Promise<(SampleFault | null)[]>;
}

/** Stopping everything, and letting it go again. */
export interface EmergencyStopPort {
  emergency_stop(reason?: string, actor?: string): Promise<EmergencyStop>;
  emergency_stop_get(): Promise<EmergencyStop>;
  emergency_stop_release(actor?: string): Promise<EmergencyStop>;
}

/** What people do to alarms, and what the server finds wrong with facilities. */
export interface AlarmControl {
  alarm_acknowledge(alarm_id: string, actor?: string, note?: string): Promise<Alarm>;
  alarm_shelve(alarm_id: string, duration_s: number, actor?: string, note?: string): Promise<Alarm>;
  alarm_unshelve(alarm_id: string, actor?: string, note?: string): Promise<Alarm>;
  alarm_remove_from_service(alarm_id: string, actor?: string, note?: string): Promise<Alarm>;
  alarm_return_to_service(alarm_id: string, actor?: string, note?: string): Promise<Alarm>;
  alarm_report(source_id: string, conditions: readonly AlarmCondition[]): Promise<'success'>;
}

/** Commissioning checks, which the daemon runs and keeps. */
export interface CommissioningControl {
  commissioning_start(
    facility_id: string,
    include: readonly string[] | null,
    actor?: string,
  ): Promise<CommissioningCheck>;
  commissioning_abort(check_id: string, actor?: string): Promise<CommissioningCheck>;
  commissioning_get(check_id: string): Promise<CommissioningCheck>;
  commissioning_list(facility_id: string): Promise<CheckOverview[]>;
  commissioning_reopen(check_id: string, reason: string, actor?: string): Promise<CommissioningCheck>;
  commissioning_verdict(check_id: string, verdict: CheckVerdict, actor?: string): Promise<CheckItem>;
  commissioning_accuracy(check_id: string, reference: ReferenceReading, actor?: string): Promise<CheckItem>;
}

/** What the live cache asks, on a connection of its own: a long poll would hold up every command. */
export interface DaemonEventPort {
  events_since(cursor: string, wait_s?: number): Promise<EventsSince>;
  live_state(): Promise<LiveState>;
  daemon_status(): Promise<DaemonStatus>;
  /** Ends the calls under way. */
  close(): void;
}

/** Codes of a failure on the way before anything was sent, or with the connection. */
const unreachableCodes: ReadonlySet<string> = new Set(['connection_failed', 'handshake_refused']);
/** Codes of a failure after the call may have been carried out. */
const unknownCodes: ReadonlySet<string> = new Set(['timeout', 'aborted', 'closed', 'protocol_error', 'too_large']);

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a failed call of the daemon means for a command: unreachable, unknown, or refused by the daemon itself. */
export function commandFailure(error: unknown): Refusal {
  const code = codeOf(error) ?? '';
  const message = messageOf(error);
  if (unreachableCodes.has(code)) {
    return new Refusal('daemon_unreachable', `the control daemon cannot be reached: ${message}`, { cause: error });
  }
  if (unknownCodes.has(code)) {
    const detail = `the control daemon did not say whether it was done: ${message}`;
    return new Refusal('command_unknown', detail, { cause: error });
  }
  if (code === 'not_active') return new Refusal('not_active', message, { cause: error });
  if (code === 'invalid_argument') return new Refusal('invalid_field', message, { cause: error });
  return new Refusal('command_failed', message, { cause: error });
}
