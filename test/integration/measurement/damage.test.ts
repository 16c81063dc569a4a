import { closeSync, openSync, readdirSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openDatabases } from '../../../server/databases.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import type { Sample, StoreCondition } from '../../../server/measurement/store.ts';
import { testDatabase } from '../../support/database.ts';
import { plainRollups, storedRollups, storedSamples } from '../../support/plain-rollups.ts';

const samples: Sample[] = Array.from({ length: 20_000 }, (_, at) => ({
  device_id: '6a1f5c3e-0000-4000-8000-000000000001',
  measurement_id: '6a1f5c3e-0000-4000-8000-000000000002',
  channel: 0,
  unit: 'C',
  value: at / 8,
  quality: 'good',
  time_ms: at * 1000,
}));
const [sample] = samples as [Sample]; // 20,000 of them
const page = 4096;

async function writtenFile(): Promise<string> {
  const db = testDatabase('measurements');
  const file = db.name;
  db.close();
  const writer = openMeasurementWriter(file);
  await writer.write(samples);
  await writer.close();
  return file;
}

/** Overwrites two pages, in the middle of the file when nothing else is said, where samples are. */
function damage(file: string, at = Math.floor(statSync(file).size / page / 2) * page): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(2 * page, 0x5a), 0, 2 * page, at);
  closeSync(descriptor);
}

function conditions(): {
  told: StoreCondition[];
  tell: (condition: StoreCondition) => void;
  salvaged: () => Promise<void>;
} {
  const told: StoreCondition[] = [];
  const isSalvaged = (): boolean => told.some(({ code, is_active }) => code === 'measurements_damaged' && !is_active);
  return {
    told,
    tell: (condition) => void told.push(condition),
    salvaged: () => vi.waitFor(() => expect(isSalvaged()).toBe(true), { timeout: 60_000 }),
  };
}

function namesBeside(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => name !== basename(file) && !/-(wal|shm)$/.test(name));
}

describe('a damaged measurements.db', () => {
  it('is found by the check, replaced, and what can be read of it comes back, with its rollups', async () => {
    const file = await writtenFile();
    damage(file);
    const { told, tell, salvaged } = conditions();
    const writer = openMeasurementWriter(file, tell);
    await writer.check();
    await writer.write([{ ...sample, time_ms: 30_000_000, value: 7 }]);
    await salvaged();
    await writer.close();
    expect(told.map(({ code, is_active }) => [code, is_active])).toEqual([
      ['measurements_damaged', true],
      ['measurements_damaged', true],
      ['measurements_damaged', false],
    ]);
    const db = openDatabase(file, { readonly: true });
    const kept = storedSamples(db, 1);
    expect(kept.length).toBeGreaterThan(samples.length - 2_000);
    expect(kept.length).toBeLessThan(samples.length);
    expect(kept).toContainEqual({ time_ms: 0, value: 0, quality: 0 });
    expect(kept).toContainEqual({ time_ms: 19_999_000, value: 19_999 / 8, quality: 0 });
    expect(kept.at(-1)).toMatchObject({ time_ms: 30_000_000, value: 7 });
    // minutes whose samples are lost came from the rollups, but for the three of which the damage has left a part: at
    // its ends, and one row that divides its pages
    const counted = storedRollups(db, 1).rollup_day.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBeGreaterThan(kept.length);
    expect(counted).toBeGreaterThan(samples.length - 180);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    expect(namesBeside(file)).toEqual([expect.stringContaining('.salvaged-')]);
  });

  it('is replaced by the first write when not even its beginning makes sense, and nothing that was sent is lost', async () => {
    const file = await writtenFile();
    writeFileSync(file, 'not a database at all, and long enough to be looked at'.repeat(100));
    const { told, tell, salvaged } = conditions();
    const writer = openMeasurementWriter(file, tell);
    await writer.write([sample]);
    await salvaged();
    await writer.close();
    expect(told[0]).toMatchObject({ code: 'measurements_damaged', is_active: true });
    const db = openDatabase(file, { readonly: true });
    expect(storedSamples(db, 1)).toEqual([{ time_ms: 0, value: 0, quality: 0 }]);
    expect(storedRollups(db, 1)).toEqual(plainRollups(storedSamples(db, 1)));
    db.close();
  });

  it('loses no sample that is still in it when a third is cut off, whatever of the tree is lost', async () => {
    const db = testDatabase('measurements');
    const file = db.name;
    db.close();
    const first = openMeasurementWriter(file);
    const devices = Array.from(
      { length: 30 },
      (_, n) => `6a1f5c3e-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`,
    );
    const moments = 3_000;
    const early = moments / 2;
    for (let at = 0; at < moments; at += 100) {
      const batch = Array.from({ length: 100 }, (_, n) => at + n);
      await first.write(
        batch.flatMap((time) =>
          devices.map((device_id) => ({ ...sample, device_id, value: time / 8, time_ms: time * 1000 })),
        ),
      );
    }
    await first.close();
    truncateSync(file, Math.floor((statSync(file).size * 2) / 3 / page) * page);
    openDatabases(dirname(file)).close();
    const { told, tell, salvaged } = conditions();
    const writer = openMeasurementWriter(file, tell);
    await writer.write([{ ...sample, time_ms: 9e9, value: 7 }]);
    await salvaged();
    await writer.close();
    const saved = openDatabase(file, { readonly: true });
    // pages are filled as time goes on: what was written in the first half of it is in the first two thirds
    const wrong = saved
      .prepare('SELECT count(*) FROM sample WHERE time_ms < 9e9 AND (value != time_ms / 8000.0 OR quality != 0)')
      .pluck()
      .get();
    const kept = saved.prepare<[], number>('SELECT count(*) FROM sample WHERE time_ms < 9e9').pluck().get() ?? 0;
    expect(wrong).toBe(0);
    expect(kept).toBeGreaterThan(early * devices.length);
    expect(told.at(-1)?.message).toContain(`${kept} samples of a damaged file were saved`);
    const counted = saved.prepare<[], number>('SELECT sum(count) FROM rollup_minute').pluck().get() ?? 0;
    expect(counted).toBeGreaterThanOrEqual(kept);
    expect(saved.pragma('integrity_check', { simple: true })).toBe('ok');
    saved.close();
  });

  it('keeps no service from starting: a new one takes its place', async () => {
    const file = await writtenFile();
    damage(file, 0);
    openDatabases(dirname(file)).close();
    const { tell, salvaged } = conditions();
    const writer = openMeasurementWriter(file, tell);
    await writer.write([sample]);
    await salvaged();
    await writer.close();
    expect(namesBeside(file)).toContainEqual(expect.stringContaining('.salvaged-'));
  });

  it('is not seen where there is none', async () => {
    const file = await writtenFile();
    const { told, tell } = conditions();
    const writer = openMeasurementWriter(file, tell);
    await writer.check();
    await writer.write([sample]);
    await writer.close();
    expect(told).toEqual([]);
  });
});
