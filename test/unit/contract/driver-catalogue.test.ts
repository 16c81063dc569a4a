import { describe, expect, it } from 'vitest';
import { http, httpOptions } from '../../../server/contract/drivers/http.ts';
import { modbus, modbusOptions } from '../../../server/contract/drivers/modbus.ts';
import { simulated, simulatedOptions } from '../../../server/contract/drivers/simulated.ts';

const house = '00000000-0000-4000-8000-000000000001';

describe('channels of the simulated driver', () => {
  it('are one temperature or one switch without options', () => {
    expect(simulated.input({})).toEqual([{ channel: 0, name: 'Temperature', measurement: 'temperature' }]);
    expect(simulated.output({})).toEqual([{ channel: 0, name: 'Switch', kind: 'switch' }]);
  });

  it('are named in words', () => {
    expect(simulated.input({ house, part: 'indoor' }).map(({ name }) => name)).toEqual([
      'Temperature',
      'Humidity',
      'CO2',
      'Light',
    ]);
    expect(simulated.output({ house, part: 'side_vent' })[0]?.name).toBe('Side vent');
  });

  it.each(['heater', 'fan', 'valve'] as const)('are none of an input that is a %s', (part) => {
    expect(simulated.input({ house, part })).toEqual([]);
  });

  it.each(['indoor', 'weather', 'sensor'] as const)('are none of an output that is a %s', (part) => {
    expect(simulated.output({ part })).toEqual([]);
  });
});

describe('channels of the modbus driver', () => {
  const options = modbusOptions.parse({
    host: 'plc',
    registers: [
      { channel: 3, table: 'holding', address: 0 },
      { channel: 1, table: 'coil', address: 0 },
      { channel: 2, table: 'input', address: 0 },
    ],
  });

  it('are bare numbers of every register, in order', () => {
    expect(modbus.input(options).map(({ channel, measurement }) => [channel, measurement])).toEqual([
      [1, 'unitless'],
      [2, 'unitless'],
      [3, 'unitless'],
    ]);
  });

  it('drive only what can be written', () => {
    expect(modbus.output(options).map(({ channel, kind }) => [channel, kind])).toEqual([
      [1, 'switch'],
      [3, 'dimmer'],
    ]);
  });
});

describe('the options', () => {
  it.each([
    [{}, true],
    [{ part: 'sensor' }, true],
    [{ house, part: 'heater' }, true],
    [{ house }, false],
    [{ part: 'heater' }, false],
    [{ house, part: 'switch' }, false],
    [{ speed: 0 }, false],
  ])('simulated %j: %s', (options, isFine) => {
    expect(simulatedOptions.safeParse(options).success).toBe(isFine);
  });
});

describe('channels of the http driver', () => {
  const options = {
    base_url: 'http://10.0.0.5',
    channels: [
      { channel: 2, command_path: '/relay?turn={state}' },
      { channel: 1, read_path: '/t' },
      { channel: 0, command_path: '/position', command_body: '{value}' },
    ],
  };

  it('are read where they have a path, and driven where they have a command', () => {
    const parsed = httpOptions.parse(options);
    expect(http.input(parsed).map(({ channel }) => channel)).toEqual([1]);
    expect(http.output(parsed).map(({ channel, kind }) => [channel, kind])).toEqual([
      [0, 'dimmer'],
      [2, 'switch'],
    ]);
  });

  it.each([
    ['an address with a password', { base_url: 'http://u:p@10.0.0.5' }],
    ['an address with a query', { base_url: 'http://10.0.0.5/?a=1' }],
    ['another protocol', { base_url: 'file:///etc/passwd' }],
    ['a path that could be another host', { read_path: '@evil.example/' }],
    ['a path with a space, which would end the request line', { read_path: '/a HTTP/1.1' }],
    ['a user name with a colon', { username: 'a:b' }],
    ['a certificate that is none', { ca: 'trust me' }],
    ['two entries of a channel', { channels: [{ channel: 0 }, { channel: 0 }] }],
  ])('are not those of %s', (_, wrong) => {
    expect(httpOptions.safeParse({ ...options, ...wrong }).success).toBe(false);
  });
});
