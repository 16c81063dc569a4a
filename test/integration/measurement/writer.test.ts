import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import type { Sample } from '../../../server/measurement/store.ts';
import { testDatabase } from '../../support/database.ts';

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
