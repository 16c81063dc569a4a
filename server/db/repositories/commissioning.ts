import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { commissioningCheck, type CommissioningCheck } from '../../contract/commissioning.ts';

const storedValue = z.union([z.literal('on'), z.literal('off'), z.number()]);

/** A channel that a check drives, and its former state. */
const underTest = z.strictObject({
  output_id: z.string(),
  channel: z.int(),
  former: storedValue,
  /** The source of the former state; null when no command was in effect. */
  source: z.string().nullable(),
});
export type UnderTest = z.infer<typeof underTest>;

/** A commissioning check with the channels that it now drives. */
export interface StoredCheck {
  check: CommissioningCheck;
  under_test: readonly UnderTest[];
}

interface CheckRow {
  check_json: string;
  under_test_json: string;
}

/** The commissioning checks in control.db. Written only by the daemon's control store. */
export class CommissioningRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Latest first. */
  list(): StoredCheck[] {
    return this.#database
      .prepare<[], CheckRow>(
        'SELECT check_json, under_test_json FROM commissioning_checks ORDER BY started_at_ms DESC, check_id',
      )
      .all()
      .map(fromRow);
  }

  save({ check, under_test }: StoredCheck): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO commissioning_checks
           (check_id, facility_uuid, status, started_at_ms, check_json, under_test_json)
         VALUES (@check_id, @facility_uuid, @status, @started_at_ms, @check_json, @under_test_json)`,
      )
      .run({
        check_id: check.check_id,
        facility_uuid: check.facility_uuid,
        status: check.status,
        started_at_ms: Date.parse(check.started_at),
        check_json: JSON.stringify(check),
        under_test_json: JSON.stringify(under_test),
      });
  }

  remove(checkIds: readonly string[]): void {
    this.#database
      .prepare('DELETE FROM commissioning_checks WHERE check_id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(checkIds));
  }
}

function fromRow(row: CheckRow): StoredCheck {
  return {
    check: commissioningCheck.parse(JSON.parse(row.check_json)),
    under_test: z.array(underTest).parse(JSON.parse(row.under_test_json)),
  };
}
