import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { qualityCode } from '../../../server/measurement/sqlite/batch.ts';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import { testDatabase } from '../../support/database.ts';
import { ingestWrite, writeOf } from '../../support/ingest-samples.ts';
import { plainRollups, storedRollups, storedSamples, type KeptSample } from '../../support/plain-rollups.ts';

const kills = process.env['TEST_SCALE'] === 'long' ? 200 : 10;
const ingest = new URL('../../support/ingest.ts', import.meta.url);

it(
  `loses nothing that was acknowledged, and no rollup, when it is killed ${kills} times`,
  { timeout: kills * 6_000 },
  async () => {
    const file = testDatabase('measurements').name;
    let written = -1;
    for (let round = 0; round < kills; round += 1) {
      const acknowledged = await killedAfter(file, { first: written + 1, writes: 1 + ((round * 7) % 40) });
      written = newestWrite(file);
      expect(written).toBeGreaterThanOrEqual(acknowledged);
      await whileRestarted(file, () => expectAllUpTo(file, written));
    }
  },
);

/** Lets a process ingest until so many writes were acknowledged, kills it, and gives the newest acknowledged. */
async function killedAfter(file: string, { first, writes }: { first: number; writes: number }): Promise<number> {
  const child = fork(ingest, [file, String(first)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let newest = -1;
  child.on('message', (n) => {
    newest = Math.max(newest, Number(n));
    if (newest >= first + writes) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]; // what the event carries
  expect(signal).toBe('SIGKILL');
  return newest;
}

function newestWrite(file: string): number {
  return reading(file, (db) => writeOf(db.prepare<[], number>('SELECT max(value) FROM sample').pluck().get() ?? -1));
}

/**
 * The next start of a daemon makes up for what is missing behind its first batch, and an orderly end changes nothing of
 * it.
 */
async function whileRestarted(file: string, expectAll: () => void): Promise<void> {
  const writer = openMeasurementWriter(file);
  const output_id = '6a1f5c3e-0000-4000-8000-00000000000f';
  await writer.mark([{ output_id, channel: 0, state: null, time_ms: 0, origin: null }]);
  await vi.waitFor(expectAll, { timeout: 60_000, interval: 20 });
  await writer.close();
  expectAll();
}

function expectAllUpTo(file: string, lastWrite: number): void {
  const expected = new Map<string, Map<number, KeptSample>>();
  for (let write = 0; write <= lastWrite; write += 1) {
    for (const { device_id, time_ms, value, quality } of ingestWrite(write)) {
      const series = expected.get(device_id) ?? new Map<number, KeptSample>();
      expected.set(device_id, series.set(time_ms, { time_ms, value, quality: qualityCode[quality] }));
    }
  }
  reading(file, (db) => {
    for (const [device_id, samples] of expected) {
      const id = db.prepare<[string], number>('SELECT id FROM series WHERE device_id = ?').pluck().get(device_id) ?? -1;
      const kept = [...samples.values()].toSorted((a, b) => a.time_ms - b.time_ms);
      expect(storedSamples(db, id)).toEqual(kept);
      expect(storedRollups(db, id)).toEqual(plainRollups(kept));
    }
  });
}

function reading<T>(file: string, work: (db: Database) => T): T {
  const db = openDatabase(file, { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
