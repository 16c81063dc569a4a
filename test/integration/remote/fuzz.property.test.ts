import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draftFrame, encodeFrame } from '../../../server/remote/frame.ts';
import { RemoteError } from '../../../server/remote/exception.ts';
import { json, serpent } from '../../../server/remote/serializer.ts';
import { recordedFrames } from '../../unit/remote/recorded.ts';
import { loopback, openProxy, startServer } from './loopback.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const requests = recordedFrames
  .filter(({ type }) => type === 1 || type === 4 || type === 6)
  .map(({ hex }) => Buffer.from(hex, 'hex'));
const greeting = requests[0] ?? Buffer.alloc(0);
const echo = { parameters: [{ name: 'value' }], handler: async ({ value }: Record<string, unknown>) => value };

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** One harm done to the bytes of a message. */
const harm = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), place, value: fc.nat(255) }),
  fc.record({ kind: fc.constant('cut' as const), place }),
  fc.record({ kind: fc.constant('insert' as const), place, bytes: fc.uint8Array({ maxLength: 60 }) }),
  fc.record({ kind: fc.constant('length' as const), field: fc.constantFrom(12, 16), value: fc.nat(0xffff_ffff) }),
  fc.record({ kind: fc.constant('flags' as const), value: fc.nat(0xff) }),
);
type Harm = typeof harm extends fc.Arbitrary<infer T> ? T : never;

function harmed(message: Buffer, done: Harm): Buffer {
  const bytes = Buffer.from(message);
  if (bytes.length < 40) return bytes;
  const at = 'place' in done ? Math.floor(done.place * bytes.length) : 0;
  switch (done.kind) {
    case 'byte':
      bytes[at] = done.value;
      return bytes;
    case 'cut':
      return bytes.subarray(0, at);
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), done.bytes, bytes.subarray(at)]);
    case 'length':
      bytes.writeUInt32BE(done.value, done.field);
      return bytes;
    case 'flags':
      bytes.writeUInt16BE(done.value, 8);
      return bytes;
  }
}

const message = fc
  .tuple(fc.constantFrom(...requests), fc.array(harm, { maxLength: 3 }))
  .map(([recorded, harms]) => harms.reduce(harmed, recorded));

/**
 * Sends, and hangs up unless it wants to hear the answer; resolves with what came back when the server has let go of
 * the connection.
 */
async function attack(port: number, bytes: Buffer, isHeard = false): Promise<string> {
  const socket = connect({ host: loopback, port });
  socket.on('error', () => undefined); // a reset is an answer too
  const answers: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => answers.push(chunk));
  if (isHeard) socket.write(bytes);
  else socket.end(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(answers).toString('latin1');
}

it('whatever is sent, nobody else is harmed and nothing in the server fails', { timeout: 600_000 }, async () => {
  const faults: unknown[] = [];
  const limits = { handshakeMs: 300, frameMs: 300, inflatedBytes: 100_000 };
  const { port } = await startServer({ echo, check_daemon: echo }, { limits, onFault: (error) => faults.push(error) });
  const bystander = openProxy(port);
  await bystander.call('echo', [0]);
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(message, { minLength: 1, maxLength: 4 }), async (isGreeted, messages) => {
      await attack(port, Buffer.concat(isGreeted ? [greeting, ...messages] : messages));
      expect(await bystander.call('echo', [1])).toBe(1);
      expect(faults).toEqual([]);
    }),
    { numRuns: isLong ? 20_000 : 150 },
  );
  expect(await openProxy(port).call('echo', ['newcomer'])).toBe('newcomer');
});

it('any bomb stays below the limit for inflated text', { timeout: 600_000 }, async () => {
  const { port } = await startServer({ echo }, { limits: { inflatedBytes: 50_000 } });
  const bystander = openProxy(port);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 50_001, max: 20_000_000 }), fc.nat(255), async (size, fill) => {
      const payload = deflateSync(Buffer.alloc(size, fill));
      const bomb = encodeFrame(draftFrame({ type: 4, serializer: 1, flags: 2, payload }));
      expect(await attack(port, Buffer.concat([greeting, bomb]), true)).toContain('Pyro5.errors.MessageTooLargeError');
      expect(await bystander.call('echo', [size])).toBe(size);
    }),
    { numRuns: isLong ? 500 : 8 },
  );
});

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'()[]{},:\'"\\ \n#bNaInfTrueFalse0123456789.e+-jx_'), maxLength: 80 }),
  fc.constantFrom('[', '{"a":', "{'a':", '(').chain((open) => fc.nat(5_000).map((count) => open.repeat(count))),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

it.each([
  ['serpent', serpent],
  ['JSON', json],
])('%s reads any text or refuses it in words', { timeout: 600_000 }, (_name, serializer) => {
  fc.assert(
    fc.property(text, (given) => {
      try {
        serializer.decode(Buffer.from(given, 'utf8'));
      } catch (error) {
        expect(error).toBeInstanceOf(RemoteError);
        expect(error).toMatchObject({ code: 'serialize_error' });
      }
    }),
    { numRuns: isLong ? 200_000 : 2_000 },
  );
});
