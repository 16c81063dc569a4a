import type { Alarm, AlarmCode, AlarmCondition } from '../../contract/alarm.ts';
import { kindOfType, type ControllerType } from '../../contract/controller-kinds.ts';
import { deviceSays } from '../../contract/device-words.ts';
import type { ControllerStatus, DaemonEvent, OutputEvent } from '../../contract/daemon.ts';
import type { LastValue } from '../../contract/measurement.ts';
import type { OutputState } from '../../contract/output.ts';
import { stillAsked } from '../../contract/output-state.ts';
import { sensorTrust, type EmergencyStop } from '../../contract/safety.ts';
import type { Clock, Timer } from '../clock.ts';
import { namedBy, type Configuration } from '../configuration/configuration.ts';
import type { ControlState } from '../store/control-store.ts';
import type { EventRing } from '../events/events.ts';
import type { Alarms } from './alarms.ts';
import { raiseable } from './alarm-key.ts';

interface ConditionsOptions {
  clock: Clock;
  configuration: Pick<Configuration, 'get'>;
  alarms: Alarms;
  events: Pick<EventRing, 'subscribe'>;
}

/** An input that should send readings. */
interface Speaker {
  name: string;
  period_s: number;
  hasSpoken: boolean;
  /** Its controller has not reported a failure. */
  isWell: boolean;
  /** There may be an alarm that its next reading ends. */
  isAwaited: boolean;
  /** When it last sent a reading, or else when it started, elapsed ms. */
  lastAtMs: number;
}

interface Start extends Pick<ControlState, 'ended_orderly' | 'has_run' | 'emergency_stop'> {
  /** Why the last daemon ended, if daemons end again and again. */
  crash_loop: string | null;
}

const ofDaemon = { source_kind: 'daemon', source_id: 'daemon' } as const;
/** Sources that are a controller of some kind. */
const ofControllers: ReadonlySet<AlarmCondition['source_kind']> = new Set(['input', 'output', 'controller']);
const ofSite = { source_kind: 'site', source_id: 'site' } as const;
/** The alarm of a controller that fails: a lost device, or control that stands still. */
const codeOf = (type: ControllerType) => (kindOfType(type).isDevice ? 'controller_down' : 'control_stopped');

/** What a daemon knows of its own loops and store: the next one finds out for itself. */
const endedWithIt: ReadonlySet<AlarmCode> = new Set(['watchdog', 'store_failed']);

const lookMs = 1_000;
/** A daemon that has run this long is out of the crash loop. */
const steadyMs = 60_000;

/**
 * Raises what the daemon's own events mean: failed devices, outputs in an unknown state, failed commands, silent
 * sensors.
 */
export class DaemonConditions {
  readonly #options: ConditionsOptions;
  readonly #speakers = new Map<string, Speaker>();
  /** What the last failed command of each channel asked for. */
  readonly #unmet = new Map<string, OutputState>();
  #timer: Timer | undefined;
  #steady: Timer | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: ConditionsOptions) {
    this.#options = options;
  }

  /**
   * Called before the controllers start. Reports that the last daemon was lost, and clears alarms of devices that are
   * gone.
   */
  start({ ended_orderly, has_run, crash_loop, emergency_stop }: Start): void {
    const { alarms, events } = this.#options;
    this.#unsubscribe = events.subscribe((event) => this.#hear(event));
    alarms.clearWhere((known) => endedWithIt.has(known.code) || this.#isGone(known));
    if (emergency_stop === null) alarms.clear({ ...ofSite, code: 'emergency_stop' });
    this.#startLoop(crash_loop);
    if (has_run && !ended_orderly) {
      alarms.raise(raiseable({ ...ofDaemon, code: 'daemon_restarted', severity: 'warning' }));
    }
    for (const code of ['daemon_restarted', 'daemon_stopped'] as const) alarms.clear({ ...ofDaemon, code });
    this.#arm();
  }

  #startLoop(reason: string | null): void {
    const { alarms, clock } = this.#options;
    const key = { ...ofDaemon, code: 'crash_loop' } as const;
    if (reason === null) return alarms.clear(key);
    alarms.raise(raiseable({ ...key, severity: 'emergency', message: reason }));
    this.#steady = clock.after(steadyMs, () => alarms.clear(key));
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#timer?.cancel();
    this.#steady?.cancel();
    this.#timer = undefined;
  }

  #hear(event: DaemonEvent): void {
    if (event.kind === 'controller') this.#hearController(event);
    else if (event.kind === 'output') this.#hearOutput(event);
    else if (event.kind === 'measurement') this.#hearReading(event);
    else if (event.kind === 'emergency_stop') this.#hearStop(event);
    else if (event.kind === 'daemon' && event.ended_by !== undefined) this.#hearEnd(event.ended_by);
  }

  /** The next daemon clears it, and it then waits for an acknowledgement: the journal keeps who ended the daemon. */
  #hearEnd(by: string): void {
    const message = deviceSays('told_to_end', { name: by });
    this.#options.alarms.raise(raiseable({ ...ofDaemon, code: 'daemon_stopped', severity: 'emergency', message }));
  }

  #hearStop({ active, by, reason }: Pick<EmergencyStop, 'active' | 'by' | 'reason'>): void {
    const key = { ...ofSite, code: 'emergency_stop' } as const;
    if (!active) return this.#options.alarms.clear(key);
    const message = [by, reason].filter(Boolean).join(': ').slice(0, 500);
    this.#options.alarms.raise(raiseable({ ...key, severity: 'emergency', message }));
  }

  #hearController({ controller_id, controller_type, state, reason }: ControllerStatus): void {
    const { alarms } = this.#options;
    if (state === 'stopped') {
      this.#speakers.delete(controller_id);
      alarms.clearWhere(({ source_id }) => source_id === controller_id);
      return;
    }
    const code = codeOf(controller_type);
    if (state === 'failed') {
      const about = { ...this.#source(controller_id, kindOfType(controller_type).alarmSource), code } as const;
      alarms.raise(raiseable({ ...about, severity: 'warning', message: reason?.slice(0, 500) ?? null }));
    }
    if (controller_type === 'Input') return this.#hearInput(controller_id, state === 'running');
    if (state === 'running') alarms.clear({ code, source_id: controller_id });
  }

  /** A start alone does not show that an input's device works again: its first reading does. */
  #hearInput(id: string, isWell: boolean): void {
    const speaker = this.#speakers.get(id) ?? this.#listenTo(id);
    if (speaker === undefined) return;
    const hasRecovered = isWell && !speaker.isWell;
    speaker.isWell = isWell;
    if (hasRecovered) this.#options.alarms.clear({ code: 'controller_down', source_id: id });
  }

  /**
   * Takes a channel's unknown state, and a command that its device did not carry out; a blocked command moved nothing.
   */
  #hearOutput({ output_id, channel, state, quality, outcome, code, message, requested }: OutputEvent): void {
    const { alarms } = this.#options;
    // The name is read from the file only for an alarm: controllers command outputs many times a second.
    const about = () => ({ ...this.#source(output_id, 'output'), channel, severity: 'warning' }) as const;
    if (quality === 'unknown') alarms.raise(raiseable({ ...about(), code: 'output_unknown' }));
    else alarms.clear({ code: 'output_unknown', source_id: output_id, channel });
    const key = `${output_id}:${channel}`;
    if (outcome === 'failed') {
      alarms.raise(raiseable({ ...about(), code: 'command_failed', message: message?.slice(0, 500) ?? null }));
      const asked = stillAsked({ code, requested });
      if (asked === undefined) this.#unmet.delete(key);
      else this.#unmet.set(key, asked);
      return;
    }
    // The device is back and found as it was to be, for instance off as the daemon would have driven it meanwhile.
    const isMet = state !== null && this.#unmet.get(key) === state;
    if (outcome === 'confirmed' || outcome === 'unknown' || isMet) {
      this.#unmet.delete(key);
      alarms.clear({ code: 'command_failed', source_id: output_id, channel });
    }
  }

  #hearReading({ device_id }: LastValue): void {
    const speaker = this.#speakers.get(device_id);
    if (speaker === undefined) return;
    speaker.lastAtMs = this.#options.clock.elapsed();
    speaker.hasSpoken = true;
    if (!speaker.isAwaited) return; // readings come by the thousand
    speaker.isAwaited = false;
    this.#options.alarms.clear({ code: 'stale', source_id: device_id });
    this.#options.alarms.clear({ code: 'no_data', source_id: device_id });
    if (speaker.isWell) this.#options.alarms.clear({ code: 'controller_down', source_id: device_id });
  }

  /** An input that was silent under the last daemon is still silent, and does not count as one that never sent. */
  #listenTo(id: string): Speaker | undefined {
    const input = this.#options.configuration.get('input', id);
    if (input === undefined) return undefined;
    const { name, period_s } = input;
    const isMissed = ({ code, source_id, is_raised }: Alarm): boolean =>
      code === 'stale' && source_id === id && is_raised;
    const hasSpoken = this.#options.alarms.list().some(isMissed);
    const lastAtMs = this.#options.clock.elapsed();
    const speaker = { name, period_s, hasSpoken, isWell: true, isAwaited: true, lastAtMs };
    this.#speakers.set(id, speaker);
    return speaker;
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#arm();
      for (const [id, speaker] of this.#speakers) this.#listenFor(id, speaker);
    });
  }

  #listenFor(source_id: string, speaker: Speaker): void {
    const { name, period_s, hasSpoken, lastAtMs } = speaker;
    const limit = sensorTrust.periods * period_s;
    const value = (this.#options.clock.elapsed() - lastAtMs) / 1000;
    if (value <= limit) return;
    speaker.isAwaited = true;
    this.#options.alarms.raise(
      raiseable({
        code: hasSpoken ? 'stale' : 'no_data',
        severity: 'warning',
        source_kind: 'input',
        source_id,
        source_name: name,
        value: Math.round(value),
        limit,
        unit: 's',
      }),
    );
  }

  #source(source_id: string, source_kind: 'input' | 'output' | 'controller') {
    const named = namedBy(this.#options.configuration, source_id);
    return { source_kind, source_id, source_name: named?.settings.name ?? null };
  }

  #isGone({ source_kind, source_id }: AlarmCondition): boolean {
    if (!ofControllers.has(source_kind)) return false;
    return namedBy(this.#options.configuration, source_id)?.settings.is_activated !== true;
  }
}
