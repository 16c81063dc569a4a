import type { Database, Statement } from 'better-sqlite3';
import { alarm as alarmSchema, type Alarm, type AlarmEntry } from '../../contract/alarm.ts';

/** What to store of one or more transitions. */
export interface AlarmChange {
  /** In the state after it; a normal one is no longer kept. */
  alarms: readonly Alarm[];
  entries: readonly Omit<AlarmEntry, 'ordinal'>[];
}

/** Which entries of the journal; null matches all. */
export interface JournalFilter {
  from: string | null;
  to: string | null;
  alarm_id: string | null;
  code: string | null;
  severity: string | null;
  transition: string | null;
  source_id: string | null;
  /** Ordinal of the previous page's last entry. */
  before: number | null;
  limit: number;
}

const columns = `at, alarm_id, transition, state_before, state, actor, note, code, severity, source_kind, source_id, source_name,
  channel, role, name, value, "limit", unit, message`;
const values = columns.replace(/"?(\w+)"?/g, '@$1');

/** What alarms of earlier versions lack. */
const notYetKept = { caused_by: null };

/** Maximum entries; the oldest are deleted first. */
const mostEntries = 200_000;

/** The alarms of control.db and their journal. Written only by the daemon's control store. */
export class AlarmRepository {
  readonly #database: Database;
  readonly #page: Statement<[JournalFilter], AlarmEntry>;

  constructor(database: Database) {
    this.#database = database;
    this.#page = database.prepare(
      `SELECT ordinal, ${columns} FROM alarm_journal
       WHERE (@before IS NULL OR ordinal < @before) AND (@from IS NULL OR at >= @from) AND (@to IS NULL OR at < @to)
         AND (@alarm_id IS NULL OR alarm_id = @alarm_id) AND (@code IS NULL OR code = @code)
         AND (@severity IS NULL OR severity = @severity) AND (@transition IS NULL OR transition = @transition)
         AND (@source_id IS NULL OR source_id = @source_id)
       ORDER BY ordinal DESC LIMIT @limit`,
    );
  }

  /** Those that are not normal. One that this version does not understand is left out: its source raises it again. */
  list(): Alarm[] {
    const rows = this.#database.prepare<[], { alarm: string }>('SELECT alarm FROM alarms').all();
    return rows.flatMap(({ alarm }) => alarmSchema.safeParse({ ...notYetKept, ...JSON.parse(alarm) }).data ?? []);
  }

  /** All or nothing. */
  save({ alarms, entries }: AlarmChange): void {
    const keep = this.#database.prepare('INSERT OR REPLACE INTO alarms (alarm_id, alarm) VALUES (?, ?)');
    const forget = this.#database.prepare('DELETE FROM alarms WHERE alarm_id = ?');
    const write = this.#database.prepare(`INSERT INTO alarm_journal (${columns}) VALUES (${values})`);
    this.#database
      .transaction(() => {
        for (const alarm of alarms) {
          if (alarm.state === 'normal') forget.run(alarm.alarm_id);
          else keep.run(alarm.alarm_id, JSON.stringify(alarm));
        }
        for (const entry of entries) write.run(entry);
        this.#database
          .prepare('DELETE FROM alarm_journal WHERE ordinal <= (SELECT max(ordinal) FROM alarm_journal) - ?')
          .run(mostEntries);
      })
      .immediate();
  }

  /** The number of the newest entry, 0 without one. */
  lastOrdinal(): number {
    const row = this.#database
      .prepare<[], { ordinal: number | null }>('SELECT max(ordinal) AS ordinal FROM alarm_journal')
      .get();
    return row?.ordinal ?? 0;
  }

  /** Entries after this one, oldest first. */
  after(ordinal: number, limit: number): AlarmEntry[] {
    return this.#database
      .prepare<[number, number], AlarmEntry>(
        `SELECT ordinal, ${columns} FROM alarm_journal WHERE ordinal > ? ORDER BY ordinal LIMIT ?`,
      )
      .all(ordinal, limit);
  }

  /** Whether the alarm of this entry was heard before it, and its condition has not ended since. */
  wasHeard({ alarm_id, ordinal }: Pick<AlarmEntry, 'alarm_id' | 'ordinal'>): boolean {
    const last = this.#database
      .prepare<[string, number], string>(
        `SELECT transition FROM alarm_journal WHERE alarm_id = ? AND ordinal < ?
         AND (transition = 'clear' OR (state = 'unacknowledged' AND state_before <> state))
         ORDER BY ordinal DESC LIMIT 1`,
      )
      .pluck()
      .get(alarm_id, ordinal);
    return last !== undefined && last !== 'clear';
  }

  /** Latest first. */
  journal(filter: JournalFilter): AlarmEntry[] {
    return this.#page.all(filter);
  }
}
