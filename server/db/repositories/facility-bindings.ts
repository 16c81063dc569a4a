import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { actuatorBinding, sensorBinding } from '../../contract/facility-binding.ts';

const opening = z.looseObject({ name: z.string(), actuator_device_id: z.string().optional() });

/** The bindings of one facility. */
export const bindings = z.object({
  unique_id: z.string(),
  name: z.string(),
  sensors: z.array(sensorBinding),
  actuators: z.array(actuatorBinding),
  openings: z.array(opening),
});
export type FacilityBindings = z.infer<typeof bindings>;

interface Row {
  unique_id: string;
  name: string;
  sensors: string;
  actuators: string;
  openings: string;
}

/** The bindings of living facilities, without their geometry. */
export function facilityBindings(database: Database): FacilityBindings[] {
  const rows = database
    .prepare<[], Row>(
      'SELECT unique_id, name, sensors, actuators, openings FROM facilities WHERE deleted_at IS NULL ORDER BY ordinal',
    )
    .all();
  return rows.map(({ sensors, actuators, openings, ...row }) =>
    bindings.parse({
      ...row,
      sensors: fromJson(sensors),
      actuators: fromJson(actuators),
      openings: fromJson(openings),
    }),
  );
}

function fromJson(stored: string): unknown {
  return JSON.parse(stored);
}

/**
 * A text that stays the same only while the facilities, devices and settings that safety depends on do; cheap enough
 * for every second.
 */
export function bindingsStamp(database: Database): string {
  return (
    database
      .prepare<[], string>(
        `SELECT json_array(
        (SELECT group_concat(key || value, char(10)) FROM settings WHERE key IN ('safety', 'alarm_limits', 'manual_hold_s')),
        (SELECT group_concat(unique_id || revision) FROM facilities WHERE deleted_at IS NULL),
        (SELECT group_concat(unique_id || period_s) FROM inputs),
        (SELECT group_concat(unique_id || settings) FROM controllers WHERE kind IN ('function', 'pid')),
        (SELECT group_concat(output_id || channel) FROM output_channels))`,
      )
      .pluck()
      .get() ?? ''
  );
}
