import type { Database, Statement } from 'better-sqlite3';
import { facility, type Facility } from '../../contract/facility.ts';

/** A facility and since when it is in the trash, null while it lives. */
export interface StoredFacility {
  facility: Facility;
  deleted_at: string | null;
}

export type FacilityStanding = Pick<Facility, 'unique_id' | 'geo_id' | 'revision' | 'updated_at'> &
  Pick<StoredFacility, 'deleted_at'>;

export type FacilityName = Pick<Facility, 'unique_id' | 'name'>;

const jsonColumns = ['envelope', 'sensors', 'actuators', 'openings', 'curtains', 'fans', 'view_3d'] as const;
type JsonColumn = (typeof jsonColumns)[number];

type FacilityRow = Omit<Facility, JsonColumn | 'design_conditions'> &
  Record<JsonColumn, string> & { design_conditions: string | null };
type StoredRow = FacilityRow & { deleted_at: string | null };

/** A column for each field: a missing one fails at the start. */
const columns = Object.keys(facility.shape);
const selected = [...columns, 'deleted_at'].join(', ');

/**
 * Matches facilities that bind a device: as sensor, as actuator or its meter, or as the drive of an opening or a
 * curtain.
 */
const binds = `(
  EXISTS (SELECT 1 FROM json_each(sensors) WHERE value ->> 'device_id' = @device_id)
  OR EXISTS (SELECT 1 FROM json_each(actuators)
    WHERE @device_id IN (value ->> 'device_id', value ->> '$.meter.device_id', value ->> '$.flow_meter.device_id'))
  OR EXISTS (SELECT 1 FROM json_each(openings) WHERE value ->> 'actuator_device_id' = @device_id)
  OR EXISTS (SELECT 1 FROM json_each(curtains) WHERE value ->> 'actuator_device_id' = @device_id))`;

/** The facilities of orangery.db, in order of creation. Identifiers are in lower case. */
export class FacilityRepository {
  readonly #database: Database;
  readonly #one: Statement<[string], StoredRow>;
  readonly #standings: Statement<[], FacilityStanding>;
  readonly #names: Statement<[], FacilityName>;

  constructor(database: Database) {
    this.#database = database;
    this.#one = database.prepare(`SELECT ${selected} FROM facilities WHERE unique_id = ?`);
    this.#standings = database.prepare(
      'SELECT unique_id, geo_id, revision, updated_at, deleted_at FROM facilities ORDER BY ordinal',
    );
    this.#names = database.prepare('SELECT unique_id, name FROM facilities WHERE deleted_at IS NULL ORDER BY ordinal');
  }

  list(filter: { trash?: boolean | undefined; geo_id?: string | undefined } = {}): Facility[] {
    return this.#database
      .prepare<[{ trash: number; geo_id: string | null }], StoredRow>(
        `SELECT ${selected} FROM facilities
         WHERE (deleted_at IS NOT NULL) = @trash AND (@geo_id IS NULL OR geo_id = @geo_id) ORDER BY ordinal`,
      )
      .all({ trash: Number(filter.trash ?? false), geo_id: filter.geo_id ?? null })
      .map((row) => fromRow(row).facility);
  }

  /** The living ones, without reading all of them. */
  names(): FacilityName[] {
    return this.#names.all();
  }

  /** Tells whether each has changed, including those in the trash. */
  standings(): FacilityStanding[] {
    return this.#standings.all();
  }

  /** Also finds those in the trash. */
  get(id: string): StoredFacility | undefined {
    const row = this.#one.get(id);
    return row && fromRow(row);
  }

  /** Whether it lives, without reading all of it. */
  standing(id: string): 'living' | 'in_trash' | 'gone' {
    const row = this.#database
      .prepare<[string], { deleted_at: string | null }>('SELECT deleted_at FROM facilities WHERE unique_id = ?')
      .get(id);
    if (row === undefined) return 'gone';
    return row.deleted_at === null ? 'living' : 'in_trash';
  }

  /** The living facility on a shape. */
  onShape(shapeId: string): FacilityName | undefined {
    return this.#database
      .prepare<[string], FacilityName>(
        'SELECT unique_id, name FROM facilities WHERE shape_uuid = ? AND deleted_at IS NULL',
      )
      .get(shapeId);
  }

  /** The living facilities that bind a device. */
  usersOf(deviceId: string): FacilityName[] {
    return this.#database
      .prepare<[{ device_id: string }], FacilityName>(
        `SELECT unique_id, name FROM facilities WHERE deleted_at IS NULL AND ${binds} ORDER BY ordinal`,
      )
      .all({ device_id: deviceId });
  }

  insert(one: Facility): void {
    this.#database
      .prepare(
        `INSERT INTO facilities (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
      )
      .run(toRow(one));
  }

  update(one: Facility): void {
    const assignments = columns.filter((column) => column !== 'unique_id').map((column) => `${column} = @${column}`);
    this.#database
      .prepare(`UPDATE facilities SET ${assignments.join(', ')} WHERE unique_id = @unique_id`)
      .run(toRow(one));
  }

  /** Puts it into the trash, or with null restores it. */
  setDeletedAt(id: string, at: string | null): void {
    this.#database.prepare('UPDATE facilities SET deleted_at = ? WHERE unique_id = ?').run(at, id);
  }

  /** Removes for good what has been in the trash since before `at`; returns how many. */
  purge(at: string): number {
    return this.#database.prepare('DELETE FROM facilities WHERE deleted_at < ?').run(at).changes;
  }
}

function toRow({ design_conditions, ...one }: Facility): FacilityRow {
  const json = Object.fromEntries(jsonColumns.map((column) => [column, JSON.stringify(one[column])]));
  const conditions = design_conditions === undefined ? null : JSON.stringify(design_conditions);
  return { ...one, ...(json as Record<JsonColumn, string>), design_conditions: conditions }; // one of each column
}

function fromRow({ deleted_at, design_conditions, ...row }: StoredRow): StoredFacility {
  const parsed: Record<string, unknown> = { ...row };
  for (const column of jsonColumns) parsed[column] = JSON.parse(row[column]);
  if (design_conditions !== null) parsed['design_conditions'] = JSON.parse(design_conditions);
  return { facility: facility.parse(parsed), deleted_at };
}
