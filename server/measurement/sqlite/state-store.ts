import type { Database, Statement } from 'better-sqlite3';
import { outputStateMeasurementId } from '../../contract/measurement.ts';
import type { StateMark } from '../store.ts';
import type { SeriesKey } from './batch.ts';

/** An open interval counts until now, but no longer than this after the daemon last confirmed it, ms. */
export const vouchedMs = 120_000;

interface OpenInterval {
  start_ms: number;
  seen_ms: number;
  state: number | null;
}

type Change = Pick<StateMark, 'state' | 'time_ms' | 'origin'>;

export function stateSeries({ output_id, channel }: Pick<StateMark, 'output_id' | 'channel'>): SeriesKey {
  return { device_id: output_id, measurement_id: outputStateMeasurementId, channel, unit: '%' };
}

/** The state intervals of measurements.db. Every call is part of the caller's transaction. */
export class StateStore {
  readonly #open: Statement<[number], OpenInterval>;
  readonly #allOpen: Statement<[], number>;
  readonly #begin: Statement<[number, number, number, number | null]>;
  readonly #end: Statement<[number, number, number, number]>;
  readonly #see: Statement<[number, number, number]>;
  readonly #correct: Statement<[number | null, number, number]>;
  readonly #explain: Statement<[number, number, string]>;
  readonly #forget: Statement<[number, number]>;

  constructor(db: Database) {
    this.#open = db.prepare(
      'SELECT start_ms, seen_ms, state FROM state_interval WHERE series_id = ? AND end_ms IS NULL',
    );
    this.#allOpen = db.prepare<[], number>('SELECT series_id FROM state_interval WHERE end_ms IS NULL').pluck();
    this.#begin = db.prepare('INSERT INTO state_interval (series_id, start_ms, seen_ms, state) VALUES (?, ?, ?, ?)');
    this.#end = db.prepare('UPDATE state_interval SET end_ms = ?, seen_ms = ? WHERE series_id = ? AND start_ms = ?');
    this.#see = db.prepare('UPDATE state_interval SET seen_ms = ? WHERE series_id = ? AND start_ms = ?');
    this.#correct = db.prepare('UPDATE state_interval SET state = ? WHERE series_id = ? AND start_ms = ?');
    this.#explain = db.prepare('INSERT OR REPLACE INTO state_origin (series_id, start_ms, origin) VALUES (?, ?, ?)');
    this.#forget = db.prepare('DELETE FROM state_origin WHERE series_id = ? AND start_ms = ?');
  }

  /**
   * The channel is in this state from this moment on, or still. If the former state went unconfirmed, because the
   * machine slept or the channel was not driven, it counts as unknown since its last confirmation. A clock that was set
   * back never makes intervals overlap.
   */
  mark(seriesId: number, change: Change): void {
    const last = this.#open.get(seriesId);
    if (last !== undefined && last.state !== null && change.time_ms - last.seen_ms > vouchedMs) {
      this.#change(seriesId, unknownSince(last.seen_ms));
    }
    this.#change(seriesId, change);
  }

  /**
   * After its last confirmation a former daemon's output states are unknown: what is still open becomes unknown from
   * then on.
   */
  loseSight(): void {
    for (const seriesId of this.#allOpen.all()) {
      const open = this.#open.get(seriesId);
      if (open !== undefined) this.#change(seriesId, unknownSince(open.seen_ms));
    }
  }

  #change(seriesId: number, { state, time_ms, origin }: Change): void {
    const open = this.#open.get(seriesId);
    if (open === undefined) this.#beginAt(seriesId, { state, time_ms, origin });
    else if (open.state === state) this.#see.run(Math.max(open.seen_ms, time_ms), seriesId, open.start_ms);
    else if (time_ms <= open.start_ms) {
      this.#correct.run(state, seriesId, open.start_ms);
      this.#say(seriesId, open.start_ms, origin);
    } else {
      this.#end.run(time_ms, time_ms, seriesId, open.start_ms);
      this.#beginAt(seriesId, { state, time_ms, origin });
    }
  }

  #beginAt(seriesId: number, { state, time_ms, origin }: Change): void {
    this.#begin.run(seriesId, time_ms, time_ms, state);
    this.#say(seriesId, time_ms, origin);
  }

  #say(seriesId: number, startMs: number, origin: Change['origin']): void {
    if (origin === null) this.#forget.run(seriesId, startMs);
    else this.#explain.run(seriesId, startMs, JSON.stringify(origin));
  }
}

function unknownSince(timeMs: number): Change {
  return { state: null, time_ms: timeMs, origin: null };
}
