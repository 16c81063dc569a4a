import Sqlite from 'better-sqlite3';

/** The columns that are read, as Mycodo's models name them; its other columns have no meaning here. */
const columns: Record<string, string> = {
  input: 'device TEXT, location TEXT, period REAL, is_activated INTEGER',
  device_measurements: 'device_id TEXT, measurement TEXT, unit TEXT, channel INTEGER, conversion_id TEXT',
  conversion: 'convert_unit_from TEXT, convert_unit_to TEXT, equation TEXT',
  output: 'output_type TEXT',
  output_channel: 'output_id TEXT, channel INTEGER, custom_options TEXT',
  method: 'method_type TEXT',
  method_data: 'method_id TEXT, time_start TEXT, time_end TEXT, setpoint_start REAL, setpoint_end REAL',
  pid: `measurement TEXT, period REAL, max_measure_age REAL, direction TEXT, setpoint REAL, band REAL, p REAL, i REAL, d REAL,
    integrator_min REAL, integrator_max REAL, setpoint_tracking_type TEXT, setpoint_tracking_id TEXT,
    raise_output_id TEXT, raise_output_type TEXT, raise_min_duration REAL, raise_max_duration REAL, raise_min_off_duration REAL,
    lower_output_id TEXT, lower_output_type TEXT, lower_min_duration REAL, lower_max_duration REAL, lower_min_off_duration REAL`,
  conditional: 'conditional_statement TEXT, period REAL',
};

export type MycodoRows = Record<string, Record<string, string | number | null>[]>;

/** Writes a settings database of Mycodo with these rows. */
export function writeMycodo(file: string, rows: MycodoRows): string {
  const db = new Sqlite(file);
  db.exec('BEGIN');
  for (const [table, declared] of Object.entries(columns)) {
    db.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, unique_id TEXT NOT NULL UNIQUE, name TEXT, ${declared})`);
  }
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list) {
      const names = Object.keys(row);
      db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
        ...Object.values(row),
      );
    }
  }
  db.exec('COMMIT');
  db.close();
  return file;
}

const id = (last: number): string => `0c5e91f2-5f1c-4b52-9f39-0d4d3ad7a1${String(last).padStart(2, '0')}`;

/** Pieces of a daily method. */
export function mycodoDay(
  method_id: string,
  pieces: readonly [start: string, end: string, from: number, to: number | null][],
): MycodoRows[string] {
  return pieces.map(([time_start, time_end, setpoint_start, setpoint_end], at) => ({
    unique_id: `${method_id} ${at}`,
    method_id,
    time_start,
    time_end,
    setpoint_start,
    setpoint_end,
  }));
}

/**
 * A greenhouse in Mycodo's form: a thermometer, a heater on MQTT, a pump on a pin, a PID with a daily method, and a
 * rule in Python.
 */
export const mycodoHouse: MycodoRows = {
  input: [
    { unique_id: id(1), name: 'Bench', device: 'DS18B20', location: '28-0316a2799b1f', period: 15 },
    { unique_id: id(2), name: 'Air', device: 'DHT22', location: '4', period: 15 },
  ],
  device_measurements: [
    { unique_id: id(11), device_id: id(1), measurement: 'temperature', unit: 'C', channel: 0, conversion_id: id(14) },
    { unique_id: id(12), device_id: id(2), measurement: 'temperature', unit: 'C', channel: 0 },
  ],
  conversion: [{ unique_id: id(14), convert_unit_from: 'C', convert_unit_to: 'F', equation: 'x*(9/5)+32' }],
  output: [
    { unique_id: id(3), name: 'Heater', output_type: 'MQTT_PAHO' },
    { unique_id: id(4), name: 'Pump', output_type: 'wired' },
  ],
  output_channel: [
    {
      unique_id: id(13),
      output_id: id(3),
      channel: 0,
      custom_options: JSON.stringify({
        hostname: 'broker',
        port: 1883,
        topic: 'house/heater',
        on_payload: 'on',
        off_payload: 'off',
        login: true,
        username: 'kim',
        password: 'let-me-in',
      }),
    },
  ],
  method: [
    { unique_id: id(5), name: 'Day', method_type: 'Daily' },
    { unique_id: id(6), name: 'Season', method_type: 'Date' },
  ],
  method_data: mycodoDay(id(5), [
    ['00:00:00', '06:00:00', 16, 16],
    ['06:00:00', '09:00:00', 16, 22],
    ['09:00:00', '18:00:00', 22, null],
    ['18:00:00', '20:00:00', 22, 16],
    ['20:00:00', '23:59:59', 16, 16],
  ]),
  pid: [
    {
      unique_id: id(7),
      name: 'Heating',
      measurement: `${id(1)},${id(11)}`,
      period: 30,
      max_measure_age: 120,
      direction: 'both',
      setpoint: 20,
      band: 0.5,
      p: 4,
      i: 0.6,
      d: 2,
      integrator_min: -100,
      integrator_max: 100,
      setpoint_tracking_type: 'method',
      setpoint_tracking_id: id(5),
      raise_output_id: `${id(3)},${id(13)}`,
      raise_output_type: 'on_off',
      raise_min_duration: 2,
      raise_max_duration: 25,
      raise_min_off_duration: 5,
      lower_output_id: id(4),
      lower_output_type: 'on_off',
    },
    { unique_id: id(8), name: 'Misting', measurement: `${id(2)},${id(12)}`, period: 30, p: 1, i: 0, d: 0 },
  ],
  conditional: [{ unique_id: id(9), name: 'Night', conditional_statement: 'if self.condition("x"): pass' }],
};
