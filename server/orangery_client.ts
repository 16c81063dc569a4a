import { z } from 'zod';
import { alarm } from './contract/alarm.ts';
import type { Alarm, AlarmCondition } from './contract/alarm.ts';
import {
  daemonDefaultPort,
  daemonObjectId,
  daemonStatus,
  eventsSince,
  liveState,
  outputCommand,
} from './contract/daemon.ts';
import type { DaemonStatus, EventsSince, LiveState, OutputCommand } from './contract/daemon.ts';
import type { ReferenceReading } from './contract/commissioning-accuracy.ts';
import { checkItem, checkOverview, commissioningCheck } from './contract/commissioning.ts';
import type { CheckItem, CheckOverview, CheckVerdict, CommissioningCheck } from './contract/commissioning.ts';
import { driverDescription, modbusProbed } from './contract/driver.ts';
import type { DriverDescription, ModbusProbed } from './contract/driver.ts';
import { mqttProbed } from './contract/mqtt-found.ts';
import type { MqttProbe, MqttProbed } from './contract/mqtt-found.ts';
import { lastValue } from './contract/measurement.ts';
import type { LastValue } from './contract/measurement.ts';
import { trend } from './contract/measurement-query.ts';
import type { Trend } from './contract/measurement-query.ts';
import { outcome, outputChannelState, outputState } from './contract/output.ts';
import type { OutputState } from './contract/output.ts';
import { emergencyStop } from './contract/safety.ts';
import type { EmergencyStop } from './contract/safety.ts';
import { RemoteProxy } from './remote/client.ts';
import { RemoteError } from './remote/exception.ts';

export const defaultDaemonUri = `PYRO:${daemonObjectId}@127.0.0.1:${daemonDefaultPort}`;

const DEFAULT_TIMEOUT_S = 10;
/** What a long poll may take beyond its wait, s. */
const POLL_MARGIN_S = 10;

const statusPair = z.tuple([z.int(), z.string()]);
export type StatusPair = z.infer<typeof statusPair>;

const functionResult = z.tuple([z.int(), z.unknown()]);
const success = z.literal('success');
/** Serpent keeps the numbers of channels as numbers, JSON does not. */
const byChannel = z.union([
  z.map(z.int(), outputState).transform((states) => Object.fromEntries(states)),
  z.record(z.string(), outputState),
]);
const statesAll = z.record(z.string(), byChannel);
const numberOrNull = z.number().nullable();
const series = z.array(z.tuple([z.number(), z.number().nullable()])).nullable();
const commandAnswer = z.object({
  outcome,
  code: z.string().optional(),
  message: z.string(),
  state: outputChannelState,
  cursor: z.string().optional(),
});
/** How one command ended. */
export type CommandAnswer = z.infer<typeof commandAnswer>;
const sampleFaults = z.array(z.object({ code: z.string(), message: z.string() }).nullable());
const release = z.object({ released: z.boolean(), state: outputChannelState });

export type OutputType = 'sec' | 'pwm' | 'vol' | 'value';
export type PidReadable = 'setpoint' | 'error' | 'integrator' | 'derivator' | 'kp' | 'ki' | 'kd';
export type PidWritable = 'setpoint' | 'method' | 'integrator' | 'derivator' | 'kp' | 'ki' | 'kd';

export interface DaemonControlOptions {
  /** Address of the daemon's remote object. */
  pyro_uri?: string;
  /** Longest time for a call, s; 10 when absent. */
  pyro_timeout?: number;
  /** The secret of a daemon that asks for one; sent in the handshake. */
  pyro_handshake?: string;
  /** Certificate authority of a daemon on another machine, PEM; the connection is then TLS. */
  pyro_ca?: string;
}

/**
 * Talks to a running control daemon, as any outside program does. It connects at the first call and again after a failure; calls go one
 * after the other, except `events_since`, which waits on a connection of its own.
 *
 * Every call rejects with a RemoteError: the daemon's code (`not_found`, `invalid_argument`, `not_active`, `not_available`) or one of
 * the way there (`connection_failed`, `timeout`, `closed`, ...), and `protocol_error` for an answer that is not what was agreed.
 */
export class DaemonControl {
  readonly #proxy: RemoteProxy;
  readonly #events: RemoteProxy;

  constructor(options: DaemonControlOptions = {}) {
    const { pyro_uri = defaultDaemonUri, pyro_timeout = DEFAULT_TIMEOUT_S, pyro_handshake, pyro_ca } = options;
    const proxy = {
      uri: pyro_uri,
      timeoutMs: pyro_timeout * 1000,
      ...(pyro_handshake !== undefined && { handshake: pyro_handshake }),
      ...(pyro_ca !== undefined && { tls: { ca: pyro_ca } }),
    };
    this.#proxy = new RemoteProxy(proxy);
    this.#events = new RemoteProxy(proxy);
  }

  /** Drops both connections; calls under way reject with `closed`. */
  close(): void {
    this.#proxy.close();
    this.#events.close();
  }

  controller_activate(controller_id: string, controller_type?: string): Promise<StatusPair> {
    return this.#call('controller_activate', [controller_id], statusPair, { controller_type });
  }

  controller_deactivate(controller_id: string, controller_type?: string): Promise<StatusPair> {
    return this.#call('controller_deactivate', [controller_id], statusPair, { controller_type });
  }

  controller_restart(controller_id: string): Promise<StatusPair> {
    return this.#call('controller_restart', [controller_id], statusPair);
  }

  controller_is_active(controller_id: string): Promise<boolean> {
    return this.#call('controller_is_active', [controller_id], z.boolean());
  }

  /** Takes up, changes or lets go a controller, as its settings now say; moves no actuator unless its wiring changed. */
  controller_refresh(controller_id: string): Promise<StatusPair> {
    return this.#call('controller_refresh', [controller_id], statusPair);
  }

  get_condition_measurement(condition_id: string): Promise<number | null> {
    return this.#call('get_condition_measurement', [condition_id], numberOrNull);
  }

  get_condition_measurement_dict(condition_id: string): Promise<z.infer<typeof series>> {
    return this.#call('get_condition_measurement_dict', [condition_id], series);
  }

  /** Resolves after the reading is stored. */
  input_force_measurements(input_id: string): Promise<StatusPair> {
    return this.#call('input_force_measurements', [input_id], statusPair);
  }

  lcd_backlight(lcd_id: string, state: boolean): Promise<StatusPair> {
    return this.#call('lcd_backlight', [lcd_id, state], statusPair);
  }

  lcd_flash(lcd_id: string, state: boolean): Promise<StatusPair> {
    return this.#call('lcd_flash', [lcd_id, state], statusPair);
  }

  /** `color` as #rrggbb. */
  display_backlight_color(lcd_id: string, color: string): Promise<StatusPair> {
    return this.#call('display_backlight_color', [lcd_id, color], statusPair);
  }

  lcd_reset(lcd_id: string): Promise<StatusPair> {
    return this.#call('lcd_reset', [lcd_id], statusPair);
  }

  output_off(output_id: string, trigger_conditionals = true, output_channel?: number): Promise<StatusPair> {
    return this.#call('output_off', [output_id], statusPair, { trigger_conditionals, output_channel });
  }

  /** The state of every channel of every output at work, by output and channel. */
  output_states_all(): Promise<Record<string, Record<string, OutputState>>> {
    return this.#call('output_states_all', [], statesAll);
  }

  /** `amount` in s, %, ml or the unit of the output by its type; `min_off` in s. */
  output_on(
    output_id: string,
    output_type: OutputType = 'sec',
    amount = 0.0,
    min_off = 0.0,
    trigger_conditionals = true,
    output_channel?: number,
  ): Promise<StatusPair> {
    const named = { output_type, amount, min_off, trigger_conditionals, output_channel };
    return this.#call('output_on', [output_id], statusPair, named);
  }

  output_on_off(
    output_id: string,
    state: 'on' | 'off',
    output_type: OutputType = 'sec',
    amount = 0.0,
    output_channel?: number,
  ): Promise<StatusPair> {
    return this.#call('output_on_off', [output_id, state], statusPair, { output_type, amount, output_channel });
  }

  output_sec_currently_on(output_id: string, output_channel?: number): Promise<number> {
    return this.#call('output_sec_currently_on', [output_id], z.number(), { output_channel });
  }

  output_setup(action: 'Add' | 'Delete' | 'Modify', output_id: string): Promise<StatusPair> {
    return this.#call('output_setup', [action, output_id], statusPair);
  }

  output_state(output_id: string, output_channel?: number): Promise<OutputState> {
    return this.#call('output_state', [output_id], outputState, { output_channel });
  }

  pid_get(pid_id: string, setting: PidReadable): Promise<number | null> {
    return this.#call('pid_get', [pid_id, setting], numberOrNull);
  }

  pid_set(pid_id: string, setting: PidWritable, value: number | string): Promise<'success'> {
    return this.#call('pid_set', [pid_id, setting, value], success);
  }

  pid_hold(pid_id: string): Promise<'success'> {
    return this.#call('pid_hold', [pid_id], success);
  }

  pid_pause(pid_id: string): Promise<'success'> {
    return this.#call('pid_pause', [pid_id], success);
  }

  pid_resume(pid_id: string): Promise<'success'> {
    return this.#call('pid_resume', [pid_id], success);
  }

  pid_mod(pid_id: string): Promise<'success'> {
    return this.#call('pid_mod', [pid_id], success);
  }

  module_function(
    controller_type: string,
    unique_id: string,
    button_id: string,
    args_dict: Readonly<Record<string, unknown>>,
    thread = true,
    return_from_function = false,
  ): Promise<[number, unknown]> {
    const args = [controller_type, unique_id, button_id, args_dict];
    return this.#call('module_function', args, functionResult, { thread, return_from_function });
  }

  function_status(function_id: string): Promise<unknown> {
    return this.#call('function_status', [function_id], z.unknown());
  }

  trigger_action(action_id: string, value: Readonly<Record<string, unknown>> = {}, debug = false): Promise<unknown> {
    return this.#call('trigger_action', [action_id], z.unknown(), { value, debug });
  }

  trigger_all_actions(function_id: string, message = '', debug = false): Promise<unknown> {
    return this.#call('trigger_all_actions', [function_id], z.unknown(), { message, debug });
  }

  refresh_daemon_conditional_settings(unique_id: string): Promise<'success'> {
    return this.#call('refresh_daemon_conditional_settings', [unique_id], success);
  }

  refresh_daemon_misc_settings(): Promise<'success'> {
    return this.#call('refresh_daemon_misc_settings', [], success);
  }

  refresh_daemon_trigger_settings(unique_id: string): Promise<'success'> {
    return this.#call('refresh_daemon_trigger_settings', [unique_id], success);
  }

  /** 'GOOD', or what is wrong, which includes that the daemon cannot be reached. */
  async check_daemon(): Promise<string> {
    try {
      return (await this.#call('check_daemon', [], z.string().nullable())) ?? 'GOOD';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  daemon_status(): Promise<DaemonStatus> {
    return this.#call('daemon_status', [], daemonStatus);
  }

  /** Begins an orderly stop. */
  terminate_daemon(): Promise<boolean> {
    return this.#call('terminate_daemon', [], z.boolean());
  }

  /** Memory of the daemon, MB. */
  ram_use(): Promise<number> {
    return this.#call('ram_use', [], z.number());
  }

  /** Carries out a command; answers within 2 s, a later end comes as an event. */
  output_command(command: OutputCommand): Promise<CommandAnswer> {
    return this.#call('output_command', [outputCommand.parse(command)], commandAnswer);
  }

  /** Ends the manual command of a channel; what waited below it takes effect, else its safe state. */
  override_release(output_id: string, output_channel?: number, actor = 'pyro'): Promise<z.infer<typeof release>> {
    return this.#call('override_release', [output_id, output_channel ?? null, actor], release);
  }

  /** Drives every output to its safe state at once and holds it there; says what came of each. */
  emergency_stop(reason?: string, actor?: string): Promise<EmergencyStop> {
    return this.#call('emergency_stop', [], emergencyStop, { reason, actor });
  }

  emergency_stop_get(): Promise<EmergencyStop> {
    return this.#call('emergency_stop_get', [], emergencyStop);
  }

  /** Outputs stay as they are until they are commanded anew. */
  emergency_stop_release(actor?: string): Promise<EmergencyStop> {
    return this.#call('emergency_stop_release', [], emergencyStop, { actor });
  }

  /** null when there is none, or none young enough. */
  last_measurement(device_id: string, measurement_id: string, max_age_s?: number): Promise<LastValue | null> {
    return this.#call('last_measurement', [device_id, measurement_id], lastValue.nullable(), { max_age_s });
  }

  /** `actor` is who did it, `note` why; both go to the journal. This and the four after it reject with `not_found` and `conflict`. */
  alarm_acknowledge(alarm_id: string, actor?: string, note?: string): Promise<Alarm> {
    return this.#call('alarm_acknowledge', [alarm_id], alarm, { actor, note });
  }

  /** For `duration_s` (60..604800 s); then it comes back by itself. */
  alarm_shelve(alarm_id: string, duration_s: number, actor?: string, note?: string): Promise<Alarm> {
    return this.#call('alarm_shelve', [alarm_id, duration_s], alarm, { actor, note });
  }

  alarm_unshelve(alarm_id: string, actor?: string, note?: string): Promise<Alarm> {
    return this.#call('alarm_unshelve', [alarm_id], alarm, { actor, note });
  }

  alarm_remove_from_service(alarm_id: string, actor?: string, note?: string): Promise<Alarm> {
    return this.#call('alarm_remove_from_service', [alarm_id], alarm, { actor, note });
  }

  alarm_return_to_service(alarm_id: string, actor?: string, note?: string): Promise<Alarm> {
    return this.#call('alarm_return_to_service', [alarm_id], alarm, { actor, note });
  }

  /** Everything that is wrong with one source now, e.g. a facility; what is not named is no longer so. */
  alarm_report(source_id: string, conditions: readonly AlarmCondition[]): Promise<'success'> {
    return this.#call('alarm_report', [source_id, conditions], success);
  }

  /** A series from so many seconds ago until now, at most 2000 points. */
  past_measurements(device_id: string, measurement_id: string, past_s: number): Promise<Trend> {
    return this.#call('past_measurements', [device_id, measurement_id, past_s], trend);
  }

  /** Stores a sample of a channel that an input measures; resolves when it is durable. */
  measurement_create(sample: LastValue): Promise<boolean> {
    return this.#call('measurement_create', [lastValue.parse(sample)], z.boolean());
  }

  /** The same of up to 500 at once; what is wrong with each, null for one that is stored. */
  measurements_create(samples: readonly LastValue[]): Promise<z.infer<typeof sampleFaults>> {
    return this.#call('measurements_create', [samples.map((sample) => lastValue.parse(sample))], sampleFaults);
  }

  /** Checks the devices of a facility, all when `include` is null. Rejects with `not_found`, `check_running`, `nothing_bound`. */
  commissioning_start(
    facility_id: string,
    include: readonly string[] | null = null,
    actor?: string,
  ): Promise<CommissioningCheck> {
    return this.#call('commissioning_start', [facility_id], commissioningCheck, { include, actor });
  }

  /** Rejects with `not_found`, `not_running`. */
  commissioning_abort(check_id: string, actor?: string): Promise<CommissioningCheck> {
    return this.#call('commissioning_abort', [check_id], commissioningCheck, { actor });
  }

  commissioning_get(check_id: string): Promise<CommissioningCheck> {
    return this.#call('commissioning_get', [check_id], commissioningCheck);
  }

  /** The latest first. */
  commissioning_list(facility_id: string): Promise<CheckOverview[]> {
    return this.#call('commissioning_list', [facility_id], z.array(checkOverview));
  }

  /** Rejects with `not_found`, `not_in_check`, `not_judgeable`, `check_completed`, `no_reading`, `not_steady`. */
  commissioning_accuracy(check_id: string, reference: ReferenceReading, actor?: string): Promise<CheckItem> {
    return this.#call('commissioning_accuracy', [check_id, reference], checkItem, { actor });
  }

  /** Rejects with `not_found`, `not_completed`. */
  commissioning_reopen(check_id: string, reason: string, actor?: string): Promise<CommissioningCheck> {
    return this.#call('commissioning_reopen', [check_id, reason], commissioningCheck, { actor });
  }

  /** Rejects with `not_found`, `not_in_check`, `not_judgeable`, `check_completed`. */
  commissioning_verdict(check_id: string, verdict: CheckVerdict, actor?: string): Promise<CheckItem> {
    return this.#call('commissioning_verdict', [check_id, verdict], checkItem, { actor });
  }

  drivers(): Promise<DriverDescription[]> {
    return this.#call('drivers', [], z.array(driverDescription));
  }

  /** Whether a Modbus unit is there. */
  modbus_probe(host: string, unit_id: number, port?: number): Promise<ModbusProbed> {
    return this.#call('modbus_probe', [host, unit_id], modbusProbed, { port });
  }

  /** Which devices announced themselves on an MQTT broker. */
  mqtt_probe(broker: MqttProbe): Promise<MqttProbed> {
    return this.#call('mqtt_probe', [broker], mqttProbed);
  }

  live_state(): Promise<LiveState> {
    return this.#call('live_state', [], liveState);
  }

  /** The events after a cursor, or none after `wait_s` (0..60 s). */
  async events_since(cursor: string, wait_s = 20, signal?: AbortSignal): Promise<EventsSince> {
    const timeoutMs = (wait_s + POLL_MARGIN_S) * 1000;
    const answer = await this.#events.call(
      'events_since',
      [cursor],
      { wait_s },
      { timeoutMs, ...(signal && { signal }) },
    );
    return agreed('events_since', eventsSince, answer);
  }

  /** What may be left out goes by its name: other daemons have the same names in another order. */
  async #call<Schema extends z.ZodType>(
    method: string,
    args: readonly unknown[],
    schema: Schema,
    named: Readonly<Record<string, unknown>> = {},
  ): Promise<z.output<Schema>> {
    const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
    return agreed(method, schema, await this.#proxy.call(method, args, given));
  }
}

function agreed<Schema extends z.ZodType>(method: string, schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new RemoteError('protocol_error', `${method} answered something else than agreed at "${where}"`);
}
