import { uuid } from '../contract/identifier.ts';
import { openMycodo, rowsOf, textOf, type Row } from './mycodo-rows.ts';

/**
 * A channel of an input, by which Mycodo stores measurements: the unit is the name of InfluxDB's measurement, the other
 * fields are its tags.
 */
export interface MycodoSeries {
  /** Of the input. */
  name: string;
  /** Of the input. */
  device_id: string;
  channel: number;
  /** Measurement and unit, in Mycodo's words. */
  measurement: string;
  unit: string;
}

/** The series of the inputs in a settings database. Throws the SQLite error when it is none. */
export function readMycodoSeries(file: string): MycodoSeries[] {
  const db = openMycodo(file);
  try {
    const converted = new Map(
      rowsOf(db, 'conversion').map((row) => [row['unique_id'], textOf(row['convert_unit_to'])]),
    );
    return rowsOf(db, 'input').flatMap((input) =>
      rowsOf(db, 'device_measurements', { column: 'device_id', id: input['unique_id'] }).flatMap((row) => {
        const unit = converted.get(row['conversion_id']) ?? textOf(row['unit']);
        const series = seriesOf(input, row, unit);
        return series === null ? [] : [series];
      }),
    );
  } finally {
    db.close();
  }
}

function seriesOf(input: Row, row: Row, unit: string): MycodoSeries | null {
  const device_id = textOf(input['unique_id']);
  const { channel } = row;
  if (!uuid.safeParse(device_id).success || typeof channel !== 'number' || unit === '') return null;
  return { name: textOf(input['name']), device_id, channel, measurement: textOf(row['measurement']), unit };
}
