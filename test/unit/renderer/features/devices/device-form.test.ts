import { describe, expect, it } from 'vitest';
import {
  channelSchema,
  createBody,
  formOf,
  offersOf,
  patchBody,
  settingsSchema,
  type DeviceForm,
} from '../../../../../renderer/features/devices/form/device-form.ts';
import { faultsOf } from '../../../../../renderer/features/devices/form/field-faults.ts';
import { isOffered, isShown, numbered, withEntry } from '../../../../../renderer/features/devices/form/field-rules.ts';
import { emptyOf, kindOf, schemaOf } from '../../../../../renderer/features/devices/form/option-schema.ts';
import type { Translate } from '../../../../../renderer/i18n/index.ts';
import { matches } from '../../../../../renderer/features/devices/device-filter.ts';
import { modbusOptions } from '../../../../../server/contract/drivers/modbus.ts';
import { displayOptions } from '../../../../../server/contract/drivers/virtual.ts';
import { functionCreate } from '../../../../../server/contract/function.ts';
import { httpOptions } from '../../../../../server/contract/drivers/http.ts';
import { inputCreate, inputPatch, type Input } from '../../../../../server/contract/input.ts';
import { outputCreate, outputPatch, type Output } from '../../../../../server/contract/output.ts';

const modbus = schemaOf(modbusOptions);
const register = { channel: 0, table: 'holding', address: 4 };
const form: DeviceForm = {
  kind: 'input',
  name: ' Boiler ',
  driver: 'modbus',
  settings: { period_s: 5 },
  options: { host: 'plc', registers: [register, { ...register, channel: 1 }] },
  channels: { 0: { measurement: 'temperature', name: 'Flow' } },
};
const id = '00000000-0000-4000-8000-000000000001';
const unjudged = {
  is_enabled: true,
  scale: null,
  raw_unit: null,
  plausible_min: null,
  plausible_max: null,
  max_rate_per_min: null,
  resolution: null,
};

describe('the form of a device', () => {
  it('asks for a body that the contract takes, with every channel that the options give', () => {
    const body = createBody(form);
    expect(inputCreate.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ name: 'Boiler', period_s: 5 });
    expect(body['channels']).toEqual([{ channel: 0, measurement: 'temperature', name: 'Flow' }, { channel: 1 }]);
    expect(outputCreate.safeParse(createBody({ ...form, kind: 'output', settings: {}, channels: {} })).success).toBe(
      true,
    );
  });

  it('leaves the channels to the server while the options are not whole', () => {
    const unfinished = { ...form, options: { registers: [register] } };
    expect(offersOf(unfinished)).toBeNull();
    expect(createBody(unfinished)).not.toHaveProperty('channels');
  });

  it('shows what is stored, and changes only that', () => {
    const channel = {
      channel: 0,
      name: 'Flow',
      measurement_id: id,
      measurement: 'temperature',
      unit: 'C',
      ...unjudged,
    } as const;
    const options = { host: 'plc', unit_id: 3, registers: [register] };
    const input: Input = {
      unique_id: id,
      name: 'Boiler',
      driver: 'modbus',
      options,
      period_s: 5,
      is_activated: true,
      start_offset_s: 0,
      pre_output: null,
      power_output: null,
      channels: [channel],
    };
    const read = formOf('input', input);
    expect(read.channels).toEqual({ 0: { name: 'Flow', measurement: 'temperature', is_enabled: true } });
    const { unit_id: _, ...left } = read.options;
    const body = patchBody({ ...read, options: left }, input);
    expect(inputPatch.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ options: { host: 'plc', unit_id: null }, period_s: 5, pre_output: null });
  });

  it('takes a limit away that was emptied', () => {
    const channel = { channel: 0, name: 'Pump', kind: 'switch', safe_state: 'off', startup_state: 'safe' } as const;
    const output: Output = {
      unique_id: id,
      name: 'Pump',
      driver: 'simulated',
      options: {},
      is_activated: true,
      channels: [
        {
          ...channel,
          shutdown_state: 'safe',
          min_off_s: 0,
          max_on_s: 60,
          current_a: null,
          flow_ml_s: null,
          pwm_cycle_s: 600,
          pwm_min_on_s: 5,
          motor_close_channel: null,
          motor_travel_s: null,
          motor_slack_s: 0,
        },
      ],
    };
    const read = formOf('output', output);
    const { max_on_s: _, pwm_cycle_s: __, ...kept } = read.channels[0] ?? {};
    const body = patchBody({ ...read, channels: { 0: kept } }, output);
    expect(outputPatch.safeParse(body).error).toBeUndefined();
    expect(body['channels']).toMatchObject([
      { channel: 0, max_on_s: null, safe_state: 'off', pwm_cycle_s: null, pwm_min_on_s: 5 },
    ]);
  });

  it('has a field for all that can be set, and none for what cannot', () => {
    expect(Object.keys(settingsSchema('input').properties ?? {})).toContain('period_s');
    const fields = Object.keys(channelSchema('output').properties ?? {});
    expect(fields).toEqual(expect.arrayContaining(['name', 'safe_state', 'min_off_s', 'max_on_s']));
    expect(fields).not.toContain('channel');
    for (const schema of Object.values(channelSchema('output').properties ?? {})) expect(kindOf(schema)).toBeTruthy();
  });
});

describe('a schema', () => {
  it('begins with what must be there', () => {
    expect(emptyOf(modbus)).toEqual({ registers: [{ channel: 0, table: 'holding', address: 0 }] });
    expect(emptyOf(schemaOf(displayOptions))).toEqual({});
  });

  it.each([
    ['nothing', {}, 'host', 'required'],
    ['a host that is none', { host: 'http://plc' }, 'host', 'form'],
    ['a host with a space', { host: 'my plc' }, 'host', 'form'],
    ['a port too large', { host: 'plc', port: 70_000 }, 'port', 'range'],
    ['half a port', { host: 'plc', port: 1.5 }, 'port', 'whole'],
    [
      'a register without an address',
      { registers: [{ channel: 0, table: 'coil' }] },
      'registers[0].address',
      'required',
    ],
    ['no register', { registers: [] }, 'registers', 'too_few'],
  ])('finds %s', (_, options, path, fault) => {
    expect(faultsOf(modbus, options).get(path)).toBe(fault);
  });

  it.each(['plc', 'plc-1.farm.local', '192.0.2.7', 'fe80::1%eth0', '::1'])('takes the host %s', (host) => {
    expect(faultsOf(modbus, { host, registers: [register] }).size).toBe(0);
  });

  it('of a variant judges the branch that was chosen', () => {
    const line_sets = [[{ kind: 'time' }, { kind: 'measurement', label: 'Air' }]];
    expect([...faultsOf(schemaOf(displayOptions), { line_sets }).keys()]).toEqual([
      'line_sets[0][1].device_id',
      'line_sets[0][1].measurement_id',
    ]);
  });
});

describe('fields of pH and EC dosing', () => {
  const dosing = schemaOf(functionCreate);
  const pump = { output_id: '7f8a0a3e-5a63-4a1c-9a9f-6f0f5b4c2d11' };
  const faultAt = (options: object) => faultsOf(dosing, { kind: 'dosing', options }).get('options.raise_ml');

  it('ask for the dose of a pump that there is, and of no other', () => {
    expect([isShown('raise_ml', {}, null), isShown('raise_ml', { raise_output: pump }, null)]).toEqual([false, true]);
    expect([faultAt({}), faultAt({ raise_output: pump })]).toEqual([undefined, 'required']);
  });

  it('forget the dose with its pump', () => {
    const both = { raise_output: pump, raise_ml: 5, lower_ml: 3 };
    expect(withEntry(both, 'raise_output', undefined)).toEqual({ lower_ml: 3 });
    expect(withEntry(both, 'raise_output', { output_id: 'other' })).toMatchObject({ raise_ml: 5 });
  });
});

describe('fields of an action', () => {
  it('ask for no time on where an output is turned off', () => {
    expect(isShown('duration_s', { state: false }, null)).toBe(false);
    expect(withEntry({ state: true, duration_s: 60 }, 'state', false)).toEqual({ state: false });
  });
});

describe('fields of Modbus registers', () => {
  it('are those that a bit, a word or two words have', () => {
    expect(isShown('scale', { table: 'coil' }, 'input')).toBe(false);
    expect(isShown('word_order', { table: 'holding', type: 'float32' }, 'input')).toBe(true);
    expect(isShown('word_order', { table: 'holding', type: 'int16' }, 'input')).toBe(false);
    expect([isOffered('table', 'discrete', 'output'), isOffered('table', 'discrete', 'input')]).toEqual([false, true]);
  });

  it('number a new one by themselves', () => {
    expect(numbered('registers', { channel: 0, address: 0 }, [{ channel: 0 }, { channel: 4 }])).toEqual({
      channel: 5,
      address: 0,
    });
  });
});

describe('fields of an HTTP device', () => {
  const http = schemaOf(httpOptions);
  const options = { base_url: 'http://10.0.0.5', read_path: '/', channels: [{ channel: 0 }] };

  it('have a secret that is typed or kept', () => {
    expect(kindOf(http.properties?.['password'] ?? {})).toBe('secret');
    for (const password of ['k3y', { set: true }]) expect(faultsOf(http, { ...options, password }).size).toBe(0);
  });

  it('ask for a command where the device is to switch, and for a body where one is sent', () => {
    const command = { channel: 0, command_path: '/relay' };
    expect(isShown('command_path', command, 'input')).toBe(false);
    expect(isShown('command_body', { channel: 0 }, 'output')).toBe(false);
    expect(isShown('command_body', command, 'output')).toBe(true);
    expect(isShown('command_body', { ...command, command_method: 'GET' }, 'output')).toBe(false);
    expect([isShown('channel', command, 'output'), isShown('channel', { output_id: id }, 'input')]).toEqual([
      false,
      true,
    ]);
  });

  it('give the channels that are read, or commanded', () => {
    const driver = 'http';
    const commanded = { ...options, channels: [{ channel: 2 }, { channel: 1, command_path: '/{value}' }] };
    expect(offersOf({ ...form, driver, options: commanded })?.map(({ channel }) => channel)).toEqual([1, 2]);
    expect(offersOf({ ...form, kind: 'output', driver, options: commanded })).toMatchObject([
      { channel: 1, kind: 'dimmer' },
    ]);
    expect(offersOf({ ...form, driver, options: {} })).toBeNull();
  });
});

describe('matches', () => {
  const device = {
    unique_id: id,
    kind: 'input' as const,
    name: 'North house',
    driver: 'modbus',
    is_activated: true,
    locations: [],
    channels: [
      { channel: 0, name: 'Temperature' },
      { channel: 1, name: 'Channel 1' },
    ],
  };
  const t: Translate = (key, { n } = {}) => (key === 'devices.driverChannel.numbered' ? `채널 ${String(n)}` : key);
  it.each([
    ['north temp', 'all', true],
    ['west temp', 'all', true],
    ['north co2', 'all', false],
    ['채널 1', 'all', true],
    [null, 'failed', true],
    ['', 'inactive', false],
    ['', 'output', false],
  ] as const)('finds by %s and %s: %s', (sought, filter, isFound) => {
    expect(matches(device, { sought, filter, hasFailed: true, house: 'West wing', t })).toBe(isFound);
  });
});
