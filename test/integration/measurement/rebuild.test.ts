import { expect, it } from 'vitest';
import { rebuildRollups } from '../../../server/measurement/sqlite/rebuild.ts';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import { testDatabase } from '../../support/database.ts';
import { ingestWrite } from '../../support/ingest-samples.ts';
import { plainRollups, storedRollups, storedSamples } from '../../support/plain-rollups.ts';

it('mends rollups that are wrong, missing or about nothing, and leaves minutes whose samples were deleted', async () => {
  const db = testDatabase('measurements');
  const writer = openMeasurementWriter(db.name);
  await writer.write(Array.from({ length: 300 }, (_, n) => ingestWrite(n)).flat());
  await writer.close();
  const expected = plainRollups(storedSamples(db, 1));
  db.exec(`
    UPDATE rollup_minute SET sum = sum + 1 WHERE start_ms % 120000 = 0;
    UPDATE rollup_quarter SET max = 0;
    DELETE FROM rollup_day;
    INSERT INTO rollup_quarter SELECT series_id, 900000, 9, 9, 9, 9, 9, 9, 9, 9, NULL, NULL FROM rollup_quarter GROUP BY series_id;
    DELETE FROM sample WHERE series_id = 2;`);
  const before = storedRollups(db, 2).rollup_minute;
  expect(rebuildRollups(db.name)).toEqual({ series: 5, days: 5 * 3 });
  expect(storedRollups(db, 1)).toEqual(expected);
  expect(storedRollups(db, 2).rollup_minute).toEqual(before);
  expect(storedRollups(db, 2).rollup_day.length).toBe(2);
});
