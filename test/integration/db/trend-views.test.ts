import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orangeryMigrations } from '../../../server/db/migrations/orangery.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { DashboardRepository } from '../../../server/db/repositories/dashboard.ts';
import { TrendViewRepository } from '../../../server/db/repositories/trend-view.ts';
import { testFolder } from '../../support/database.ts';

it('views that were stored as dashboards of one trend are views of trends, and other dashboards stay', () => {
  const file = join(testFolder(), 'orangery.db');
  const before = openDatabase(file, { migrations: orangeryMigrations.slice(0, 20) });
  const [user, saved, drawn] = [randomUUID(), randomUUID(), randomUUID()];
  before
    .prepare(
      `INSERT INTO users (unique_id, username, username_folded, password_hash, role, created_at)
       VALUES (?, 'kim', 'kim', '', 'Guest', '2026-01-01T00:00:00.000Z')`,
    )
    .run(user);
  const sources = [{ device_id: randomUUID(), measurement_id: randomUUID() }];
  const trend = (id: string) => ({
    kind: 'trend',
    id,
    column: 0,
    row: 0,
    columns: 24,
    rows: 12,
    sources,
    span_s: 3_600,
  });
  const insert = before.prepare(
    `INSERT INTO dashboards (unique_id, user_id, name, widgets, created_at, updated_at)
     VALUES (?, ?, ?, ?, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')`,
  );
  insert.run(saved, user, 'Air', JSON.stringify([trend('trend')]));
  insert.run(drawn, user, 'Morning', JSON.stringify([trend(randomUUID())]));
  before.close();

  const db = openDatabase(file, { migrations: orangeryMigrations });
  expect(new TrendViewRepository(db).visible(user)).toEqual([
    {
      unique_id: saved,
      user_id: user,
      author: 'kim',
      name: 'Air',
      is_shared: false,
      shown: {
        series: sources,
        hidden: [],
        outputs: [],
        span_s: 3_600,
        ends_at: null,
        compare: null,
        has_forecast: false,
        degree_base_c: 10,
      },
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-02T00:00:00.000Z',
    },
  ]);
  expect(new DashboardRepository(db).list(user).map(({ unique_id }) => unique_id)).toEqual([drawn]);
  db.close();
});
