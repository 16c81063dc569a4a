import { describe, expect, it } from 'vitest';
import {
  endsConnection,
  exceptionFromWire,
  exceptionToWire,
  protocolError,
  publicError,
  RemoteError,
  serializeError,
  tooLarge,
} from '../../../server/remote/exception.ts';
import { decodeSerpent, encodeSerpent } from '../../../server/remote/serpent.ts';
import { recordedFrames } from './recorded.ts';

const recorded = (name: string) => recordedFrames.find((frame) => frame.name === name)?.payload_text ?? '';

describe('an exception', () => {
  it('is written as it was recorded, without a traceback', () => {
    const error = new RemoteError('not_found', 'no such output');
    expect(encodeSerpent(exceptionToWire(error)).toString()).toBe(recorded('serpent exception'));
  });

  it('is read with its code', () => {
    const error = exceptionFromWire(decodeSerpent(Buffer.from(recorded('serpent exception'))));
    expect(error).toMatchObject({
      code: 'not_found',
      message: 'no such output',
      remote_class: 'Pyro5.errors.PyroError',
    });
  });

  it('of another class keeps it, and its arguments as text', () => {
    const error = exceptionFromWire(decodeSerpent(Buffer.from(recorded('serpent exception builtin'))));
    expect(error).toMatchObject({ code: 'remote_error', message: 'bad value, 3', remote_class: 'builtins.ValueError' });
  });

  it('in a batch begins with its code, which the reader takes off again', () => {
    const wire = exceptionToWire(new RemoteError('not_found', 'no such output'), true);
    expect(wire.args).toMatchObject({ items: ['not_found: no such output'] });
    expect(exceptionFromWire(decodeSerpent(encodeSerpent(wire))).message).toBe('no such output');
  });

  it('of a class that Python could not rebuild leaves as PyroError', () => {
    const wire = exceptionToWire(new RemoteError('remote_error', 'x', { remote_class: 'builtins.SystemExit' }));
    expect(wire.__class__).toBe('Pyro5.errors.PyroError');
  });

  it.each([[null], ['text'], [[1]], [{}], [{ args: 'x', attributes: [] }], [{ args: [{}] }]])(
    'is an error whatever %j says',
    (value) => {
      expect(exceptionFromWire(value)).toMatchObject({ name: 'RemoteError', code: 'remote_error' });
    },
  );
});

describe('what a handler throws', () => {
  it('is shown when it has a code meant for others', () => {
    const thrown = Object.assign(new Error('driven by a PID'), { code: 'output_driven' });
    expect(publicError(thrown)).toMatchObject({ code: 'output_driven', message: 'driven by a PID' });
  });

  it.each([new Error('bug'), Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'text', undefined])(
    'is hidden: %o',
    (thrown) => {
      expect(publicError(thrown)).toBe(undefined);
    },
  );
});

it.each([
  [protocolError('x'), true],
  [serializeError('x'), true],
  [tooLarge('x'), true],
  [new RemoteError('not_found', 'x'), false],
  [new RemoteError('not_found', 'x', { remote_class: 'Pyro5.errors.DaemonError' }), false],
])('%s ends the connection: %s', (error, ends) => {
  expect(endsConnection(error)).toBe(ends);
});
