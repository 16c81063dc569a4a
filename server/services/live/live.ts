import { isoOf } from '../../contract/time.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Now } from '../../auth/now.ts';
import type { Alarm } from '../../contract/alarm.ts';
import type { ControlLive, ControllerStatus, DaemonEvent, DaemonStatus, EmergencyHold } from '../../contract/daemon.ts';
import type { LcdDisplay } from '../../contract/lcd.ts';
import type { LastValue } from '../../contract/measurement.ts';
import type { OutputChannelState } from '../../contract/output.ts';
import { messageOf } from '../../contract/message-of.ts';
import { isOn } from '../../contract/output-state.ts';
import type { DaemonEventPort } from './daemon-port.ts';
import { EventRing } from './event-ring.ts';
import { LiveValues, unknownChannel, type KnownController, type KnownOutput } from './values.ts';

/** An event of the daemon, or a reset when events were lost: read everything again, later events continue from `id`. */
export type LiveEvent = DaemonEvent | { kind: 'reset'; id: string };

/** starting: not reached yet since the service started. */
export type DaemonState = 'up' | 'unreachable' | 'starting';

interface LiveCacheOptions {
  /** A connection of its own. */
  daemon: DaemonEventPort;
  clock: Now;
  /** Monotonic ms. */
  elapsed?: () => number;
  log: { warn(message: string): void };
  /** Waits between two attempts, ms; rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  ring?: EventRing;
}

const pollS = 20;
const retryMs = 250;
/** How long a start may take before the daemon counts as unreachable. */
const startMs = 10_000;

/**
 * The server's view of everything live, fed only by the daemon's events. Without the daemon every output is unknown;
 * readings stay with their times and grow old. Constructing does nothing; `start`, then `stop`.
 */
export class LiveCache {
  readonly #options: Required<LiveCacheOptions>;
  readonly #values: LiveValues;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #state: DaemonState = 'starting';
  #stateSinceMs: number;
  readonly #begunMs: number;
  #status: DaemonStatus | null = null;
  #cursor = '';
  #endedBy: string | null = null;
  #epoch = 0;

  constructor(options: LiveCacheOptions) {
    this.#options = {
      pause: (ms, signal) => pause(ms, undefined, { signal, ref: false }),
      ring: new EventRing(),
      elapsed: () => performance.now(),
      ...options,
    };
    this.#values = new LiveValues(this.#options);
    this.#stateSinceMs = options.clock();
    this.#begunMs = this.#options.elapsed();
  }

  start(): void {
    this.#loop ??= this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#options.daemon.close();
    await this.#loop;
    this.#listeners.clear();
  }

  /** Calls the listener for every event; returns an unsubscribe function. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get daemonState(): DaemonState {
    return this.#state;
  }

  /** Since when the daemon has been in its state, epoch ms. */
  get daemonSinceMs(): number {
    return this.#stateSinceMs;
  }

  /** The program that stopped the daemon, while it is away; null when unknown. */
  get endedBy(): string | null {
    return this.#state === 'up' ? null : this.#endedBy;
  }

  /** The daemon's status when it was last reached. */
  get daemonStatus(): DaemonStatus | null {
    return this.#status;
  }

  reading(deviceId: string, measurementId: string): LastValue | undefined {
    return this.#values.reading(deviceId, measurementId);
  }

  /** Age of the reading by elapsed time, s; undefined when there is none. */
  age_s(deviceId: string, measurementId: string): number | undefined {
    return this.#values.age_s(deviceId, measurementId);
  }

  /** The state of a channel, unknown when none was reported; on_seconds counts on to now. */
  outputState(outputId: string, channel: number): OutputChannelState {
    const known = this.knownOutput(outputId, channel);
    if (known === undefined) return unknownChannel(channel);
    const { state, heardMs } = known;
    if (state.on_seconds === null || !isOn(state.contact ?? state.state)) return state;
    return { ...state, on_seconds: state.on_seconds + (this.#options.elapsed() - heardMs) / 1000 };
  }

  /** The reported state of a channel with its time; undefined without the daemon. */
  knownOutput(outputId: string, channel: number): KnownOutput | undefined {
    return this.#state === 'up' ? this.#values.output(outputId, channel) : undefined;
  }

  /** Takes the state that a command returned, unless later events are already known. */
  noteOutput(outputId: string, state: OutputChannelState, cursor?: string): void {
    if (cursor !== undefined && this.#options.ring.covers(cursor)) return;
    if (this.#state === 'up') this.#values.noteOutput(outputId, state, this.#options.clock());
  }

  controller(id: string): KnownController | undefined {
    return this.#state === 'up' ? this.#values.controller(id) : undefined;
  }

  /** What a display shows; null when unknown. */
  lcd(id: string): LcdDisplay | null {
    return (this.#state === 'up' ? this.#values.lcd(id) : undefined) ?? null;
  }

  /** The live values of a controller; undefined when unknown. */
  control(id: string): ControlLive['live'] | undefined {
    return this.#state === 'up' ? this.#values.control(id) : undefined;
  }

  controllers(): ControllerStatus[] {
    return this.#state === 'up' ? this.#values.controllers() : [];
  }

  /** The alarms that are not normal; without the daemon the last known ones. */
  alarms(): Alarm[] {
    return this.#values.alarms();
  }

  /** The emergency stop in force, without the daemon the last known; null when there is none. */
  get emergency(): EmergencyHold | null {
    const told = this.#values.emergency;
    return told?.active === true ? told : null;
  }

  /** A number that stays the same only while nothing about these devices and the daemon has changed. */
  stamp(deviceIds: readonly string[]): number {
    return deviceIds.reduce((sum, id) => sum + this.#values.version(id), this.#epoch);
  }

  /** The id of the last event. */
  get cursor(): string {
    return this.#cursor;
  }

  /** The cursor from which all events are kept: of the daemon's start, or of the last hour. */
  get oldestCursor(): string {
    return this.#options.ring.oldest;
  }

  /** At most `most` events after an id; null when the reader must read everything again. */
  eventsAfter(id: string, most?: number): DaemonEvent[] | null {
    return this.#options.ring.after(id, most);
  }

  /** The event that informs a new reader that the daemon is away; undefined while it is there. */
  absence(): DaemonEvent | undefined {
    return this.#state !== 'unreachable' ? undefined : this.#absence('the control daemon cannot be reached');
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#load();
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#lose(messageOf(error));
        await this.#options.pause(retryMs, signal).catch(() => undefined);
      }
    }
  }

  async #load(): Promise<void> {
    const { daemon, clock } = this.#options;
    this.#status = await daemon.daemon_status();
    const live = await daemon.live_state();
    this.#values.load(live, clock());
    this.#endedBy = null;
    this.#cursor = live.cursor;
    await this.#recall(live.cursor);
    this.#turn('up');
    this.#epoch += 1;
    this.#emit({ kind: 'reset', id: live.cursor });
  }

  /** Fetches the earlier events that the daemon has kept, so that a reader continues although this server was away. */
  async #recall(cursor: string): Promise<void> {
    const { daemon, ring } = this.#options;
    const asked = ring.reach(cursor);
    if (asked === cursor) return ring.restart(cursor);
    let batch = await daemon.events_since(asked, 0);
    ring.restart(batch.gap ? (batch.oldest ?? cursor) : asked);
    if (batch.gap && batch.oldest !== undefined) batch = await daemon.events_since(batch.oldest, 0);
    while (!batch.gap && batch.events.length > 0) {
      for (const event of batch.events) if (!ring.covers(cursor)) ring.push(event);
      if (ring.covers(cursor)) return;
      batch = await daemon.events_since(batch.cursor, 0);
    }
    if (!ring.covers(cursor)) ring.restart(cursor);
  }

  /** Runs until the daemon reports lost events; throws when the connection is lost. */
  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const batch = await this.#options.daemon.events_since(this.#cursor, pollS);
      if (batch.gap) return;
      this.#cursor = batch.cursor;
      for (const event of batch.events) this.#take(event);
    }
  }

  #take(event: DaemonEvent): void {
    this.#values.apply(event);
    if (event.kind === 'daemon' || event.kind === 'emergency_stop') this.#epoch += 1;
    if (event.kind === 'daemon' && event.ended_by !== undefined) this.#endedBy = event.ended_by;
    this.#options.ring.push(event);
    this.#emit(event);
  }

  #lose(message: string): void {
    if (this.#state === 'unreachable') return;
    if (this.#state === 'starting' && this.#options.elapsed() - this.#begunMs < startMs) return;
    this.#turn('unreachable');
    this.#epoch += 1;
    this.#options.log.warn(`control daemon lost: ${message}`);
    this.#emit(this.#absence(message));
  }

  #turn(state: DaemonState): void {
    if (this.#state !== state) this.#stateSinceMs = this.#options.clock();
    this.#state = state;
  }

  /** It carries the id of the daemon's last event, so that a reader that resumes there misses nothing. */
  #absence(message: string): DaemonEvent {
    const at = isoOf(this.#stateSinceMs);
    return { kind: 'daemon', id: this.#cursor, at, state: 'unreachable', message };
  }

  #emit(event: LiveEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#options.log.warn(`a listener of live events failed: ${messageOf(error)}`);
      }
    }
  }
}
