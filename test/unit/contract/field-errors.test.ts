import { describe, expect, it } from 'vitest';
import { modbusOptions } from '../../../server/contract/drivers/modbus.ts';
import { isRefusal } from '../../../server/contract/errors.ts';
import { fieldPath, parseOrRefuse } from '../../../server/contract/field-errors.ts';

import { triggerCreate } from '../../../server/contract/trigger.ts';

function faultsOf(options: unknown): unknown {
  try {
    parseOrRefuse(modbusOptions, options, ['options']);
  } catch (error) {
    if (isRefusal(error)) return [error.code, ...(error.errors ?? []).map(({ path, code }) => `${path} ${code}`)];
    throw error;
  }
  return 'accepted';
}

const register = { channel: 0, table: 'coil', address: 1 };

describe('fieldPath', () => {
  it.each([
    [['sensors', 0, 'device_id'], 'sensors[0].device_id'],
    [['a', 'b'], 'a.b'],
    [[], ''],
  ])('of %j', (keys, path) => {
    expect(fieldPath(keys)).toBe(path);
  });
});

describe('parseOrRefuse', () => {
  it.each([
    ['whole options', { host: 'plc', registers: [register] }, 'accepted'],
    ['a missing field', { registers: [register] }, ['invalid_field', 'options.host required']],
    [
      'an unknown field in a list',
      { host: 'plc', registers: [{ ...register, adress: 2 }] },
      ['unknown_field', 'options.registers[0].adress unknown_field'],
    ],
    [
      'a value out of range',
      { host: 'plc', registers: [{ ...register, address: 70_000 }] },
      ['invalid_field', 'options.registers[0].address too_big'],
    ],
    [
      'two registers of a channel',
      { host: 'plc', registers: [register, register] },
      ['invalid_field', 'options.registers invalid_value'],
    ],
  ])('names %s', (_, options, expected) => {
    expect(faultsOf(options)).toEqual(expected);
  });

  it('names fields that no kind has beside the kind that is none', () => {
    const body = { kind: 'sunset', event: 'sunset', nobody_declared: 1 };
    expect(() => parseOrRefuse(triggerCreate, body)).toThrow(
      expect.objectContaining({ code: 'unknown_field', message: 'nobody_declared is not a known field' }),
    );
  });

  it.each([
    [{ name: 't', kind: 'sunset' }, 'kind must be one of edge, output, output_pwm, sunrise_sunset, time_point'],
    [{ name: 't' }, 'kind is required'],
    [{ name: '', kind: 'interval', period_s: 60 }, 'name must have at least 1 character'],
  ])('says of %j what tells the kinds apart', (body, expected) => {
    expect(() => parseOrRefuse(triggerCreate, body)).toThrow(expected);
  });
});
