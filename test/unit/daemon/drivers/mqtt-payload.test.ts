import { describe, expect, it } from 'vitest';
import type { MqttActuator } from '../../../../server/contract/drivers/mqtt-options.ts';
import { commandOf, isThere, stateIn } from '../../../../server/daemon/drivers/mqtt/actuator-payload.ts';
import { numberAt, textAt } from '../../../../server/daemon/drivers/payload.ts';

const tasmota = '{"Time":"2026-01-15T12:00:00","AM2301":{"Temperature":21.5,"Humidity":null},"list":[1,"2.5"]}';
const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

describe('the number of a message', () => {
  it.each<[string, string | undefined, number | null | undefined]>([
    ['21.5', undefined, 21.5],
    [' -3e1\n', undefined, -30],
    ['ON', undefined, 1],
    ['false', undefined, 0],
    ['', undefined, null],
    ['NaN', undefined, null],
    ['Infinity', undefined, null],
    ['1e999', undefined, null],
    ['0x10', undefined, null],
    ['12 apples', undefined, null],
    ['{"a":1}', undefined, null],
    [tasmota, 'AM2301.Temperature', 21.5],
    [tasmota, '/AM2301/Temperature', 21.5],
    [tasmota, 'AM2301.Humidity', null],
    [tasmota, 'AM2301', null],
    [tasmota, 'DS18B20.Temperature', undefined],
    [tasmota, 'list.1', 2.5],
    [tasmota, 'list.length', undefined],
    [tasmota, 'constructor.name', undefined],
    ['{"__proto__":{"x":7}}', '__proto__.x', 7],
    ['{"a/b":{"~":4}}', '/a~1b/~0', 4],
    ['{"on":true}', 'on', 1],
    ['{"x":1e999}', 'x', null],
    ['no json', 'x', null],
    [deep, 'x', undefined],
    ['7'.repeat(70_000), undefined, null],
  ])('%.40j at %s', (message, path, number) => {
    expect(numberAt(Buffer.from(message), path)).toBe(number);
  });

  it('is none in bytes that are no text', () => {
    expect(numberAt(Buffer.from([0xff, 0x00, 0xfe]), undefined)).toBeNull();
    expect(textAt(Buffer.from([0xff]), 'x')).toBeNull();
  });
});

const relay: MqttActuator = { channel: 0, kind: 'switch', command_topic: 'c', state_topic: 's' };
const light: MqttActuator = {
  ...relay,
  kind: 'dimmer',
  value_max: 255,
  off_payload: '{"state":"OFF"}',
  state_off: 'OFF',
  value_payload: '{"state":"ON","brightness":{value}}',
  state_path: 'state',
  value_path: 'brightness',
};
const blind: MqttActuator = { ...relay, kind: 'dimmer' };
const fraction: MqttActuator = { ...relay, kind: 'dimmer', value_max: 1 };

describe('a command', () => {
  it.each([
    [relay, 'on', 'ON'],
    [relay, 'off', 'OFF'],
    [{ ...relay, on_payload: '1', off_payload: '0' }, 'off', '0'],
    [light, 50, '{"state":"ON","brightness":128}'],
    [light, 'on', '{"state":"ON","brightness":255}'],
    [light, 'off', '{"state":"OFF"}'],
    [blind, 'off', '0'],
    [blind, 33.4, '33'],
    [fraction, 12.34, '0.123'],
  ] as const)('%j to %s', (actuator, value, payload) => {
    expect(commandOf(actuator, value)).toBe(payload);
  });
});

describe('a state', () => {
  it.each([
    [relay, 'ON', 'on'],
    [relay, 'OFF', 'off'],
    [relay, 'on', null],
    [relay, '', null],
    [{ ...relay, state_path: 'output', state_on: 'true', state_off: 'false' }, '{"output":true}', 'on'],
    [{ ...relay, state_path: 'output', state_on: 'true', state_off: 'false' }, '{"apower":0}', undefined],
    [light, '{"state":"ON","brightness":51}', 20],
    [light, '{"state":"OFF","brightness":51}', 'off'],
    [light, '{"state":"ON","brightness":999}', null],
    [light, '{"state":"ON"}', undefined],
    [blind, '0', 'off'],
    [blind, '-1', null],
    [blind, 'opening', null],
  ] as const)('%j says %s', (actuator, payload, state) => {
    expect(stateIn(actuator, Buffer.from(payload))).toBe(state);
  });

  it.each([
    [relay, 'on', 'on', true],
    [relay, 'off', 'on', false],
    [light, (128 / 255) * 100, 50, true],
    [light, (127 / 255) * 100, 50, false],
    [blind, 'off', 0, true],
    [blind, 99, 'on', false],
  ] as const)('%j at %s is where %s was asked for: %s', (actuator, state, told, there) => {
    expect(isThere(actuator, state, told)).toBe(there);
  });
});
