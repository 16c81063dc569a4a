import type { Trigger } from '../../../contract/trigger.ts';
import type { ScheduledTrigger } from '../../../domain/control/triggers/reasons.ts';
import { lookFrom, missed, nextDue, type Missed, type Schedule } from '../../../domain/control/triggers/schedule.ts';
import type { Place } from '../../../domain/solar/sun-day.ts';
import type { Clock, Timer } from '../../clock.ts';

export function isScheduled({ kind }: Trigger): boolean {
  return kind === 'sunrise_sunset' || kind === 'time_point' || kind === 'time_span' || kind === 'interval';
}

/** How often it checks the clock, ms: the time of day may be set. */
const lookMs = 30_000;
/** A moment found later than this was missed, because the machine slept or stood still, ms. */
const lateMs = 60_000;

interface RunOptions {
  clock: Clock;
  place: () => Place;
  /** When it was last due, epoch ms; null when it never was. */
  last_ms: number | null;
  /** Offset of its checks within their interval, 0 to 1; default 0. */
  phase?: number | undefined;
  due: (momentMs: number) => void;
  missed: (found: Missed) => void;
}

/** Reports when a schedule is due by the time of day; moments that fell into an interruption are reported as missed. */
export class ScheduleRun {
  readonly #options: RunOptions;
  #schedule: Schedule;
  #last_ms: number;
  /** The last result and its inputs: searching the calendar takes long when hundreds do it at one moment. */
  #found: { after_ms: number; place: Place; next_ms: number | null } | undefined;
  #timer: Timer | undefined;

  constructor(trigger: ScheduledTrigger, options: RunOptions) {
    this.#options = options;
    const nowMs = options.clock.now();
    this.#last_ms = options.last_ms ?? nowMs;
    this.#schedule =
      trigger.kind === 'interval'
        ? { kind: 'interval', period_s: trigger.period_s, anchor_ms: options.last_ms ?? nowMs }
        : trigger;
  }

  /** When it is next due, epoch ms; null when it never is. */
  get next_ms(): number | null {
    const [after_ms, place] = [this.#last_ms, this.#options.place()];
    if (this.#found?.after_ms !== after_ms || this.#found.place !== place)
      this.#found = { after_ms, place, next_ms: nextDue(this.#schedule, after_ms, place) };
    return this.#found.next_ms;
  }

  start(): void {
    this.#look((this.#options.phase ?? 0) * lookMs);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #look(untilNextMs = lookMs): void {
    const { clock } = this.#options;
    const nowMs = clock.now();
    this.#keepInterval(nowMs);
    this.#last_ms = lookFrom(this.#last_ms, nowMs);
    this.#takeMissed(nowMs);
    for (let due = this.next_ms; due !== null && due <= nowMs; due = this.next_ms) {
      this.#last_ms = due;
      this.#options.due(due);
    }
    const wait = (this.next_ms ?? Infinity) - nowMs;
    this.#timer = clock.after(Math.min(untilNextMs, Math.max(1, wait)), () => this.#look());
  }

  /** An interval follows elapsed time: setting the clock back does not delay it. */
  #keepInterval(nowMs: number): void {
    if (this.#schedule.kind !== 'interval' || this.#last_ms <= nowMs) return;
    this.#schedule = { ...this.#schedule, anchor_ms: nowMs };
    this.#last_ms = nowMs;
  }

  #takeMissed(nowMs: number): void {
    const toMs = nowMs - lateMs;
    if ((this.next_ms ?? Infinity) > toMs) return;
    const found = missed(this.#schedule, { from_ms: this.#last_ms, to_ms: toMs }, this.#options.place());
    if (found.last_ms === null) return;
    this.#last_ms = found.count >= 10_000 ? nowMs - lateMs : found.last_ms;
    this.#options.missed(found);
  }
}
