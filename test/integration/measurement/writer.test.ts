import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { measurementsMigrations } from '../../../server/db/migrations/measurements.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import type { Input } from '../../../server/contract/input.ts';
import { EventRing } from '../../../server/daemon/events/events.ts';
import { LiveValues } from '../../../server/daemon/events/live-values.ts';
import { methodTable } from '../../../server/daemon/remote/handlers.ts';
import { measurementHandlers } from '../../../server/daemon/remote/measurements.ts';
import type { Sample, StoreCondition } from '../../../server/measurement/store.ts';
import { controllerLists } from '../../support/controller-lists.ts';
import { measuredOf } from '../../support/measured.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { testDatabase, testFolder } from '../../support/database.ts';

const device_id = '6a1f5c3e-0000-4000-8000-000000000001';
const measurement_id = '6a1f5c3e-0000-4000-8000-000000000002';

function sample(changes: Partial<Sample> = {}): Sample {
  return { device_id, measurement_id, channel: 0, value: 21.5, unit: 'C', quality: 'good', time_ms: 1_000, ...changes };
}

function rows(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db
      .prepare(
        `SELECT channel, unit, time_ms, value, quality FROM sample JOIN series ON series.id = series_id
         ORDER BY channel, unit, time_ms`,
      )
      .raw()
      .all();
  } finally {
    db.close();
  }
}

describe('measurement writer', () => {
  it('keeps what it has acknowledged', async () => {
    const file = testDatabase('measurements').name;
    const writer = openMeasurementWriter(file);
    await Promise.all([
      writer.write([sample(), sample({ channel: 1, unit: '%', value: null, quality: 'bad' })]),
      writer.write([sample({ time_ms: 2_000, value: 22, quality: 'suspect' })]),
    ]);
    expect(rows(file)).toEqual([
      [0, 'C', 1_000, 21.5, 0],
      [0, 'C', 2_000, 22, 1],
      [1, '%', 1_000, null, 2],
    ]);
    await writer.close();
  });

  it('takes late samples, and a second one of the same moment as a correction', async () => {
    const file = testDatabase('measurements').name;
    const writer = openMeasurementWriter(file);
    await writer.write([sample({ time_ms: 5_000 }), sample({ time_ms: 3_000 })]);
    await writer.write([sample({ time_ms: 5_000, value: 20 })]);
    expect(rows(file)).toEqual([
      [0, 'C', 3_000, 21.5, 0],
      [0, 'C', 5_000, 20, 0],
    ]);
    await writer.close();
  });

  it('begins another series when the unit of a channel changes', async () => {
    const file = testDatabase('measurements').name;
    const writer = openMeasurementWriter(file);
    await writer.write([sample(), sample({ unit: 'F', value: 70 })]);
    expect(rows(file)).toEqual([
      [0, 'C', 1_000, 21.5, 0],
      [0, 'F', 1_000, 70, 0],
    ]);
    await writer.close();
  });

  it('writes what is waiting when it is closed, then refuses', async () => {
    const file = testDatabase('measurements').name;
    const writer = openMeasurementWriter(file);
    const written = writer.write([sample()]);
    await writer.close();
    await written;
    expect(rows(file)).toHaveLength(1);
    await expect(writer.write([sample()])).rejects.toMatchObject({ code: 'closed' });
  });

  it('says which samples were not kept, and goes on when it can write again', async () => {
    const db = testDatabase('measurements');
    const writer = openMeasurementWriter(db.name);
    await writer.write([sample()]);
    db.exec('ALTER TABLE sample RENAME TO gone');
    await expect(writer.write([sample({ channel: 7, time_ms: 2_000 })])).rejects.toMatchObject({
      code: 'SQLITE_ERROR',
    });
    db.exec('ALTER TABLE gone RENAME TO sample');
    await writer.write([sample({ channel: 7, time_ms: 3_000 })]);
    expect(rows(db.name)).toEqual([
      [0, 'C', 1_000, 21.5, 0],
      [7, 'C', 3_000, 21.5, 0],
    ]);
    await writer.close();
  });

  it('rejects when the file cannot be opened, and does not hang on close', async () => {
    const file = testDatabase('measurements').name;
    const writer = openMeasurementWriter(`${dirname(file)}/no-such-folder/measurements.db`);
    await expect(writer.write([sample()])).rejects.toMatchObject({ code: 'ENOENT' });
    await writer.close();
  });

  it('refuses samples when too many wait for the disk', async () => {
    const writer = openMeasurementWriter(testDatabase('measurements').name);
    const many = Array.from({ length: 200_000 }, (_, at) => sample({ time_ms: at }));
    const first = writer.write(many);
    const second = writer.write(many);
    await expect(writer.write(many)).rejects.toMatchObject({ code: 'overloaded' });
    await Promise.all([first, second]);
    await writer.close();
  });
});

describe('a disk that refuses', () => {
  it('loses no sample, tells once, and is written to when it takes them again', async () => {
    const folder = testFolder();
    const file = join(folder, 'data', 'measurements.db');
    const told: StoreCondition[] = [];
    const writer = openMeasurementWriter(file, (condition) => void told.push(condition));
    for (let at = 1; at <= 3; at += 1) {
      await expect(writer.write([sample({ time_ms: at * 1_000, channel: at % 2 })])).rejects.toThrow('not stored yet');
    }
    expect(told.map(({ code, is_active }) => [code, is_active])).toEqual([['measurements_not_kept', true]]);
    mkdirSync(join(folder, 'data'));
    openDatabase(file, { migrations: measurementsMigrations }).close();
    await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 15_000 });
    await writer.write([sample({ time_ms: 4_000 })]);
    expect(told[1]).toMatchObject({
      code: 'measurements_not_kept',
      is_active: false,
      message: 'measurements are kept again',
    });
    expect(rows(file)).toEqual([
      [0, 'C', 2_000, 21.5, 0],
      [0, 'C', 4_000, 21.5, 0],
      [1, 'C', 1_000, 21.5, 0],
      [1, 'C', 3_000, 21.5, 0],
    ]);
    await writer.close();
  });

  it('keeps the newest where not all fit in memory, and says how many are lost', async () => {
    const folder = testFolder();
    const file = join(folder, 'data', 'measurements.db');
    const told: StoreCondition[] = [];
    const writer = openMeasurementWriter(file, (condition) => void told.push(condition));
    const hundred = (at: number): Sample[] => Array.from({ length: 100_000 }, (_, n) => sample({ time_ms: at + n }));
    for (let at = 0; at < 400_000; at += 100_000) await writer.write(hundred(at)).catch(() => undefined);
    mkdirSync(join(folder, 'data'));
    openDatabase(file, { migrations: measurementsMigrations }).close();
    await vi.waitFor(() => expect(told.at(-1)?.is_active).toBe(false), { timeout: 15_000 });
    await writer.close();
    expect(told.at(-1)?.message).toContain('100000 samples and states of the meantime are lost');
    const kept = rows(file) as [number, string, number][]; // the columns that are asked for
    expect([kept.length, kept[0]?.[2], kept.at(-1)?.[2]]).toEqual([300_000, 100_000, 399_999]);
  });

  it('is told to programs as `not_stored_yet` while their sample waits', async () => {
    const folder = testFolder();
    const file = join(folder, 'data', 'measurements.db');
    const writer = openMeasurementWriter(file);
    const clock = new ManualClock();
    const input = { unique_id: device_id, channels: [{ measurement_id, channel: 0, unit: 'C' }] } as Input; // nothing else of it is asked for
    const { measurement_create, measurements_create } = methodTable(
      measurementHandlers({
        clock,
        writer,
        live: new LiveValues(clock, new EventRing(clock)),
        inputs: { has: () => false },
        configuration: controllerLists(() => ({ input: [input] })),
        measured: measuredOf(() => ({ input: [input] })),
        reader: { trend: () => Promise.reject(new Error('nothing is read here')) },
      }),
    );
    const call = { signal: new AbortController().signal, peer: '', caller: 'pyro' };
    const code = 'not_stored_yet';
    await expect(measurement_create?.handler({ sample: sample() }, call)).rejects.toMatchObject({ code });
    await expect(measurements_create?.handler({ samples: [sample()] }, call)).rejects.toMatchObject({ code });
    mkdirSync(join(folder, 'data'));
    openDatabase(file, { migrations: measurementsMigrations }).close();
    await writer.close();
    expect(rows(file)).toHaveLength(1);
    await expect(measurement_create?.handler({ sample: sample() }, call)).rejects.toMatchObject({ code: 'closed' });
  });

  it('writes what waits with its close', async () => {
    const folder = testFolder();
    const file = join(folder, 'data', 'measurements.db');
    const writer = openMeasurementWriter(file);
    await expect(writer.write([sample()])).rejects.toThrow('not stored yet');
    mkdirSync(join(folder, 'data'));
    openDatabase(file, { migrations: measurementsMigrations }).close();
    await writer.close();
    expect(rows(file)).toHaveLength(1);
  });
});
