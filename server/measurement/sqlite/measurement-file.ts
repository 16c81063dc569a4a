import { measurementsMigrations } from '../../db/migrations/measurements.ts';
import { markSalvaged, setAsideFiles } from '../../db/damaged-file.ts';
import { openDatabase, type Database } from '../../db/open.ts';
import type { Batch, SeriesKey } from './batch.ts';
import { Chores, type Chore } from './chores.ts';
import { turnDirections } from './directions.ts';
import { deleteOld, type RetentionRequest } from './retention.ts';
import { salvage } from './salvage.ts';
import { SampleStore } from './sample-store.ts';
import { stateSeries, StateStore } from './state-store.ts';

/**
 * How long a series is silent before the rollups of its last minute are written, and how often that is checked, ms, and
 * how many are written at once.
 */
const silentMs = 30_000;
const settleEveryMs = 10_000;
const settledAtOnce = 500;
const caughtUpAtOnce = 20;
/** SQLite's memory for the file, KiB: its default of 16 MB makes no batch quicker. */
const cacheKib = 4_096;

interface FileEvents {
  /** Called when background work failed. */
  failed: (error: unknown) => void;
  /** Called when a file that was set aside is being read, and with the result. */
  salvaging: (aside: string) => void;
  salvaged: (message: string) => void;
}

/** An open measurements.db: batches in the foreground, each one transaction, and background work. */
export class MeasurementFile {
  readonly #db: Database;
  readonly #events: FileEvents;
  readonly #samples: SampleStore;
  readonly #states: StateStore;
  readonly #chores: Chores;
  readonly #settling: NodeJS.Timeout;
  /** Every series announced so far, in the sender's numbering, and the row ids of those committed. */
  readonly #announced: SeriesKey[] = [];
  #seriesIds: readonly number[] = [];

  constructor(file: string, events: FileEvents) {
    this.#db = openDatabase(file, { migrations: measurementsMigrations });
    this.#db.pragma(`cache_size = -${cacheKib}`);
    this.#events = events;
    this.#samples = new SampleStore(this.#db, () => performance.now());
    this.#states = new StateStore(this.#db);
    this.#samples.transaction(() => this.#states.loseSight());
    this.#chores = new Chores((_name, error) => events.failed(error));
    this.#chores.add('catch up', () => this.#catchUp());
    this.#chores.add('directions', () => turnDirections(this.#db, this.#samples));
    for (const aside of setAsideFiles(file)) this.#chores.add(aside, () => this.#salvage(aside));
    this.#settling = setInterval(() => this.#chores.add('settle', () => this.#settle()), settleEveryMs);
  }

  /** Writes a batch; all of it or, on a throw, nothing. */
  store(batch: Batch): void {
    this.#announced.push(...batch.new_series);
    this.#seriesIds = this.#samples.transaction(() => this.#storeAll(batch));
  }

  retain(request: RetentionRequest): void {
    this.#chores.add('retention', () => deleteOld(this.#db, request));
  }

  close(): void {
    this.#chores.stop();
    clearInterval(this.#settling);
    try {
      this.#samples.transaction(() => this.#samples.settle(Infinity));
    } finally {
      this.#db.close();
    }
  }

  /** Returns the row ids of all announced series, valid only once the transaction is committed. */
  #storeAll(batch: Batch): readonly number[] {
    const ids = [
      ...this.#seriesIds,
      ...this.#announced.slice(this.#seriesIds.length).map((key) => this.#samples.seriesId(key)),
    ];
    for (const [number, places] of bySeries(batch.series)) {
      const id = ids[number];
      if (id === undefined) throw new Error('a sample of a series that was never announced');
      this.#samples.write(id, batch, places);
    }
    for (const mark of batch.states) {
      this.#states.mark(this.#samples.seriesId(stateSeries(mark)), mark);
    }
    return ids;
  }

  *#settle(): Chore {
    const sinceMs = performance.now() - silentMs;
    while (this.#samples.transaction(() => this.#samples.settle(sinceMs, settledAtOnce)) > 0) yield;
  }

  /** Adds the rollups that a crash kept from being written. */
  *#catchUp(): Chore {
    const ids = this.#db.prepare<[], number>('SELECT id FROM series ORDER BY id').pluck().all();
    for (let from = 0; from < ids.length; from += caughtUpAtOnce) {
      const some = ids.slice(from, from + caughtUpAtOnce);
      this.#samples.transaction(() => some.forEach((id) => this.#samples.catchUp(id)));
      yield;
    }
  }

  *#salvage(aside: string): Chore {
    this.#events.salvaging(aside);
    const { samples, damaged_series } = yield* salvage(aside, { db: this.#db, store: this.#samples });
    markSalvaged(aside);
    const lost = damaged_series > 0 ? `, ${damaged_series} series have lost some` : '';
    this.#events.salvaged(`${samples} samples of a damaged file were saved${lost}`);
  }
}

/** Indices in the batch by series, in order of arrival. */
function bySeries(series: Uint32Array): Map<number, number[]> {
  const places = new Map<number, number[]>();
  series.forEach((number, place) => {
    const known = places.get(number);
    if (known === undefined) places.set(number, [place]);
    else known.push(place);
  });
  return places;
}
