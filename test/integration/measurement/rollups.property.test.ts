import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '../../../server/db/open.ts';
import { SampleStore } from '../../../server/measurement/sqlite/sample-store.ts';
import { testDatabase } from '../../support/database.ts';
import { plainRollups, storedRollups, storedSamples, type KeptSample } from '../../support/plain-rollups.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const dayMs = 24 * 60 * 60_000;

type Step =
  | { kind: 'forward'; samples: { after_ms: number; value: number | null; quality: number }[] }
  | { kind: 'anywhere'; samples: KeptSample[] }
  | { kind: 'correct'; samples: { place: number; value: number | null; quality: number }[] }
  | { kind: 'settle' }
  | { kind: 'lose what is in memory' };

const value = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((one) => one + 0) },
  fc.constant(null),
);
const quality = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constant(1), fc.constant(2));
/** From every second to a gap of days. */
const afterMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3_600_000 }) },
  fc.integer({ min: 1, max: 3 * dayMs }),
);
/** A few moments, so that many fall into one minute, also beside the limits of days and before 1970. */
const timeMs = fc
  .tuple(fc.constantFrom(-dayMs, 0, dayMs, 20 * dayMs), fc.integer({ min: -120_000, max: 120_000 }))
  .map(([near, by]) => near + by);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('forward' as const),
      samples: fc.array(fc.record({ after_ms: afterMs, value, quality }), { minLength: 1, maxLength: 40 }),
    }),
  },
  fc.record({
    kind: fc.constant('anywhere' as const),
    samples: fc.array(fc.record({ time_ms: timeMs, value, quality }), { minLength: 1, maxLength: 10 }),
  }),
  fc.record({
    kind: fc.constant('correct' as const),
    samples: fc.array(fc.record({ place: fc.nat(), value, quality }), { minLength: 1, maxLength: 5 }),
  }),
  fc.constant({ kind: 'settle' as const }),
  fc.constant({ kind: 'lose what is in memory' as const }),
);

it('keeps rollups that equal a plain recomputation, whatever order samples and corrections come in', () => {
  const db = testDatabase('measurements');
  db.pragma('synchronous = OFF'); // thousands of commits that no power cut matters to
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const series = new Series(db);
      for (const one of steps) series.take(one);
      series.expectExact();
    }),
    { numRuns: isLong ? 20_000 : 150 },
  );
});

/** A series in the file beside the list of what it should hold. */
class Series {
  readonly #db: Database;
  readonly #id: number;
  readonly #kept = new Map<number, KeptSample>();
  #store: SampleStore;

  constructor(db: Database) {
    this.#db = db;
    this.#store = this.#newStore();
    this.#id = this.#store.seriesId({
      device_id: randomUUID(),
      measurement_id: randomUUID(),
      channel: 0,
      unit: 'C',
    });
  }

  take(step: Step): void {
    if (step.kind === 'settle') this.#store.transaction(() => this.#store.settle(Infinity));
    else if (step.kind === 'lose what is in memory') this.#store = this.#newStore();
    else this.#write(this.#samplesOf(step));
  }

  expectExact(): void {
    this.#store.transaction(() => {
      this.#store.catchUp(this.#id);
      this.#store.settle(Infinity);
    });
    const kept = [...this.#kept.values()].toSorted((a, b) => a.time_ms - b.time_ms);
    expect(storedSamples(this.#db, this.#id)).toEqual(kept);
    expect(storedRollups(this.#db, this.#id)).toEqual(plainRollups(kept));
  }

  #newStore(): SampleStore {
    return new SampleStore(this.#db, () => 0);
  }

  #samplesOf(step: Extract<Step, { samples: unknown }>): KeptSample[] {
    if (step.kind === 'anywhere') return step.samples;
    const times = [...this.#kept.keys()];
    if (step.kind === 'correct') {
      if (times.length === 0) return [];
      return step.samples.map(({ place, ...to }) => ({ time_ms: times[place % times.length] ?? 0, ...to }));
    }
    let at = Math.max(0, ...times);
    return step.samples.map(({ after_ms, ...of }) => ({ time_ms: (at += after_ms), ...of }));
  }

  #write(samples: readonly KeptSample[]): void {
    const columns = {
      time_ms: samples.map((sample) => sample.time_ms),
      value: samples.map((sample) => sample.value ?? NaN),
      quality: samples.map((sample) => sample.quality),
    };
    this.#store.transaction(() => this.#store.write(this.#id, columns, [...samples.keys()]));
    for (const sample of samples) this.#kept.set(sample.time_ms, sample);
  }
}
