import { z } from 'zod';
import type { DeviceFileEntry } from '../contract/device-file.ts';
import { onewireSensorId } from '../contract/drivers/onewire.ts';
import { uuid } from '../contract/identifier.ts';
import { clockTime, minuteOf } from '../contract/clock-time.ts';
import type { Database } from '../db/open.ts';
import { mostRows, openMycodo, rowsOf, textOf, type Row } from './mycodo-rows.ts';

/*
 * The settings database of Mycodo (mycodo.db, also that of its successor AoT): tables input, output, output_channel,
 * device_measurements, pid, method, method_data and conditional, by their column names. What means the same in both
 * programs is imported.
 */

/** Something that was left out, wholly or partly, and why. */
export interface LeftOut {
  table: string;
  name: string;
  why: string;
}

export interface ForeignDevices {
  entries: DeviceFileEntry[];
  left_out: LeftOut[];
}

type Taken = { settings: Row; kind: DeviceFileEntry['kind']; notes?: string[] } | string;

/** Reads a database without writing to it. Throws the SQLite error when it is none. */
export function readMycodo(file: string): ForeignDevices {
  const db = openMycodo(file);
  try {
    const found: ForeignDevices = { entries: [], left_out: [] };
    for (const [table, take] of Object.entries(tables)) takeTable(table, { db, take, found });
    return found;
  } finally {
    db.close();
  }
}

type Take = (row: Row, db: Database, found: ForeignDevices) => Taken;

/** Tables come after those that they refer to. */
const tables: Record<string, Take> = {
  output: takeOutput,
  input: takeInput,
  method: takeMethod,
  pid: takePid,
  conditional: () => 'its condition is code of Python: write it anew in the language of statements',
  trigger: () => 'triggers differ too much: make it anew',
  custom_controller: () => 'it is a program of its own: look for a function that does the same',
};

function takeTable(table: string, { db, take, found }: { db: Database; take: Take; found: ForeignDevices }): void {
  const rows = rowsOf(db, table);
  if (rows.length > mostRows) {
    found.left_out.push({ table, name: table, why: `it has more rows: the first ${mostRows} were looked at` });
  }
  for (const row of rows.slice(0, mostRows)) {
    const name = textOf(row['name']) || table;
    const taken = uuid.safeParse(row['unique_id']).success ? take(row, db, found) : 'its unique_id is none';
    if (typeof taken === 'string') {
      found.left_out.push({ table, name, why: taken });
      continue;
    }
    const unique_id = String(row['unique_id']).toLowerCase();
    found.entries.push({ kind: taken.kind, settings: { ...taken.settings, unique_id, name: name.slice(0, 100) } });
    for (const why of taken.notes ?? []) found.left_out.push({ table, name, why });
  }
}

function takeInput(row: Row, db: Database): Taken {
  const device = textOf(row['device']);
  const driver = inputDrivers[device]?.(row);
  if (driver === undefined)
    return `there is no driver for ${device || 'it'} here: see whether Modbus, MQTT or HTTP reaches it`;
  if (typeof driver === 'string') return driver;
  const measured = rowsOf(db, 'device_measurements', { column: 'device_id', id: row['unique_id'] });
  const first = measured.find(({ channel }) => channel === 0);
  const notes = measured
    .filter((one) => one !== first)
    .map((one) => `without its measurement ${textOf(one['measurement'])} on channel ${String(one['channel'])}`);
  const channels = [{ channel: 0, ...(first !== undefined && { measurement_id: textOf(first['unique_id']) }) }];
  const period_s = clamped(row['period'], { least: 1, most: 86_400, otherwise: 15 });
  return { kind: 'input', settings: { ...driver, period_s, channels }, notes };
}

const inputDrivers: Record<string, (row: Row) => { driver: string; options: object } | string> = {
  DS18B20: oneWire,
  DS18B20_OWS: oneWire,
  RPi: () => ({ driver: 'system', options: {} }),
};

function oneWire(row: Row): { driver: string; options: object } | string {
  const sensor = onewireSensorId.safeParse(textOf(row['location']).toLowerCase());
  return sensor.success ? { driver: 'onewire', options: { sensor_id: sensor.data } } : 'it names no sensor of the bus';
}

function takeOutput(row: Row, db: Database): Taken {
  const kind = textOf(row['output_type']);
  if (kind !== 'MQTT_PAHO') return `there is no driver for outputs of the type ${kind || 'that it has'} here`;
  const [channel] = rowsOf(db, 'output_channel', { column: 'output_id', id: row['unique_id'] });
  const options = mqttOutput.safeParse(jsonOf(channel?.['custom_options']));
  if (!options.success) return 'its broker, topic or payloads cannot be read';
  const { hostname, port, topic, on_payload, off_payload, login, username } = options.data;
  const actuator = { channel: 0, kind: 'switch', command_topic: topic, on_payload, off_payload };
  const broker = { host: hostname, port, ...(login === true && username && { username }) };
  return {
    kind: 'output',
    settings: { driver: 'mqtt', options: { ...broker, actuators: [actuator] } },
    ...(login === true && { notes: ['without its password: enter it again'] }),
  };
}

const payload = z.union([z.string(), z.number()]).transform(String);

const mqttOutput = z.looseObject({
  hostname: z.string().min(1),
  port: z.coerce.number().int().min(1).max(65_535),
  topic: z.string().min(1),
  on_payload: payload,
  off_payload: payload,
  login: z.boolean().optional(),
  username: z.string().optional(),
});

const piece = z.looseObject({
  time_start: z.string().transform(withoutSeconds).pipe(clockTime),
  time_end: z.string().transform(withoutSeconds).pipe(clockTime),
  setpoint_start: z.number(),
  setpoint_end: z.number().nullish(),
});
type Piece = z.infer<typeof piece>;

/**
 * Imports daily methods made of pieces with a value at both ends, if no piece is missing: in a gap Mycodo uses other
 * setpoints.
 */
function takeMethod(row: Row, db: Database): Taken {
  if (row['method_type'] !== 'Daily') return `methods of the kind ${textOf(row['method_type'])} differ: draw it anew`;
  const rows = rowsOf(db, 'method_data', { column: 'method_id', id: row['unique_id'] });
  const withValue = rows.filter(({ setpoint_start }) => typeof setpoint_start === 'number');
  if (withValue.length === 0) return 'it has no points';
  const read = z.array(piece).safeParse(withValue);
  if (!read.success) return 'its times cannot be read: draw it anew';
  const pieces = read.data.toSorted((a, b) => a.time_start.localeCompare(b.time_start));
  if (!coversDay(pieces)) return 'it leaves parts of the day without a setpoint, or has two: draw it anew';
  const shape = shapeOf(pieces);
  if (shape === null) return 'it has ramps and steps: draw it anew';
  // The unit of its values is stored nowhere.
  const notes = ['its unit is not stored there: look whether degrees Celsius are right'];
  return { kind: 'method', settings: { kind: 'daily', unit: 'C', shape, points: pointsOf(pieces, shape) }, notes };
}

/** Each piece begins in the minute in which the previous one ends, or in the next. */
function coversDay(pieces: readonly Piece[]): boolean {
  const starts_min = [...pieces.map(({ time_start }) => minuteOf(time_start)), minuteOf('23:59')];
  const ends_min = [0, ...pieces.map(({ time_end }) => minuteOf(time_end))];
  return starts_min.every((start_min, index) => {
    const after_min = start_min - (ends_min[index] ?? 0);
    return after_min === 0 || after_min === 1;
  });
}

function shapeOf(pieces: readonly Piece[]): 'linear' | 'step' | null {
  if (pieces.every((one) => endOf(one) === one.setpoint_start)) return 'step';
  const isJoined = pieces.slice(1).every(({ setpoint_start }, index) => {
    const before = pieces[index];
    return before !== undefined && endOf(before) === setpoint_start;
  });
  return isJoined ? 'linear' : null;
}

function pointsOf(pieces: readonly Piece[], shape: 'linear' | 'step'): { at: string; value: number }[] {
  const begins = pieces.map(({ time_start, setpoint_start }) => ({ at: time_start, value: setpoint_start }));
  const last = pieces.at(-1);
  return shape === 'step' || last === undefined ? begins : [...begins, { at: last.time_end, value: endOf(last) }];
}

/**
 * Mycodo's gains are per step (it sums the errors of all steps, and its derivative is the difference of two steps),
 * ours per second: ki = i / period, kd = d · period; its limits are of the sum of errors, ours of the integral's share
 * in control.
 */
function takePid(row: Row, _db: Database, found: ForeignDevices): Taken {
  const [device_id = '', measurement_id = ''] = textOf(row['measurement']).toLowerCase().split(',');
  const sensor = found.entries.find((one) => one.kind === 'input' && one.settings.unique_id === device_id);
  if (sensor === undefined || !JSON.stringify(sensor.settings).includes(measurement_id)) {
    return 'the sensor that it goes by could not be taken';
  }
  const period_s = clamped(row['period'], { least: 1, most: 3_600, otherwise: 30 });
  const [p, i, d] = ['p', 'i', 'd'].map((gain) => clamped(row[gain], { least: 0, most: 1e6, otherwise: 0 }));
  const [kp = 0, perStep = 0, ofStep = 0] = [p, i, d];
  const max_age_s = clamped(row['max_measure_age'], { least: 1, most: 86_400, otherwise: 120 });
  const notes = ['its gains were worked out for seconds instead of steps: rehearse it before it drives anything'];
  const raise = pidOutput(row, { end: 'raise', found, notes });
  const lower = pidOutput(row, { end: 'lower', found, notes });
  const ends = { raise, lower };
  const direction = directionOf(ends, row['direction']);
  if (direction === null) return 'none of the outputs that it drives could be taken';
  const method_id = methodOf(row, found, notes);
  const settings = {
    measurement: { device_id, measurement_id, max_age_s },
    period_s,
    kp,
    ki: perStep / period_s,
    kd: ofStep * period_s,
    integrator_min: numberOf(row['integrator_min']) * perStep,
    integrator_max: numberOf(row['integrator_max']) * perStep,
    band: clamped(row['band'], { least: 0, most: 1e6, otherwise: 0 }),
    direction,
    ...(method_id === null ? { setpoint: numberOf(row['setpoint']) } : { method_id }),
    ...ends,
  };
  return { kind: 'pid', settings, notes };
}

function pidOutput(
  row: Row,
  { end, found, notes }: { end: 'raise' | 'lower'; found: ForeignDevices; notes: string[] },
): object | null {
  const [output_id = ''] = textOf(row[`${end}_output_id`]).toLowerCase().split(',');
  if (output_id === '') return null;
  const kind = textOf(row[`${end}_output_type`]) || 'on_off';
  const isThere = found.entries.some((one) => one.kind === 'output' && one.settings.unique_id === output_id);
  if (!isThere || kind !== 'on_off') {
    notes.push(`without the output that makes it ${end}: ${isThere ? `a ${kind} differs` : 'it could not be taken'}`);
    return null;
  }
  const max = numberOf(row[`${end}_max_duration`]);
  const min = clamped(row[`${end}_min_duration`], { least: 0, most: 1e6, otherwise: 0 });
  const min_off_s = clamped(row[`${end}_min_off_duration`], { least: 0, most: 86_400, otherwise: 0 });
  return { output_id, kind: 'duration', min, min_off_s, ...(max > 0 && { max }) };
}

function methodOf(row: Row, found: ForeignDevices, notes: string[]): string | null {
  const kind = textOf(row['setpoint_tracking_type']);
  if (kind === '') return null;
  const id = textOf(row['setpoint_tracking_id']).toLowerCase();
  if (kind === 'method' && found.entries.some((one) => one.kind === 'method' && one.settings.unique_id === id))
    return id;
  notes.push('with its fixed setpoint: what its setpoint follows could not be taken');
  return null;
}

/** Of the directions that it drove, those whose output could be imported; null for none. */
function directionOf(ends: { raise: object | null; lower: object | null }, value: unknown): string | null {
  const word = textOf(value).toLowerCase() || 'raise';
  const raises = ends.raise !== null && word !== 'lower';
  const lowers = ends.lower !== null && word !== 'raise';
  if (raises && lowers) return 'both';
  if (raises) return 'raise';
  return lowers ? 'lower' : null;
}

/** Constant when it has no value at its end. */
const endOf = ({ setpoint_start, setpoint_end }: Piece): number => setpoint_end ?? setpoint_start;

/** From HH:MM:SS. */
function withoutSeconds(time: string): string {
  return time.trim().slice(0, 5);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function clamped(
  value: unknown,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return otherwise;
  return Math.min(most, Math.max(least, value));
}

function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(textOf(value));
  } catch {
    return null;
  }
}
