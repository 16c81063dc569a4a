import type { Alarm } from '../../contract/alarm.ts';
import type { Clock } from '../clock.ts';

type Times = Pick<Alarm, 'changed_at' | 'shelved_until'>;

/** How far the published time of day may differ from the time that remains. */
const toldMs = 60_000;

/** When shelved alarms come back, by elapsed time, so that setting the clock neither prolongs nor shortens a shelf. */
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

  /**
   * Takes over a shelf of the last daemon: what remains by the clock, but never more than remained when it was stored.
   */
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

  /** The corrected times of an alarm after the clock was set; undefined when its times are right. */
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
