import { randomBytes } from 'node:crypto';
import type { DaemonEvent, EventsSince } from '../../contract/daemon.ts';
import { defaultLogLimits, EventLog, type LogLimits } from '../../domain/events/event-log.ts';
import type { Clock, Timer } from '../clock.ts';

type WithoutStamp<Event> = Event extends DaemonEvent ? Omit<Event, 'id' | 'at'> : never;
/** An event before it is numbered and dated. */
export type NewEvent = WithoutStamp<DaemonEvent>;

export interface EventLimits extends LogLimits {
  /** Maximum events in one answer. */
  batch: number;
}

const defaultLimits: EventLimits = { ...defaultLogLimits, batch: 2_000 };
const longestWait_s = 60;
const cursorPattern = /^([0-9a-f]+):(\d+)$/;

/**
 * The daemon's recent events in order, numbered `BOOT:N` from 1; the cursor of a reader is the id of the last one it
 * has.
 */
export class EventRing {
  readonly boot_id = randomBytes(6).toString('hex');
  readonly #clock: Clock;
  readonly #limits: EventLimits;
  readonly #log: EventLog;
  readonly #sleepers = new Set<() => void>();
  readonly #tellers = new Set<(read: number) => void>();
  readonly #listeners = new Set<(event: DaemonEvent) => void>();

  constructor(clock: Clock, limits: Partial<EventLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...defaultLimits, ...limits };
    this.#log = new EventLog(this.#limits);
    this.#log.restart(this.boot_id, 0);
  }

  /** The id of the newest event. */
  get cursor(): string {
    return this.#idOf(this.#log.last);
  }

  push(event: NewEvent): void {
    const number = this.#log.last + 1;
    const stamped = { id: this.#idOf(number), at: new Date(this.#clock.now()).toISOString(), ...event };
    this.#log.push(number, stamped, this.#clock.elapsed());
    for (const wake of [...this.#sleepers]) wake();
    for (const listener of [...this.#listeners]) listener(stamped);
  }

  /** Resolves once a reader has everything up to now, as its next request shows, or after `waitMs`. */
  heard(waitMs: number): Promise<void> {
    const newest = this.#log.last;
    return new Promise((resolve) => {
      const take = (read: number): void => {
        if (read < newest) return;
        timer.cancel();
        this.#tellers.delete(take);
        resolve();
      };
      const timer: Timer = this.#clock.after(waitMs, () => take(newest));
      this.#tellers.add(take);
    });
  }

  /** The events of the last `ageMs`, oldest first. */
  recent(ageMs: number): DaemonEvent[] {
    return this.#log.since(this.#clock.elapsed() - ageMs);
  }

  /** Calls the listener at once for every event; returns an unsubscribe function. */
  subscribe(listener: (event: DaemonEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The events after a cursor, at once when there are any, else as soon as one comes or after `waitS` (0..60 s) or when
   * the signal aborts. A cursor that is too old, of another start or missing returns `gap`, the newest cursor and the
   * oldest known.
   */
  async since(cursor: string, waitS: number, signal: AbortSignal): Promise<EventsSince> {
    const first = this.#read(cursor);
    if (first.gap || first.events.length > 0 || waitS <= 0) return first;
    await this.#sleep(Math.min(waitS, longestWait_s) * 1000, signal);
    return this.#read(cursor);
  }

  #read(cursor: string): EventsSince {
    const [, boot, number] = cursorPattern.exec(cursor) ?? [];
    const events = boot === this.boot_id ? this.#log.after(Number(number), this.#limits.batch) : null;
    if (events !== null) for (const take of [...this.#tellers]) take(Number(number));
    if (events === null) return { cursor: this.cursor, gap: true, events: [], oldest: this.#idOf(this.#log.before) };
    return { cursor: events.at(-1)?.id ?? cursor, gap: false, events };
  }

  #idOf(number: number): string {
    return `${this.boot_id}:${number}`;
  }

  #sleep(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', wake);
        this.#sleepers.delete(wake);
        resolve();
      };
      const timer: Timer = this.#clock.after(waitMs, wake);
      this.#sleepers.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
    });
  }
}
