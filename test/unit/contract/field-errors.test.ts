import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modbusOptions } from '../../../server/contract/drivers/modbus.ts';
import { isRefusal } from '../../../server/contract/errors.ts';
import { fieldPath, parseOrRefuse } from '../../../server/contract/field-errors.ts';
import { why } from '../../../server/contract/refusal-reason.ts';
import { triggerCreate } from '../../../server/contract/trigger.ts';
import { userCreate } from '../../../server/contract/user.ts';

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

describe('a user name', () => {
  const userOf = (username: string) => ({ username, password: 'lettuce in winter', role: 'Admin' });
  const errorsOf = (username: string): unknown => {
    try {
      return parseOrRefuse(userCreate, userOf(username)).username;
    } catch (error) {
      return isRefusal(error) ? error.errors : error;
    }
  };

  it.each(['', 'a b', 'kim!', 'x'.repeat(65), 'kim\u{1F331}', 'kim\u2014lee'])(
    '%j is refused once, with its reason',
    (name) => {
      const { message } = why('username_form');
      expect(errorsOf(name)).toEqual([{ path: 'username', code: 'invalid_format', message, why: 'username_form' }]);
    },
  );

  it.each(['kim', '김.철수', '田中_1@-', 'x'.repeat(64)])('%j is taken', (name) => {
    expect(errorsOf(name)).toBe(name);
  });

  it('is published with its form', () => {
    const { pattern = '' } = z.toJSONSchema(userCreate.shape.username);
    expect(['kim', '김', 'a b', 'x'.repeat(65)].map((name) => new RegExp(pattern).test(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
