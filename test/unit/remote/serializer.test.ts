import { describe, expect, it } from 'vitest';
import { json, serializerOf, serpent } from '../../../server/remote/serializer.ts';
import { Tuple } from '../../../server/remote/tuple.ts';
import { recordedFrames } from './recorded.ts';

const objectName = 'orangery.pyro_server';
const recorded = (name: string) => recordedFrames.find((frame) => frame.name === name)?.payload_text ?? '';

describe('an invocation', () => {
  it.each([
    ['invoke check_daemon', { object: objectName, method: 'check_daemon', positional: [], keywords: {} }],
    ['invoke pid_set', { object: objectName, method: 'pid_set', positional: ['abc', 'setpoint', 21.5], keywords: {} }],
    [
      'batch',
      {
        object: objectName,
        method: '<batch>',
        positional: ['check_daemon', 'output_states_all'].map((name) => new Tuple([name, new Tuple([]), {}])),
        keywords: null,
      },
    ],
  ])('%s is written as Pyro5 writes it', (name, invocation) => {
    expect(serpent.encodeInvocation(invocation).toString()).toBe(recorded(`serpent ${name}`));
    expect(JSON.parse(json.encodeInvocation(invocation).toString())).toEqual(JSON.parse(recorded(`json ${name}`)));
  });

  it.each([serpent, json])('is read back', (serializer) => {
    const invocation = { object: 'o', method: 'm', positional: [1, 'a'], keywords: { b: [2] } };
    expect(serializer.decodeInvocation(serializer.encodeInvocation(invocation))).toEqual(invocation);
  });

  it.each(['None', '(1,2)', "('o','m',(),{},1)", "('o',5,(),{})", "(None,'m',(),{})", "('o','m',None,{})"])(
    'of the form %s is a protocol error',
    (text) => {
      expect(() => serpent.decodeInvocation(Buffer.from(text))).toThrow(
        expect.objectContaining({ code: 'protocol_error' }),
      );
    },
  );

  it.each(['null', '[]', '{"object":"o","method":"m"}', '{"object":"o","params":[],"kwargs":{}}'])(
    'of the form %s is a protocol error',
    (text) => {
      expect(() => json.decodeInvocation(Buffer.from(text))).toThrow(
        expect.objectContaining({ code: 'protocol_error' }),
      );
    },
  );
});

it('marshal, msgpack and unknown serializers do not exist here', () => {
  expect([0, 1, 2, 3, 4, 5, 42].filter((id) => serializerOf(id) !== undefined)).toEqual([1, 3]);
});
