import { describe, expect, it } from 'vitest';
import {
  modbusInputChannels,
  modbusOutputChannels,
  simulatedInputChannels,
  simulatedOutputChannels,
} from '../../../server/contract/driver-catalogue.ts';
import { modbusOptions, simulatedOptions } from '../../../server/contract/driver-options.ts';

const house = '00000000-0000-4000-8000-000000000001';

describe('channels of the simulated driver', () => {
  it('are one temperature or one switch without options', () => {
    expect(simulatedInputChannels({})).toEqual([{ channel: 0, name: 'Temperature', measurement: 'temperature' }]);
    expect(simulatedOutputChannels({})).toEqual([{ channel: 0, name: 'Switch', kind: 'switch' }]);
  });

  it('are named in words', () => {
    expect(simulatedInputChannels({ house, part: 'indoor' }).map(({ name }) => name)).toEqual([
      'Temperature',
      'Humidity',
      'CO2',
      'Light',
    ]);
    expect(simulatedOutputChannels({ house, part: 'side_vent' })[0]?.name).toBe('Side vent');
  });

  it.each(['heater', 'fan', 'valve'] as const)('are none of an input that is a %s', (part) => {
    expect(simulatedInputChannels({ house, part })).toEqual([]);
  });

  it.each(['indoor', 'weather', 'sensor'] as const)('are none of an output that is a %s', (part) => {
    expect(simulatedOutputChannels({ part })).toEqual([]);
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
    expect(modbusInputChannels(options).map(({ channel, measurement }) => [channel, measurement])).toEqual([
      [1, 'unitless'],
      [2, 'unitless'],
      [3, 'unitless'],
    ]);
  });

  it('drive only what can be written', () => {
    expect(modbusOutputChannels(options).map(({ channel, kind }) => [channel, kind])).toEqual([
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
