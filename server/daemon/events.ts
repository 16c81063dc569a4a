import { randomBytes } from 'node:crypto';
import type { DaemonEvent, EventsSince } from '../contract/daemon.ts';
import type { Clock, Timer } from './clock.ts';

type WithoutStamp<Event> = Event extends DaemonEvent ? Omit<Event, 'id' | 'at'> : never;
/** An event before it is numbered and dated. */
export type NewEvent = WithoutStamp<DaemonEvent>;

export interface EventLimits {
  /** How long events are kept, ms. */
  ageMs: number;
  /** How many are kept. */
  count: number;
  /** How many one answer carries. */
  batch: number;
}

const DEFAULT_LIMITS: EventLimits = { ageMs: 3_600_000, count: 200_000, batch: 2_000 };
const LONGEST_WAIT_S = 60;
const CURSOR = /^([0-9a-f]+):(\d+)$/;

interface Kept {
  elapsed: number;
  event: DaemonEvent;
}

/** The daemon's recent events in order, numbered `BOOT:N` from 1; the cursor of a reader is the id of the last one it has. */
export class EventRing {
  readonly boot_id = randomBytes(6).toString('hex');
  readonly #clock: Clock;
  readonly #limits: EventLimits;
  /** Kept events; those before #head are gone and are cut off now and then, so that dropping one costs nothing. */
  #kept: Kept[] = [];
  #head = 0;
  #last = 0;
  readonly #sleepers = new Set<() => void>();
  readonly #listeners = new Set<(event: DaemonEvent) => void>();

  constructor(clock: Clock, limits: Partial<EventLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** The id of the newest event. */
  get cursor(): string {
    return `${this.boot_id}:${this.#last}`;
  }

  push(event: NewEvent): void {
    this.#last += 1;
    const stamped = { id: this.cursor, at: new Date(this.#clock.now()).toISOString(), ...event };
    this.#kept.push({ elapsed: this.#clock.elapsed(), event: stamped });
    this.#drop();
    for (const wake of [...this.#sleepers]) wake();
    for (const listener of [...this.#listeners]) listener(stamped);
  }

  /** Those of the last so many ms, the oldest first. */
  recent(ageMs: number): DaemonEvent[] {
    const from = this.#clock.elapsed() - ageMs;
    const before = this.#kept.findLastIndex(({ elapsed }) => elapsed < from);
    return this.#kept.slice(Math.max(before + 1, this.#head)).map(({ event }) => event);
  }

  /** Calls the listener at once for every event; gives what ends that. */
  subscribe(listener: (event: DaemonEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The events after a cursor, at once when there are any, else as soon as one comes or after `waitS` (0..60 s) or when the signal
   * aborts. A cursor that is too old, of another start or none at all gives `gap`, the newest cursor and the oldest that is known.
   */
  async since(cursor: string, waitS: number, signal: AbortSignal): Promise<EventsSince> {
    const first = this.#read(cursor);
    if (first.gap || first.events.length > 0 || waitS <= 0) return first;
    await this.#sleep(Math.min(waitS, LONGEST_WAIT_S) * 1000, signal);
    return this.#read(cursor);
  }

  #read(cursor: string): EventsSince {
    const [, boot, number] = CURSOR.exec(cursor) ?? [];
    const after = Number(number);
    const oldest = this.#last - (this.#kept.length - this.#head);
    const isKnown = boot === this.boot_id && after >= oldest && after <= this.#last;
    if (!isKnown) return { cursor: this.cursor, gap: true, events: [], oldest: `${this.boot_id}:${oldest}` };
    const from = this.#head + after - oldest;
    const events = this.#kept.slice(from, from + this.#limits.batch).map(({ event }) => event);
    return { cursor: events.at(-1)?.id ?? cursor, gap: false, events };
  }

  #drop(): void {
    const oldest = this.#clock.elapsed() - this.#limits.ageMs;
    const isSpent = (kept: Kept | undefined): boolean =>
      kept !== undefined && (kept.elapsed < oldest || this.#kept.length - this.#head > this.#limits.count);
    while (isSpent(this.#kept[this.#head])) this.#head += 1;
    if (this.#head < 1_000 || this.#head < this.#kept.length / 2) return;
    this.#kept = this.#kept.slice(this.#head);
    this.#head = 0;
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
