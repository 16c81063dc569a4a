import type { Alarm } from '../../contract/alarm.ts';
import type { Clock } from '../clock.ts';

type Times = Pick<Alarm, 'changed_at' | 'shelved_until'>;

/** The time of day that an alarm tells may be off by so much from the time that is left. */
const toldMs = 60_000;

/**
 * When shelved alarms come back: counted by the time that passes, so that a clock which is set neither keeps one silent nor brings it
 * back early.
 */
export class ShelfTimes {
  readonly #clock: Clock;
  /** By alarm_id, elapsed ms. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(alarmId: string, durationMs: number): void {
    this.#ends.set(alarmId, this.#clock.elapsed() + durationMs);
  }

  /** Of the last daemon: what the clock says is left, and never more than there was when that was written down. */
  takeOver({ alarm_id, changed_at, shelved_until }: Alarm): void {
    if (shelved_until === null) return;
    const untilMs = Date.parse(shelved_until);
    this.begin(alarm_id, Math.min(untilMs - this.#clock.now(), untilMs - Date.parse(changed_at)));
  }

  end(alarmId: string): void {
    this.#ends.delete(alarmId);
  }

  isOver(alarmId: string): boolean {
    const end = this.#ends.get(alarmId);
    return end !== undefined && end <= this.#clock.elapsed();
  }

  /** What an alarm has to tell since the clock was set; undefined where it tells the right time. */
  corrected({ alarm_id, changed_at, shelved_until }: Alarm): Times | undefined {
    const end = this.#ends.get(alarm_id);
    if (end === undefined || shelved_until === null) return undefined;
    const nowMs = this.#clock.now();
    const untilMs = nowMs + end - this.#clock.elapsed();
    if (Math.abs(untilMs - Date.parse(shelved_until)) <= toldMs) return undefined;
    const since = new Date(Math.min(nowMs, Date.parse(changed_at))).toISOString();
    return { changed_at: since, shelved_until: new Date(untilMs).toISOString() };
  }
}
