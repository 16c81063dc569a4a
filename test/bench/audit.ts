import { dirname, join } from 'node:path';
import { AuditLog } from '../../server/auth/audit.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import { AuditRepository } from '../../server/db/repositories/audit.ts';
import { transactor } from '../../server/db/transaction.ts';
import { AuditService } from '../../server/services/record/audit.ts';
import { freshDataDirectory, removeDataDirectory } from '../support/running-service.ts';

export interface AuditQueryTimes {
  records: number;
  newest_ms: number;
  by_kind_ms: number;
  /** Of somebody with one record in a thousand. */
  by_user_ms: number;
  by_kind_and_user_ms: number;
  /** A day in the middle. */
  by_time_ms: number;
  /** The page after half of all records. */
  deep_page_ms: number;
  /** 400 records given up, as one write transaction does. */
  give_up_ms: number;
}

const stepMs = 30_000; // between two records: a million take 347 days
const firstAt = Date.parse('2025-01-01T00:00:00.000Z');

/** Makes an audit of `count` records and times pages of 100 through the service, each the median of `runs`. */
export function timeAuditQueries(count = 1_000_000, runs = 9): AuditQueryTimes {
  const directory = freshDataDirectory();
  const db = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
  try {
    fill(db, count);
    return time(db, { count, runs });
  } finally {
    db.close();
    removeDataDirectory(directory);
  }
}

/** By SQL alone: nobody asks these records for their chain. */
function fill(db: Database, count: number): void {
  db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < @count)
     INSERT INTO audit (at, kind, username, address, target, before, after, previous_hash, hash)
     SELECT strftime('%Y-%m-%dT%H:%M:%fZ', (@firstAt + i * @stepMs) / 1000.0, 'unixepoch'),
            'kind' || (i % 20) || '.save',
            CASE WHEN i % 1000 = 0 THEN 'rare' ELSE 'user' || (i % 7) END,
            '192.168.1.20', 'target ' || i, '{"zoom":3}', '{"zoom":4}', zeroblob(32), randomblob(32)
     FROM n`,
  ).run({ count, firstAt, stepMs });
}

function time(db: Database, { count, runs }: { count: number; runs: number }): AuditQueryTimes {
  const log = new AuditLog({
    rows: new AuditRepository(db),
    transact: transactor(db),
    now: Date.now,
    directory: dirname(db.name),
  });
  const service = new AuditService(log, Date.now);
  const at = (index: number): string => new Date(firstAt + index * stepMs).toISOString();
  const half = Math.floor(count / 2);
  const page = (query: Parameters<AuditService['list']>[0]): number =>
    median(runs, () => {
      if (service.list(query).audit.length !== 100) throw new Error('the page is not full');
    });
  return {
    records: count,
    newest_ms: page({}),
    by_kind_ms: page({ kind: 'kind7.save' }),
    by_user_ms: page({ user: 'RARE' }),
    by_kind_and_user_ms: page({ kind: 'kind0.save', user: 'rare' }),
    by_time_ms: page({ from: at(half), to: at(half + 2880) }),
    deep_page_ms: page({ cursor: `${at(half)}~${half + 1}` }),
    give_up_ms: median(runs, () => {
      if (log.giveUp(firstAt + half * stepMs) !== 400) throw new Error('there were not so many records to give up');
    }),
  };
}

function median(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  }).sort((a, b) => a - b);
  return Math.round((times[Math.floor(runs / 2)] ?? NaN) * 100) / 100;
}
