import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { draftFrame, encodeFrame, flag, messageTypes, type FrameDraft } from '../../../server/remote/frame.ts';
import { decodeRefusal } from '../../../server/remote/refusal.ts';
import { json, serpent } from '../../../server/remote/serializer.ts';
import type { RemoteServerLimits } from '../../../server/remote/server.ts';
import { loopback, objectName, openProxy, RawPeer, startServer } from './loopback.ts';

const echo = { parameters: [{ name: 'value' }], handler: async ({ value }: Record<string, unknown>) => value };
const tightLimits: Partial<RemoteServerLimits> = { handshakeMs: 400, frameMs: 400, inflatedBytes: 100_000 };

const bytes = (draft: FrameDraft) => encodeFrame(draftFrame(draft));
const patched = (frame: Buffer, at: number, ...values: number[]) => {
  Buffer.from(values).copy(frame, at);
  return frame;
};
const invocation = (value: unknown) =>
  serpent.encodeInvocation({ object: objectName, method: 'echo', positional: [value], keywords: {} });
const invoke = (payload: Buffer, more: Partial<FrameDraft> = {}) => bytes({ type: 4, serializer: 1, payload, ...more });
const greeting = (payload: Buffer, more: Partial<FrameDraft> = {}) =>
  bytes({ type: 1, serializer: 1, payload, ...more });
const hello = serpent.encode({ handshake: 'hello', object: objectName });

/** A server with one well-behaved client that must not notice what the hostile one does. */
async function siege() {
  const faults: unknown[] = [];
  const { port } = await startServer({ echo }, { limits: tightLimits, onFault: (error) => faults.push(error) });
  const bystander = openProxy(port);
  await bystander.call('echo', ['before']);
  const unharmed = async () => {
    expect(await bystander.call('echo', ['after'])).toBe('after');
    expect(await openProxy(port).call('echo', ['newcomer'])).toBe('newcomer');
    expect(faults).toEqual([]);
  };
  return { port, unharmed };
}

describe('before the handshake', () => {
  it.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'not a remote object message'],
    ['a wrong version', patched(greeting(hello), 5, 0xf7), 'protocol version 503 is not supported'],
    ['a wrong magic', patched(greeting(hello), 38, 0, 0), 'wrong magic number'],
    ['a huge length', patched(greeting(hello), 12, 0xff, 0xff, 0xff, 0xff), 'message longer than 65536 bytes'],
    ['huge annotations', patched(greeting(hello), 16, 0xff, 0xff, 0xff, 0xff), 'message longer than 65536 bytes'],
    ['no CONNECT', invoke(invocation(1)), 'invalid msg type 4 received (expected: 1)'],
    ['marshal', greeting(hello, { serializer: 2 }), 'serializer 2 is not accepted; use serpent or json'],
    ['msgpack', greeting(hello, { serializer: 4 }), 'serializer 4 is not accepted; use serpent or json'],
    [
      'an unknown serializer',
      greeting(hello, { serializer: 99 }),
      'serializer 99 is not accepted; use serpent or json',
    ],
    ['code', greeting(Buffer.from("__import__('os')")), 'serpent text, character 0: names and calls are not literals'],
    [
      'a bomb',
      greeting(deflateSync(Buffer.alloc(10_000_000, 32)), { flags: flag.compressed }),
      'message inflates to more than 65536 bytes',
    ],
  ])('%s is refused in words', async (_name, message, words) => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.open(port);
    peer.write(message);
    const refusal = await peer.answer();
    expect(refusal).toMatchObject({ type: messageTypes.connectFail, serializer: 2, seq: 0 });
    expect(decodeRefusal(refusal.payload)).toBe(words);
    await peer.closed;
    await unharmed();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['five bytes', greeting(hello).subarray(0, 5)],
    ['half a header', greeting(hello).subarray(0, 20)],
    ['half a message', greeting(hello).subarray(0, 60)],
  ])('%s and then silence ends with the time for it', async (_name, message) => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.open(port);
    peer.write(message);
    await peer.closed;
    await unharmed();
  });

  it('a byte now and then does not prolong the time', async () => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.open(port);
    const drip = setInterval(() => peer.write(Buffer.from('P')), 20);
    peer.write(greeting(hello).subarray(0, 50));
    await peer.closed;
    clearInterval(drip);
    await unharmed();
  });

  it('a hang-up in the middle is no fault', async () => {
    const { port, unharmed } = await siege();
    for (let round = 0; round < 20; round += 1) {
      const socket = connect({ host: loopback, port });
      socket.write(greeting(hello).subarray(0, 45), () => socket.resetAndDestroy());
      await new Promise((resolve) => socket.once('close', resolve));
    }
    await unharmed();
  });
});

describe('after the handshake', () => {
  it.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a wrong magic', patched(invoke(invocation(1)), 38, 0, 0)],
    ['a wrong version', patched(invoke(invocation(1)), 4, 0, 1)],
    ['a huge length', patched(invoke(invocation(1)), 12, 0xff, 0xff, 0xff, 0xff)],
    ['one byte above the limit', patched(invoke(invocation(1)), 12, 1, 0, 0, 1)],
    ['a second CONNECT', greeting(hello)],
    ['a RESULT', bytes({ type: 5, serializer: 1, payload: Buffer.from('None') })],
    ['marshal', invoke(Buffer.from([0xfa, 0]), { serializer: 2 })],
    ['an unknown serializer', invoke(invocation(1), { serializer: 77 })],
    ['a torn annotation', patched(invoke(Buffer.from('TESTx')), 12, 0, 0, 0, 0, 0, 0, 0, 5)],
    ['a oneway call that cannot be read', invoke(Buffer.from('('), { flags: flag.oneway })],
    ['half a message', invoke(invocation(1)).subarray(0, 60)],
  ])('%s closes the connection', async (_name, message) => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.greet(port);
    peer.write(message);
    await expect(peer.answer()).rejects.toThrow('closed instead of an answer');
    await peer.closed;
    await unharmed();
  });

  it.each([
    ['deep nesting', invoke(Buffer.from(`('${objectName}','echo',(${'['.repeat(500_000)}`)), 'SerializeError'],
    ['a call in the arguments', invoke(Buffer.from(`('${objectName}','echo',(exit(),),{})`)), 'SerializeError'],
    ['a NUL', invoke(Buffer.from(`('${objectName}','echo',('\0',),{})`)), 'SerializeError'],
    [
      'a zip bomb',
      invoke(deflateSync(Buffer.alloc(50_000_000, 32)), { flags: flag.compressed }),
      'MessageTooLargeError',
    ],
    ['damaged compression', invoke(Buffer.from('none'), { flags: flag.compressed }), 'ProtocolError'],
    ['no invocation', invoke(Buffer.from('5')), 'ProtocolError'],
  ])('%s is named, and the connection closed', async (_name, message, errorClass) => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.greet(port);
    peer.write(message);
    const answer = await peer.answer();
    expect(answer).toMatchObject({ type: messageTypes.result, flags: flag.exception | flag.correlation });
    expect(serpent.decode(answer.payload)).toMatchObject({ __class__: `Pyro5.errors.${errorClass}` });
    await peer.closed;
    await unharmed();
  });

  it('deep nesting in JSON is named too', async () => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.greet(port);
    const answer = await peer.ask({ type: 4, serializer: 3, payload: Buffer.from('{"a":'.repeat(100_000)) });
    expect(json.decode(answer.payload)).toMatchObject({ __class__: 'Pyro5.errors.SerializeError' });
    await unharmed();
  });

  it('an idle connection may stay', async () => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.greet(port);
    const stalled = await RawPeer.open(port);
    await stalled.closed;
    expect((await peer.ask({ type: 4, serializer: 1, payload: invocation('still here') })).type).toBe(
      messageTypes.result,
    );
    await unharmed();
  });

  it('prototype names in arguments touch nothing', async () => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.greet(port);
    const text = `('${objectName}','echo',({'__proto__':{'polluted':True}},),{})`;
    const answer = await peer.ask({ type: 4, serializer: 1, payload: Buffer.from(text) });
    expect(answer.payload.toString()).toContain("{'__proto__':{'polluted':True}}");
    expect('polluted' in {}).toBe(false);
    await unharmed();
  });

  it('thousands of messages sent ahead are answered in order', async () => {
    const { port, unharmed } = await siege();
    const peer = await RawPeer.greet(port);
    const ping = { type: messageTypes.ping, serializer: 42, payload: Buffer.from('ping') };
    peer.write(Buffer.concat(Array.from({ length: 5000 }, (_, seq) => bytes({ ...ping, seq }))));
    for (let seq = 0; seq < 5000; seq += 1) expect((await peer.answer()).seq).toBe(seq);
    await unharmed();
  });
});
