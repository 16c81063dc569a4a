import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InputCreate, InputPatch } from '../../../../server/contract/input.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { remoteError } from '../../../support/scripted-daemon.ts';

const modbus = (registers: Record<string, string | number>[]) => ({ host: '127.0.0.1', registers });
const holding = { channel: 0, table: 'holding', address: 10, scale: 0.1 };

describe('InputService', () => {
  it('makes a simulated input without options, stores it and tells the daemon', async () => {
    const { inputs, daemon, audited } = testDevices();
    const made = await inputs.create(grower, { name: 'Sensor', driver: 'simulated' });
    expect(made).toMatchObject({ driver: 'simulated', options: {}, period_s: 15, is_activated: true });
    expect(made.channels).toMatchObject([{ channel: 0, name: 'Temperature', measurement: 'temperature', unit: 'C' }]);
    expect(inputs.get(made.unique_id)).toEqual(made);
    expect(daemon.told).toEqual([`controller_refresh ${made.unique_id}`]);
    expect(audited).toMatchObject([{ kind: 'input.create', target: made.unique_id, after: made }]);
  });

  it('gives a register the measurement that it is said to have', async () => {
    const { inputs } = testDevices();
    const made = await inputs.create(grower, {
      name: 'Probe',
      driver: 'modbus',
      options: modbus([{ ...holding, channel: 2 }, holding]),
      channels: [{ channel: 2, measurement: 'humidity', name: 'RH' }, { channel: 0 }],
    });
    expect(made.channels.map(({ channel, name, measurement, unit }) => [channel, name, measurement, unit])).toEqual([
      [0, 'Channel 0', 'unitless', ''],
      [2, 'RH', 'humidity', '%'],
    ]);
    expect(inputs.list()).toEqual([made]);
  });

  it('keeps what the daemon cannot be told, and says so in the log', async () => {
    const { inputs, daemon, warnings } = testDevices();
    daemon.failure = remoteError('connection_failed');
    const made = await inputs.create(grower, { name: 'Sensor', driver: 'simulated' });
    expect(inputs.list()).toEqual([made]);
    expect(warnings).toHaveLength(1);
  });

  it.each<[string, Partial<InputCreate>, string, string]>([
    ['an unknown driver', { driver: 'telepathy' }, 'unknown_reference', 'driver'],
    ['a driver named like a property of objects', { driver: 'constructor' }, 'unknown_reference', 'driver'],
    ['an unknown option', { options: { sped: 2 } }, 'unknown_field', 'options.sped'],
    ['a part without its house', { options: { part: 'indoor' } }, 'invalid_field', 'options.house'],
    [
      'an actuator',
      { options: { part: 'heater', house: '00000000-0000-4000-8000-000000000001' } },
      'invalid_field',
      'options',
    ],
    ['a channel that is not there', { channels: [{ channel: 7 }] }, 'unknown_reference', 'channels[0].channel'],
    ['a channel twice', { channels: [{ channel: 0 }, { channel: 0 }] }, 'invalid_field', 'channels[1].channel'],
    [
      'another measurement than the driver has',
      { channels: [{ channel: 0, measurement: 'co2' }] },
      'invalid_field',
      'channels[0].measurement',
    ],
  ])('refuses %s and stores nothing', async (_, sent, code, path) => {
    const { inputs, audited } = testDevices();
    const refusal = await refusalOf(inputs.create(grower, { name: 'Sensor', driver: 'simulated', ...sent }));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual([code, path]);
    expect([inputs.list(), audited]).toEqual([[], []]);
  });

  it('deletes what nothing uses and stops its controller', async () => {
    const { inputs, sensor, daemon, audited } = testDevices();
    const { unique_id } = await sensor();
    await inputs.remove(grower, unique_id);
    expect(inputs.list()).toEqual([]);
    expect(daemon.told.at(-1)).toBe(`controller_refresh ${unique_id}`);
    expect(audited.at(-1)).toMatchObject({ kind: 'input.delete', before: { unique_id } });
    expect((await refusalOf(inputs.remove(grower, unique_id))).code).toBe('not_found');
  });

  it('refuses to delete what a facility binds and a map places, naming both', async () => {
    const { inputs, sensor, house, draw, mapId } = testDevices();
    const { unique_id: device_id, channels } = await sensor();
    const measurement_id = channels[0]?.measurement_id ?? '';
    const { unique_id } = house({ sensors: [{ role: 'indoor_temp', device_id, measurement_id, name: 'T' }] });
    const feature = draw({ type: 'device', device_id });
    const refusal = await refusalOf(inputs.remove(grower, device_id));
    expect([refusal.code, refusal.members['users']]).toEqual([
      'in_use',
      [
        { kind: 'facility', unique_id, name: 'House' },
        { kind: 'feature', unique_id: feature, name: 'drawn', map_uuid: mapId, map_name: 'Farm' },
      ],
    ]);
    expect(inputs.list()).toHaveLength(1);
  });

  it('may delete what only a facility in the trash binds', async () => {
    const { inputs, sensor, house, facilities } = testDevices();
    const { unique_id: device_id, channels } = await sensor();
    const measurement_id = channels[0]?.measurement_id ?? '';
    const { unique_id } = house({ sensors: [{ role: 'indoor_temp', device_id, measurement_id, name: 'T' }] });
    facilities.remove(grower, unique_id);
    await inputs.remove(grower, device_id);
    expect(inputs.list()).toEqual([]);
  });
});

describe('a changed input', () => {
  const probe = {
    name: 'Probe',
    driver: 'modbus',
    options: modbus([holding, { ...holding, channel: 1, address: 11 }]),
  };

  it('has what was named changed, the rest as it was, and its series go on', async () => {
    const { inputs, daemon, audited } = testDevices();
    const made = await inputs.create(grower, { ...probe, channels: [{ channel: 0, measurement: 'co2', name: 'CO2' }] });
    const changed = await inputs.change(grower, made.unique_id, { name: 'Other', options: { timeout_ms: 200 } });
    expect(changed).toEqual({ ...made, name: 'Other', options: { ...made.options, timeout_ms: 200 } });
    expect(inputs.get(made.unique_id)).toEqual(changed);
    expect(daemon.told).toEqual([`controller_refresh ${made.unique_id}`, `controller_refresh ${made.unique_id}`]);
    expect(audited.at(-1)).toMatchObject({ kind: 'input.change', before: made, after: changed });
  });

  it('takes back all that a reading of it gave', async () => {
    const { inputs } = testDevices();
    const made = await inputs.create(grower, probe);
    expect(await inputs.change(grower, made.unique_id, made)).toEqual(made);
  });

  it('loses an option by null and gains the channels of new registers', async () => {
    const { inputs } = testDevices();
    const made = await inputs.create(grower, { ...probe, options: { ...probe.options, unit_id: 3 } });
    const registers = [holding, { ...holding, channel: 5 }];
    const changed = await inputs.change(grower, made.unique_id, { options: { unit_id: null, registers } });
    expect(changed.options).toEqual({ host: '127.0.0.1', registers });
    expect(changed.channels.map(({ channel }) => channel)).toEqual([0, 5]);
    expect(changed.channels[0]).toEqual(made.channels[0]);
  });

  it('gets another series with another quantity', async () => {
    const { inputs } = testDevices();
    const made = await inputs.create(grower, probe);
    const channels = made.channels.map(({ channel }) => ({ channel, measurement: 'humidity' as const }));
    const changed = await inputs.change(grower, made.unique_id, { channels });
    expect(changed.channels.map(({ unit, name }) => [unit, name])).toEqual([
      ['%', 'Channel 0'],
      ['%', 'Channel 1'],
    ]);
    expect(changed.channels[0]?.measurement_id).not.toBe(made.channels[0]?.measurement_id);
  });

  it.each<[string, InputPatch, string]>([
    ['another identifier', { unique_id: '00000000-0000-4000-8000-000000000009' }, 'unique_id'],
    [
      'another series',
      { channels: [{ channel: 0, measurement_id: '00000000-0000-4000-8000-000000000009' }] },
      'channels[0].measurement_id',
    ],
    ['another unit', { channels: [{ channel: 0, unit: 'F' }] }, 'channels[0].unit'],
  ])('refuses %s', async (_, patch, path) => {
    const { inputs } = testDevices();
    const made = await inputs.create(grower, probe);
    const refusal = await refusalOf(inputs.change(grower, made.unique_id, patch));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual(['read_only_field', path]);
    expect(inputs.get(made.unique_id)).toEqual(made);
  });

  it('keeps a series that a house reads', async () => {
    const { inputs, house } = testDevices();
    const made = await inputs.create(grower, probe);
    const [, second] = made.channels;
    const bound = { device_id: made.unique_id, measurement_id: second?.measurement_id ?? '', name: 'T' };
    const { unique_id } = house({ sensors: [{ role: 'rain', ...bound }] });
    const refusal = await refusalOf(inputs.change(grower, made.unique_id, { channels: [{ channel: 0 }] }));
    expect([refusal.code, refusal.members['users']]).toEqual([
      'in_use',
      [{ kind: 'facility', unique_id, name: 'House' }],
    ]);
    const changed = await inputs.change(grower, made.unique_id, { channels: [{ channel: 1 }] });
    expect(changed.channels).toEqual([second]);
  });
});

describe('what becomes of a reading', () => {
  it('is kept as asked and stays where a change does not name it', async () => {
    const { inputs, switch: make } = testDevices();
    const pump = await make();
    const pre_output = { output_id: pump.unique_id.toUpperCase(), channel: 0, lead_s: 5, while_measuring: true };
    const power_output = { output_id: pump.unique_id, off_s: 10 };
    const judged = {
      is_enabled: false,
      scale: { kind: 'linear' as const, factor: 2, offset: -1 },
      raw_unit: 'F',
      plausible_min: -30,
      plausible_max: 60,
      max_rate_per_min: 5,
      resolution: 0.05,
    };
    const made = await inputs.create(grower, {
      name: 'Probe',
      driver: 'simulated',
      start_offset_s: 3,
      pre_output,
      power_output,
      channels: [{ channel: 0, ...judged }],
    });
    expect(inputs.get(made.unique_id)).toMatchObject({
      start_offset_s: 3,
      pre_output: { ...pre_output, output_id: pump.unique_id },
      power_output,
      channels: [judged],
    });
    const changed = await inputs.change(grower, made.unique_id, {
      power_output: null,
      channels: [{ channel: 0, is_enabled: true, max_rate_per_min: null }],
    });
    expect(inputs.get(made.unique_id)).toEqual(changed);
    expect(changed).toEqual({
      ...made,
      power_output: null,
      channels: [{ ...made.channels[0], is_enabled: true, max_rate_per_min: null }],
    });
  });

  it('keeps the output that it needs from being deleted', async () => {
    const { inputs, outputs, switch: make } = testDevices();
    const { unique_id: output_id } = await make();
    const power_output = { output_id, off_s: 10 };
    const { unique_id } = await inputs.create(grower, { name: 'Probe', driver: 'simulated', power_output });
    const refusal = await refusalOf(outputs.remove(grower, output_id));
    expect([refusal.code, refusal.members['users']]).toEqual(['in_use', [{ kind: 'input', unique_id, name: 'Probe' }]]);
  });

  it.each<[string, Partial<InputCreate>, string, string]>([
    [
      'an output that is not there',
      { power_output: { output_id: randomUUID(), off_s: 9 } },
      'unknown_reference',
      'power_output.output_id',
    ],
    [
      'a unit of something else',
      { channels: [{ channel: 0, raw_unit: 'mph' }] },
      'invalid_field',
      'channels[0].raw_unit',
    ],
    [
      'a scale that is no expression',
      { channels: [{ channel: 0, scale: { kind: 'expression' as const, expression: 'x.constructor' } }] },
      'invalid_field',
      'channels[0].scale.expression',
    ],
    [
      'a band that is empty',
      { channels: [{ channel: 0, plausible_min: 5, plausible_max: 5 }] },
      'invalid_field',
      'channels[0].plausible_min',
    ],
  ])('refuses %s', async (_, sent, code, path) => {
    const { inputs } = testDevices();
    const refusal = await refusalOf(inputs.create(grower, { name: 'Sensor', driver: 'simulated', ...sent }));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual([code, path]);
    expect(inputs.list()).toEqual([]);
  });
});

describe('ControllerService', () => {
  it('stores that an input is not to run and has the daemon let it go', async () => {
    const { inputs, controllers, sensor, daemon } = testDevices();
    const { unique_id } = await sensor();
    expect(await controllers.activate(grower, unique_id, false)).toEqual({
      controller_id: unique_id,
      is_activated: false,
    });
    expect(inputs.get(unique_id).is_activated).toBe(false);
    expect(daemon.told.at(-1)).toBe(`controller_refresh ${unique_id}`);
    expect((await refusalOf(controllers.forceMeasurement(unique_id))).code).toBe('not_active');
  });

  it('says so where an output did not confirm that it is safe, or nobody answered', async () => {
    const { controllers, switch: make, daemon } = testDevices();
    const { unique_id } = await make();
    daemon.refusal = 'its device did not confirm its safe state';
    expect(await refusalOf(controllers.activate(grower, unique_id, false))).toMatchObject({
      code: 'command_failed',
      message: daemon.refusal,
    });
    daemon.failure = remoteError('connection_failed');
    expect((await refusalOf(controllers.activate(grower, unique_id, true))).code).toBe('daemon_unreachable');
  });

  it('gives what a forced reading stored', async () => {
    const { controllers, sensor, daemon } = testDevices();
    const { unique_id: device_id, channels } = await sensor();
    const measurement_id = channels[0]?.measurement_id ?? '';
    const reading = {
      device_id,
      measurement_id,
      channel: 0,
      value: 21.5,
      unit: 'C',
      quality: 'good' as const,
      time_ms: 5,
      time: '1970-01-01T00:00:00.005Z',
    };
    daemon.measurements.push(reading);
    expect(await controllers.forceMeasurement(device_id)).toEqual([reading]);
    expect((await refusalOf(controllers.forceMeasurement(randomUUID()))).code).toBe('not_found');
  });
});
