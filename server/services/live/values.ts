import type { Alarm } from '../../contract/alarm.ts';
import type {
  ControlLive,
  ControllerStatus,
  DaemonEvent,
  EmergencyHold,
  LiveState,
  OutputEvent,
} from '../../contract/daemon.ts';
import type { LcdDisplay } from '../../contract/lcd.ts';
import type { LastValue } from '../../contract/measurement.ts';
import type { OutputChannelState, OutputState } from '../../contract/output.ts';
import { stillAsked } from '../../contract/output-state.ts';

export interface KnownOutput {
  state: OutputChannelState;
  /** When the state was reported, epoch ms. */
  atMs: number;
  /** When it arrived here, elapsed ms. */
  heardMs: number;
  /** The last command failed, none has succeeded since, and the channel was not found as it asked. */
  failure: { atMs: number; message: string; asked: OutputState | undefined } | null;
}

export interface KnownController {
  status: ControllerStatus;
  /** Since when it has this state, epoch ms. */
  sinceMs: number;
}

/** A channel of unknown state. */
export function unknownChannel(channel: number): OutputChannelState {
  return {
    channel,
    state: null,
    contact: null,
    quality: 'unknown',
    source: null,
    actor: null,
    reason: null,
    rule: null,
    wanted: null,
    until: null,
    override_until: null,
    off_until: null,
    on_seconds: null,
    changed_at: null,
    pending: false,
  };
}

interface LiveTime {
  /** Epoch ms. */
  clock: () => number;
  /** Elapsed ms, by which ages are counted, as the time of day may be set. */
  elapsed: () => number;
}

/** A reading, and when it was taken, elapsed ms; negative before this server started. */
interface KnownReading {
  last: LastValue;
  takenMs: number;
}

/** The newest of everything that the daemon reported. Identifiers are in lower case. */
export class LiveValues {
  readonly #time: LiveTime;
  readonly #readings = new Map<string, KnownReading>();
  #outputs = new Map<string, KnownOutput>();
  #controllers = new Map<string, KnownController>();
  #lcds = new Map<string, LcdDisplay>();
  #control = new Map<string, ControlLive['live']>();
  readonly #alarms = new Map<string, Alarm>();
  #emergency: EmergencyHold | null = null;
  readonly #versions = new Map<string, number>();

  constructor(time: LiveTime) {
    this.#time = time;
  }

  reading(deviceId: string, measurementId: string): LastValue | undefined {
    return this.#readings.get(`${deviceId}/${measurementId}`)?.last;
  }

  /** Age of the reading, s. */
  age_s(deviceId: string, measurementId: string): number | undefined {
    const known = this.#readings.get(`${deviceId}/${measurementId}`);
    return known && (this.#time.elapsed() - known.takenMs) / 1000;
  }

  output(outputId: string, channel: number): KnownOutput | undefined {
    return this.#outputs.get(`${outputId}/${channel}`);
  }

  controller(id: string): KnownController | undefined {
    return this.#controllers.get(id);
  }

  lcd(id: string): LcdDisplay | undefined {
    return this.#lcds.get(id);
  }

  /** The live values of a controller, in the form of its kind. */
  control(id: string): ControlLive['live'] | undefined {
    return this.#control.get(id);
  }

  controllers(): ControllerStatus[] {
    return [...this.#controllers.values()].map((known) => known.status);
  }

  /** The alarms that are not normal, as last reported. */
  alarms(): Alarm[] {
    return [...this.#alarms.values()];
  }

  /** The emergency stop as last reported; null before the first report. */
  get emergency(): EmergencyHold | null {
    return this.#emergency;
  }

  /** Rises whenever anything about the device changes. */
  version(deviceId: string): number {
    return this.#versions.get(deviceId) ?? 0;
  }

  /** Takes over a complete live state. Readings that it lacks stay: they were true at their time. */
  load(live: LiveState, atMs: number): void {
    for (const { age_s, ...reading } of live.measurements) this.#keepReading(reading, age_s);
    this.#emergency = live.emergency_stop;
    this.#alarms.clear();
    for (const alarm of live.alarms) this.#keepAlarm(alarm);
    this.#outputs = new Map(
      live.outputs.map(({ output_id, ...state }) => [
        `${output_id}/${state.channel}`,
        {
          state,
          atMs,
          heardMs: this.#time.elapsed(),
          failure: this.#failureBeside(output_id, state),
        },
      ]),
    );
    this.#control = new Map(live.control.map(({ controller_id, live: told }) => [controller_id, told]));
    this.#lcds = new Map(live.lcds.map((display) => [display.lcd_id, display]));
    this.#controllers = new Map(
      live.controllers.map((status) => [status.controller_id, { status, sinceMs: this.#sinceMs(status, atMs) }]),
    );
  }

  apply(event: DaemonEvent): void {
    switch (event.kind) {
      case 'measurement':
        this.#keepReading(event);
        break;
      case 'output':
        this.#applyOutput(event);
        break;
      case 'controller': {
        const { id: _id, at, kind: _kind, ...status } = event;
        this.#controllers.set(status.controller_id, { status, sinceMs: this.#sinceMs(status, Date.parse(at)) });
        this.#touch(status.controller_id);
        break;
      }
      case 'control':
        this.#control.set(event.controller_id, event.live);
        break;
      case 'lcd': {
        const { id: _id, at: _at, kind: _kind, ...display } = event;
        this.#lcds.set(display.lcd_id, display);
        break;
      }
      case 'alarm': {
        const { id: _id, at: _at, kind: _kind, ...alarm } = event;
        this.#keepAlarm(alarm);
        break;
      }
      case 'emergency_stop': {
        const { active, since, by, reason } = event;
        this.#emergency = { active, since, by, reason };
        break;
      }
      case 'override':
      case 'errand':
      case 'commissioning':
      case 'daemon':
      case 'program':
        break;
    }
  }

  /** Takes the state in a command's answer: its event may come a moment later. */
  noteOutput(outputId: string, state: OutputChannelState, atMs: number): void {
    const failure = this.#failureBeside(outputId, state);
    this.#outputs.set(`${outputId}/${state.channel}`, { state, atMs, heardMs: this.#time.elapsed(), failure });
    this.#touch(outputId);
  }

  #failureBeside(outputId: string, { channel, state }: OutputChannelState): KnownOutput['failure'] {
    const failure = this.output(outputId, channel)?.failure ?? null;
    return state !== null && failure?.asked === state ? null : failure;
  }

  #keepAlarm(alarm: Alarm): void {
    if (alarm.state === 'normal') this.#alarms.delete(alarm.alarm_id);
    else this.#alarms.set(alarm.alarm_id, alarm);
  }

  /** The last reading to arrive is the newest, whatever its time: the clock that dated it may have been set since. */
  #keepReading(reading: LastValue, age_s?: number): void {
    const { device_id, measurement_id, channel, value, unit, quality, time_ms } = reading;
    const last = { device_id, measurement_id, channel, value, unit, quality, time_ms };
    const ageMs = age_s === undefined ? Math.max(0, this.#time.clock() - time_ms) : age_s * 1000;
    this.#readings.set(`${device_id}/${measurement_id}`, { last, takenMs: this.#time.elapsed() - ageMs });
    this.#touch(device_id);
  }

  #applyOutput(event: OutputEvent): void {
    const { at, output_id } = event;
    const state = stateIn(event);
    const atMs = Date.parse(at);
    const failure = failureAfter(this.#failureBeside(output_id, state), event, atMs);
    this.#outputs.set(`${output_id}/${state.channel}`, { state, atMs, heardMs: this.#time.elapsed(), failure });
    this.#touch(output_id);
  }

  #sinceMs(status: ControllerStatus, atMs: number): number {
    const known = this.#controllers.get(status.controller_id);
    return known?.status.state === status.state ? known.sinceMs : atMs;
  }

  #touch(deviceId: string): void {
    this.#versions.set(deviceId, this.version(deviceId) + 1);
  }
}

/** The state alone, without the end of the command that the event also carries. */
function stateIn(event: OutputEvent): OutputChannelState {
  const { id: _id, at: _at, kind: _kind, output_id: _output, ...told } = event;
  const { outcome: _outcome, code: _code, message: _message, commanded_by: _by, ...rest } = told;
  const { requested: _requested, before: _before, ...state } = rest;
  return state;
}

/** A blocked command moved nothing, so it says nothing about the device. */
function failureAfter(before: KnownOutput['failure'], event: OutputEvent, atMs: number): KnownOutput['failure'] {
  const { outcome, message = 'the command failed' } = event;
  if (outcome === undefined || outcome === 'blocked') return before;
  return outcome === 'failed' ? { atMs, message, asked: stillAsked(event) } : null;
}
