import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deviceFile } from '../../../server/contract/device-file.ts';
import type { Method } from '../../../server/contract/method.ts';
import type { Pid } from '../../../server/contract/pid.ts';
import { readMycodo } from '../../../server/exchange/mycodo.ts';
import { testFolder } from '../../support/database.ts';
import { grower, testDevices } from '../../support/devices.ts';
import { mycodoDay, mycodoHouse, writeMycodo, type MycodoRows } from '../../support/mycodo.ts';

const heating = 'Heating';

it('a database of Mycodo becomes devices, a method and a PID, and what does not is said with its reason', async () => {
  const { entries, left_out } = readMycodo(writeMycodo(join(testFolder(), 'mycodo.db'), mycodoHouse));
  const made_at = '2026-11-23T03:00:00.000Z';
  const file = deviceFile.parse({ format: 'orangery-devices', version: 1, made_at, program_version: '0', entries });
  const devices = testDevices();
  const report = await devices.deviceFile.take(grower, file, false);
  expect(report.refused).toEqual([]);
  expect(report.made.map(({ name }) => name)).toEqual(['Heater', 'Bench', 'Day', heating]);

  const pid = devices.storedSettings.get('pid')?.list()[0] as Pid; // of that word
  const [sensor, heater] = [devices.inputs.list()[0], devices.outputs.list()[0]];
  const method = devices.storedSettings.get('method')?.list()[0] as Method; // of that word
  expect(sensor).toMatchObject({ driver: 'onewire', options: { sensor_id: '28-0316a2799b1f' }, period_s: 15 });
  expect(heater).toMatchObject({
    driver: 'mqtt',
    options: { host: 'broker', username: 'kim', actuators: [{ command_topic: 'house/heater', on_payload: 'on' }] },
  });
  expect(method).toMatchObject({
    kind: 'daily',
    points: [
      { at: '00:00', value: 16 },
      { at: '06:00', value: 16 },
      { at: '09:00', value: 22 },
      { at: '18:00', value: 22 },
      { at: '20:00', value: 16 },
      { at: '23:59', value: 16 },
    ],
  });
  // 0.6 a step of 30 s is 0.02 a second; a sum of errors of 100 is a share of 60.
  expect(pid).toMatchObject({ kp: 4, ki: 0.02, kd: 60, integrator_min: -60, integrator_max: 60, direction: 'raise' });
  expect(pid).toMatchObject({ setpoint: null, method_id: method.unique_id, is_activated: false, lower: null });
  expect(pid.raise).toMatchObject({ output_id: heater?.unique_id, kind: 'duration', min: 2, max: 25, min_off_s: 5 });
  expect(pid.measurement).toMatchObject({
    device_id: sensor?.unique_id,
    measurement_id: sensor?.channels[0]?.measurement_id,
  });

  const reasons = left_out.map(({ table, name, why }) => `${table} ${name}: ${why}`);
  for (const [table, name, why] of [
    ['input', 'Air', 'no driver for DHT22'],
    ['output', 'Pump', 'outputs of the type wired'],
    ['output', 'Heater', 'without its password'],
    ['method', 'Season', 'kind Date'],
    ['pid', 'Misting', 'the sensor that it goes by'],
    ['pid', heating, 'without the output that makes it lower'],
    ['conditional', 'Night', 'code of Python'],
  ]) {
    expect(reasons).toContainEqual(expect.stringMatching(new RegExp(`^${table} ${name}: .*${why}`)));
  }
  expect(JSON.stringify(entries)).not.toContain('let-me-in');
});

it('a file that is no database is refused, and one of another program holds nothing', () => {
  const file = join(testFolder(), 'other.db');
  writeFileSync(file, 'this is no database, and never was one, however long one looks at it');
  expect(() => readMycodo(file)).toThrow();
  expect(readMycodo(writeMycodo(join(testFolder(), 'empty.db'), {}))).toEqual({ entries: [], left_out: [] });
});

const own = '0c5e91f2-5f1c-4b52-9f39-0d4d3ad7a105';
const readRows = (rows: MycodoRows) => readMycodo(writeMycodo(join(testFolder(), 'mycodo.db'), rows));

describe('a daily method', () => {
  const readDay = (pieces: Parameters<typeof mycodoDay>[1]) =>
    readRows({
      method: [{ unique_id: own, name: 'Day', method_type: 'Daily' }],
      method_data: mycodoDay(own, pieces),
    });

  it('of levels has its steps', () => {
    const { entries } = readDay([
      ['12:00:00', '23:59:59', 25, 25],
      ['00:00:00', '11:59:59', 20, null],
    ]);
    const points = [
      { at: '00:00', value: 20 },
      { at: '12:00', value: 25 },
    ];
    expect(entries).toMatchObject([{ settings: { shape: 'step', points } }]);
  });

  it.each([
    [
      'with a gap',
      [
        ['00:00:00', '06:00:00', 16, 16],
        ['08:00:00', '23:59:59', 16, 16],
      ],
      'without a setpoint',
    ],
    ['that ends before the day', [['00:00:00', '20:00:00', 16, 20]], 'without a setpoint'],
    [
      'with two setpoints at a time',
      [
        ['00:00:00', '12:00:00', 16, 16],
        ['10:00:00', '23:59:59', 16, 16],
      ],
      'has two',
    ],
    [
      'of ramps and steps',
      [
        ['00:00:00', '12:00:00', 16, 20],
        ['12:00:00', '23:59:59', 25, 25],
      ],
      'ramps and steps',
    ],
    ['of times that are none', [['dawn', '23:59:59', 16, 20]], 'times cannot be read'],
  ] as [string, Parameters<typeof mycodoDay>[1], string][])('%s is left out', (_, pieces, why) => {
    const { entries, left_out } = readDay(pieces);
    expect([entries, left_out]).toEqual([[], [{ table: 'method', name: 'Day', why: expect.stringContaining(why) as string }]]); // prettier-ignore
  });
});

it('an output without a payload is left out', () => {
  const custom_options = JSON.stringify({ hostname: 'b', port: 1883, topic: 't', on_payload: 1, off_payload: null });
  const { entries, left_out } = readRows({
    output: [{ unique_id: own, name: 'Heater', output_type: 'MQTT_PAHO' }],
    output_channel: [{ unique_id: 'c', output_id: own, channel: 0, custom_options }],
  });
  expect([entries, left_out]).toMatchObject([[], [{ why: 'its broker, topic or payloads cannot be read' }]]);
});

it('rows beyond the limit are told', () => {
  const conditional = Array.from({ length: 1_001 }, (_, at) => ({ unique_id: `${own}${at}`, name: `Rule ${at}` }));
  const { left_out } = readRows({ conditional });
  expect(left_out).toHaveLength(1_001);
  expect(left_out).toContainEqual(expect.objectContaining({ why: expect.stringContaining('first 1000') as string }));
});
