import type { ActionOutcome } from '../../server/contract/action.ts';
import type {
  ControllerStatus,
  DaemonEvent,
  DaemonStatus,
  EventsSince,
  LiveState,
  OutputCommand,
} from '../../server/contract/daemon.ts';
import type { ModbusProbed } from '../../server/contract/drivers/modbus.ts';
import type { OnewireProbed } from '../../server/contract/drivers/onewire.ts';
import type { MqttProbed } from '../../server/contract/drivers/mqtt-found.ts';
import type { LastValue } from '../../server/contract/measurement.ts';
import type { OutputChannelState } from '../../server/contract/output.ts';
import type { Alarm, AlarmCondition } from '../../server/contract/alarm.ts';
import type {
  CheckItem,
  CheckOverview,
  CheckPlan,
  CheckVerdict,
  CommissioningCheck,
} from '../../server/contract/commissioning.ts';
import type { ReferenceReading } from '../../server/contract/commissioning-accuracy.ts';
import type { CommandAnswer, OverrideRelease } from '../../server/contract/remote/output.ts';
import type { EmergencyStop } from '../../server/contract/safety.ts';
import type {
  AlarmControl,
  CommissioningControl,
  DaemonEventPort,
  DaemonPort,
  EmergencyStopPort,
} from '../../server/services/live/daemon-port.ts';
import type { PidAutotune } from '../../server/contract/pid-autotune.ts';
import { noTrial } from '../../server/daemon/controllers/pid/pid-trial.ts';
import { pidLive, type PidLive } from '../../server/contract/pid.ts';
import { unknownChannel } from '../../server/services/live/values.ts';
import { restingLive } from './resting-pid.ts';

type WithoutStamp<Event> = Event extends DaemonEvent ? Omit<Event, 'id' | 'at'> : never;

/** An error as the remote-object client throws it. */
export function remoteError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

const notStopped: EmergencyStop = { active: false, since: null, by: null, reason: null, outputs: [] };

/** The daemon's side of its ports: the test sets its answers and events. */
export class ScriptedDaemon
  implements DaemonPort, DaemonEventPort, AlarmControl, CommissioningControl, EmergencyStopPort
{
  readonly commands: OutputCommand[] = [];
  /** Calls about settings, as `name id`. */
  readonly told: string[] = [];
  /** The answer to a command; throws to fail. */
  answer: (command: OutputCommand) => CommandAnswer = (command) => confirmed(command);
  /** If set, every call fails with it. */
  failure: Error | undefined;
  /** If set, calls about settings end with status 1 and this message. */
  refusal: string | undefined;
  readonly measurements: LiveState['measurements'] = [];
  readonly outputs: LiveState['outputs'] = [];
  readonly controllers: ControllerStatus[] = [];
  readonly alarms: LiveState['alarms'] = [];
  readonly lcds: LiveState['lcds'] = [];
  readonly control: LiveState['control'] = [];
  readonly checks: CommissioningCheck[] = [];
  emergencyStop: EmergencyStop = notStopped;
  boot = 'b1';
  #events: DaemonEvent[] = [];
  #now: () => number;
  #poll: { cursor: string; resolve: (batch: EventsSince) => void; reject: (error: Error) => void } | undefined;
  #whenPolled: (() => void)[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get cursor(): string {
    return `${this.boot}:${this.#events.length}`;
  }

  emit(event: WithoutStamp<DaemonEvent>): void {
    const id = `${this.boot}:${this.#events.length + 1}`;
    this.#events.push({ id, at: new Date(this.#now()).toISOString(), ...event });
    this.#serve();
  }

  /** Restarts, as after a crash: old cursors become invalid. */
  restart(): void {
    this.boot += "'";
    this.#events = [];
  }

  /** Breaks the connection: the poll under way and all later calls fail until `failure` is cleared. */
  break(error = remoteError('connection_failed')): void {
    this.failure = error;
    this.#poll?.reject(error);
    this.#poll = undefined;
  }

  /** Resolves once the reader has read everything and waits for more. */
  async polled(): Promise<void> {
    if (this.#poll?.cursor === this.cursor) return;
    await new Promise<void>((resolve) => this.#whenPolled.push(resolve));
  }

  async events_since(cursor: string): Promise<EventsSince> {
    this.#refuseWhenBroken();
    const [boot, number] = cursor.split(':');
    if (boot !== this.boot) return { cursor: this.cursor, gap: true, events: [] };
    if (Number(number) < this.#events.length) return this.#batch(Number(number));
    return new Promise((resolve, reject) => {
      this.#poll = { cursor, resolve, reject };
      for (const resume of this.#whenPolled.splice(0)) resume();
    });
  }

  async live_state(): Promise<LiveState> {
    this.#refuseWhenBroken();
    const { cursor, measurements, outputs, controllers, alarms, lcds, control } = this;
    const { outputs: _outputs, ...emergency_stop } = this.emergencyStop;
    return structuredClone({ cursor, measurements, outputs, controllers, alarms, lcds, control, emergency_stop });
  }

  async daemon_status(): Promise<DaemonStatus> {
    this.#refuseWhenBroken();
    return {
      instance_id: '00000000-0000-4000-8000-0000000000d1',
      boot_id: this.boot,
      version: '1.2.3',
      pid: 1,
      data_directory_id: 'test',
      started_at: new Date(this.#now()).toISOString(),
      linger_s: 0,
      controllers: this.controllers.length,
    };
  }

  async output_command(command: OutputCommand): Promise<CommandAnswer> {
    this.commands.push(command);
    this.#refuseWhenBroken();
    return this.answer(command);
  }

  async override_release(output_id: string, channel = 0): Promise<OverrideRelease> {
    this.#tell(`override_release ${output_id} ${channel}`);
    return { released: true, state: stateOf({ channel }) };
  }

  async emergency_stop(reason: string | null = null, by = 'pyro'): Promise<EmergencyStop> {
    this.#tell(`emergency_stop ${by}`);
    const since = new Date(this.#now()).toISOString();
    this.emergencyStop = { active: true, since, by, reason, outputs: [] };
    return this.emergencyStop;
  }

  async emergency_stop_get(): Promise<EmergencyStop> {
    this.#refuseWhenBroken();
    return this.emergencyStop;
  }

  async emergency_stop_release(by = 'pyro'): Promise<EmergencyStop> {
    this.#tell(`emergency_stop_release ${by}`);
    this.emergencyStop = notStopped;
    return this.emergencyStop;
  }

  async measurements_create(samples: readonly LastValue[]): Promise<null[]> {
    for (const { measurement_id, value } of samples) this.#tell(`measurement_create ${measurement_id} ${value}`);
    return samples.map(() => null);
  }

  async drivers(): Promise<[]> {
    this.#refuseWhenBroken();
    return [];
  }

  async driver_search(
    driver: string,
    query: Readonly<Record<string, unknown>>,
  ): Promise<ModbusProbed | MqttProbed | OnewireProbed> {
    this.#refuseWhenBroken();
    if (driver === 'modbus')
      return { unit_id: Number(query['unit_id']), found: 'silent', message: 'no answer in time' };
    if (driver === 'onewire') return { found: 'absent', sensors: [] };
    return { found: 'unreachable', message: 'no broker answers', devices: [], left_out: 0 };
  }

  async controller_refresh(id: string): Promise<[number, string]> {
    return this.#tell(`controller_refresh ${id}`);
  }

  async input_force_measurements(id: string): Promise<[number, string]> {
    return this.#tell(`input_force_measurements ${id}`);
  }

  async lcd_backlight(id: string, state: boolean): Promise<[number, string]> {
    return this.#tell(`lcd_backlight ${id} ${state}`);
  }

  async display_backlight_color(id: string, color: string): Promise<[number, string]> {
    return this.#tell(`display_backlight_color ${id} ${color}`);
  }

  async lcd_flash(id: string, state: boolean): Promise<[number, string]> {
    return this.#tell(`lcd_flash ${id} ${state}`);
  }

  async pid_set(id: string, setting: string, value: number | string): Promise<'success'> {
    this.#tell(`pid_set ${id} ${setting} ${value}`);
    return 'success';
  }

  async pid_hold(id: string): Promise<'success'> {
    this.#tell(`pid_hold ${id}`);
    return 'success';
  }

  async pid_pause(id: string): Promise<'success'> {
    this.#tell(`pid_pause ${id}`);
    return 'success';
  }

  async pid_resume(id: string): Promise<'success'> {
    this.#tell(`pid_resume ${id}`);
    return 'success';
  }

  async pid_autotune_start(pid_id: string): Promise<PidAutotune> {
    this.#tell(`pid_autotune_start ${pid_id}`);
    return { pid_id, ...noTrial };
  }

  async pid_autotune_get(pid_id: string): Promise<PidAutotune> {
    this.#refuseWhenBroken();
    return { pid_id, ...noTrial };
  }

  async pid_autotune_abort(pid_id: string): Promise<PidAutotune> {
    this.#tell(`pid_autotune_abort ${pid_id}`);
    return { pid_id, ...noTrial };
  }

  async pid_state(pid_id: string): Promise<PidLive> {
    this.#refuseWhenBroken();
    return pidLive.parse(
      this.control.find(({ controller_id }) => controller_id === pid_id)?.live ?? restingLive(pid_id),
    );
  }

  async module_function(_type: string, id: string, command: string): Promise<[number, unknown]> {
    this.told.push(`module_function ${id} ${command}`);
    this.#refuseWhenBroken();
    const nothing = {
      value: null,
      unit: null,
      is_on: null,
      because: null,
      reason: null,
      at: null,
      values: [],
      progress: null,
    };
    return [0, { function_id: id, ...nothing }];
  }

  async trigger_action(action_id: string): Promise<ActionOutcome> {
    this.told.push(`trigger_action ${action_id}`);
    this.#refuseWhenBroken();
    return { action_id, name: 'heat', kind: 'output', outcome: 'confirmed', message: 'done' };
  }

  async trigger_all_actions(function_id: string): Promise<ActionOutcome[]> {
    this.told.push(`trigger_all_actions ${function_id}`);
    this.#refuseWhenBroken();
    return [];
  }

  async lcd_reset(id: string): Promise<[number, string]> {
    return this.#tell(`lcd_reset ${id}`);
  }

  async last_measurement(device_id: string, measurement_id: string): Promise<LastValue | null> {
    this.#refuseWhenBroken();
    return (
      this.measurements.find((one) => one.device_id === device_id && one.measurement_id === measurement_id) ?? null
    );
  }

  async alarm_acknowledge(id: string, ...rest: unknown[]): Promise<Alarm> {
    return this.#changeAlarm('acknowledge', id, rest);
  }

  async alarm_shelve(id: string, ...rest: unknown[]): Promise<Alarm> {
    return this.#changeAlarm('shelve', id, rest);
  }

  async alarm_unshelve(id: string, ...rest: unknown[]): Promise<Alarm> {
    return this.#changeAlarm('unshelve', id, rest);
  }

  async alarm_remove_from_service(id: string, ...rest: unknown[]): Promise<Alarm> {
    return this.#changeAlarm('remove_from_service', id, rest);
  }

  async alarm_return_to_service(id: string, ...rest: unknown[]): Promise<Alarm> {
    return this.#changeAlarm('return_to_service', id, rest);
  }

  async alarm_report(id: string, conditions: readonly AlarmCondition[]): Promise<'success'> {
    this.#tell(`alarm_report ${id} ${conditions.map(({ code }) => code).join()}`);
    return 'success';
  }

  close(): void {
    this.break(remoteError('closed'));
  }

  /** One more connection to it; only the end of the one that waits for events breaks anything. */
  connect(): this {
    let isListening = false;
    return new Proxy(this, {
      get: (daemon, name) => {
        if (name === 'events_since') isListening = true;
        if (name === 'close') return () => isListening && daemon.close();
        const member: unknown = Reflect.get(daemon, name, daemon);
        return typeof member === 'function' ? (member.bind(daemon) as unknown) : member;
      },
    });
  }

  async commissioning_start(id: string, include?: readonly string[], actor?: string): Promise<CommissioningCheck> {
    this.#tell(`commissioning_start ${[id, ...(include ?? []), actor].join(' ')}`);
    return this.#check((check) => check.facility_uuid === id);
  }

  async commissioning_abort(id: string, actor?: string): Promise<CommissioningCheck> {
    this.#tell(`commissioning_abort ${[id, actor].join(' ')}`);
    return this.#check((check) => check.check_id === id);
  }

  async commissioning_get(id: string): Promise<CommissioningCheck> {
    if (this.failure) throw this.failure;
    return this.#check((check) => check.check_id === id);
  }

  async commissioning_list(id: string): Promise<CheckOverview[]> {
    if (this.failure) throw this.failure;
    return this.checks.filter(({ facility_uuid }) => facility_uuid === id).map(({ items: _, ...overview }) => overview);
  }

  async commissioning_plan(id: string): Promise<CheckPlan> {
    if (this.failure) throw this.failure;
    this.#check((check) => check.facility_uuid === id);
    return { takes_s: 329 };
  }

  async commissioning_retest(id: string, actor?: string): Promise<CommissioningCheck> {
    this.#tell(`commissioning_retest ${[id, actor].join(' ')}`);
    const check = this.checks.find(({ check_id }) => check_id === id);
    if (check === undefined) throw remoteError('not_found');
    if (check.status !== 'awaiting_verdict') throw remoteError('not_retestable');
    check.status = 'running';
    return structuredClone(check);
  }

  async commissioning_reopen(id: string, reason: string, actor?: string): Promise<CommissioningCheck> {
    this.#tell(`commissioning_reopen ${[id, reason, actor].join(' ')}`);
    const check = this.checks.find(({ check_id }) => check_id === id);
    if (check === undefined) throw remoteError('not_found');
    if (check.status !== 'completed') throw remoteError('not_completed');
    check.status = 'awaiting_verdict';
    check.reopened = [{ reason, by: actor ?? 'pyro', at: new Date(this.#now()).toISOString() }];
    return structuredClone(check);
  }

  async commissioning_verdict(id: string, verdict: CheckVerdict, actor?: string): Promise<CheckItem> {
    this.#tell(`commissioning_verdict ${[id, verdict.device_id, actor].join(' ')}`);
    const item = this.#check((check) => check.check_id === id).items.find((one) => one.device_id === verdict.device_id);
    if (item === undefined) throw remoteError('not_in_check');
    return item;
  }

  async commissioning_accuracy(id: string, reading: ReferenceReading, actor?: string): Promise<CheckItem> {
    this.#tell(`commissioning_accuracy ${[id, reading.measurement_id, reading.reference, actor].join(' ')}`);
    const items = this.#check((check) => check.check_id === id).items;
    const item = items.find((one) => one.measurement_id === reading.measurement_id);
    if (item === undefined) throw remoteError('not_in_check');
    return item;
  }

  #check(isIt: (check: CommissioningCheck) => boolean): CommissioningCheck {
    const check = this.checks.find(isIt);
    if (check === undefined) throw remoteError('not_found');
    return structuredClone(check);
  }

  /** The alarm as it is: the test sets the present ones in `alarms`. */
  #changeAlarm(deed: string, id: string, rest: unknown[]): Alarm {
    this.#tell(`alarm_${deed} ${[id, ...rest].join(' ')}`);
    const alarm = this.alarms.find((one) => one.alarm_id === id);
    if (alarm === undefined) throw remoteError('not_found');
    return alarm;
  }

  #tell(call: string): [number, string] {
    this.told.push(call);
    this.#refuseWhenBroken();
    return this.refusal === undefined ? [0, 'done'] : [1, this.refusal];
  }

  #refuseWhenBroken(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  #serve(): void {
    const poll = this.#poll;
    if (poll === undefined) return;
    this.#poll = undefined;
    poll.resolve(this.#batch(Number(poll.cursor.split(':')[1])));
  }

  #batch(after: number): EventsSince {
    return { cursor: this.cursor, gap: false, events: this.#events.slice(after) };
  }
}

export function stateOf(is: Partial<OutputChannelState>): OutputChannelState {
  return { ...unknownChannel(0), state: 'off', quality: 'good', on_seconds: 0, ...is };
}

/** The answer of a device that carried out its command. */
export function confirmed(command: OutputCommand): CommandAnswer {
  const value = command.state ? (command.duty_cycle_pct ?? command.value ?? 'on') : 'off';
  const state = stateOf({
    channel: command.channel ?? 0,
    state: value,
    source: 'manual',
    actor: command.actor ?? null,
  });
  return { outcome: 'confirmed', message: 'the device confirmed it', state };
}
