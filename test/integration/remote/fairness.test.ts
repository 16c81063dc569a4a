import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { draftFrame, encodeFrame, flag, messageTypes } from '../../../server/remote/frame.ts';
import type { RemoteMethod } from '../../../server/remote/method.ts';
import { json, serpent } from '../../../server/remote/serializer.ts';
import { echo, gate } from './greenhouse.ts';
import { objectName, openProxy, RawPeer, startServer } from './loopback.ts';

const question = (answer: () => unknown): RemoteMethod => ({ parameters: [], handler: async () => answer() });
const times = (count: number, method: string) => Array.from({ length: count }, () => ({ method }));
const admit = (handshake: unknown): string => (handshake === 'token' ? 'server' : 'pyro');
const invoke = (payload: Buffer, flags = 0) =>
  draftFrame({ type: messageTypes.invoke, serializer: serpent.id, flags, payload });

describe('a batch', () => {
  it.each(['hello', 'token'])('of 6,000 calls lets another caller with %s in between', async (handshake) => {
    let calls = 0;
    let answered = Infinity;
    const work = question(() => {
      calls += 1;
      if (calls === 10)
        void openProxy(port, { handshake })
          .call('echo', [1])
          .then(() => (answered = calls));
    });
    const { port } = await startServer({ work, echo }, { admit, trusted: 'server' });
    await openProxy(port, { timeoutMs: 60_000 }).batch(times(6_000, 'work'), { timeoutMs: 60_000 });
    expect(calls).toBe(6_000);
    expect(answered).toBeLessThan(6_000);
  });

  it.each(['serpent', 'json'] as const)(
    'in %s stops where its answer is full, and runs no further call',
    async (serializer) => {
      let calls = 0;
      const long = question(() => {
        calls += 1;
        return 'x'.repeat(1_000);
      });
      const { port } = await startServer({ long }, { limits: { answerBytes: 10_000 } });
      const results = await openProxy(port, { serializer }).batch(times(100, 'long'));
      expect(calls).toBe(10);
      expect(results.slice(0, -1)).toEqual(Array(9).fill({ result: 'x'.repeat(1_000) }));
      expect(results.at(-1)).toMatchObject({ error: { code: 'too_large' } });
    },
  );

  it('whose result cannot be written ends there, and the fault is told to the server', async () => {
    const faults: unknown[] = [];
    const bad = question(() => new URL('http://localhost'));
    const { port } = await startServer({ bad, echo }, { onFault: (error) => faults.push(error) });
    const results = await openProxy(port).batch([{ method: 'echo', positional: [1] }, ...times(2, 'bad')]);
    expect(results).toMatchObject([{ result: 1 }, { error: { code: 'serialize_error' } }]);
    expect(faults).toHaveLength(1);
  });
});

describe('a message of too many values', () => {
  const limits = { values: 1_000, inflatedBytes: 1_000_000 };
  const tuples = `('${objectName}','echo',(${'((),),'.repeat(5_000)}),{})`;
  const escapes = `('${objectName}','echo',('${'\\n'.repeat(5_000)}',),{})`;
  const comments = `${'#\n'.repeat(5_000)}('${objectName}','echo',(1,),{})`;
  const request = (value: string) => `{"object":"${objectName}","method":"echo","params":[${value}],"kwargs":{}}`;

  it.each([
    ['tuples in serpent', serpent, tuples],
    ['escapes in serpent', serpent, escapes],
    ['comments in serpent', serpent, comments],
    ['lists in JSON', json, request('[[]],'.repeat(5_000) + '1')],
    ['escapes in JSON', json, request(`"${'\\n'.repeat(5_000)}"`)],
  ])('%s is refused before it is read to its end', async (_name, serializer, text) => {
    const { port } = await startServer({ echo }, { limits });
    const peer = await RawPeer.greet(port);
    await peer.channel.send({ ...invoke(deflateSync(text), flag.compressed), serializer: serializer.id });
    const answer = await peer.answer();
    expect(serializer.decode(answer.payload)).toMatchObject({
      __class__: 'Pyro5.errors.MessageTooLargeError',
      args: ['message of more than 1000 values'],
    });
    await peer.closed;
  });

  it('is refused in a handshake already', async () => {
    const { port } = await startServer({ echo });
    const peer = await RawPeer.open(port);
    const payload = Buffer.from(`{'handshake':[${'1,'.repeat(2_000)}],'object':'${objectName}'}`);
    const answer = await peer.ask({ type: messageTypes.connect, serializer: serpent.id, payload });
    expect(answer.type).toBe(messageTypes.connectFail);
    await peer.closed;
  });

  it('is not what a batch of thousands is', async () => {
    const { port } = await startServer({ echo });
    const calls = Array.from({ length: 5_000 }, (_, at) => ({ method: 'echo', positional: [at] }));
    expect(await openProxy(port).batch(calls, { timeoutMs: 60_000 })).toHaveLength(5_000);
  });
});

describe('memory of messages', () => {
  const half = () => encodeFrame(invoke(Buffer.alloc(400_000, 32))).subarray(0, -1);

  it('that are half sent is bounded together: who holds most goes, and others are served', async () => {
    const { port } = await startServer({ echo }, { limits: { messageBytes: 1_000_000, requestBytes: 500_000 } });
    const bystander = openProxy(port);
    expect(await bystander.call('echo', [1])).toBe(1);
    const peers: RawPeer[] = [];
    for (let count = 0; count < 3; count += 1) {
      const peer = await RawPeer.greet(port);
      peers.push(peer);
      peer.write(half());
    }
    await Promise.race(peers.map(({ closed }) => closed));
    expect(await bystander.call('echo', [2])).toBe(2);
  });

  it('of answers that nobody takes is bounded too, but for a caller that is trusted', async () => {
    // More than the system itself takes off the sender's hands.
    const long = question(() => 'x'.repeat(15_000_000));
    const limits = { messageBytes: 16_000_000 };
    const { port } = await startServer({ long, echo }, { limits, admit, trusted: 'server' });
    const payload = serpent.encodeInvocation({ object: objectName, method: 'long', positional: [], keywords: {} });
    const peers: RawPeer[] = [];
    for (let count = 0; count < 6; count += 1) {
      const peer = await RawPeer.greet(port);
      peers.push(peer);
      peer.socket.pause();
      peer.write(encodeFrame(invoke(payload)));
    }
    const service = openProxy(port, { handshake: 'token' });
    await expect.poll(() => service.call('long')).toHaveLength(15_000_000);
    for (const peer of peers) peer.socket.resume();
    await Promise.race(peers.map(({ closed }) => closed));
  });

  it('is given back with the connection', async () => {
    const { port } = await startServer({ echo }, { limits: { messageBytes: 1_000_000, requestBytes: 500_000 } });
    for (let round = 0; round < 10; round += 1) {
      const peer = await RawPeer.greet(port);
      await new Promise((resolve) => peer.socket.write(half(), resolve));
      peer.socket.destroy();
      await peer.closed;
    }
    const long = 'x'.repeat(400_000);
    expect(await openProxy(port).call('echo', [long])).toBe(long);
  });
});

describe('places', () => {
  const limits = { connections: 2 };
  const words = async (port: number) => {
    const peer = await RawPeer.open(port);
    const payload = serpent.encode({ handshake: 'hello', object: objectName });
    return serpent.decode((await peer.ask({ type: messageTypes.connect, serializer: serpent.id, payload })).payload);
  };
  const full = 'no free workers, increase server threadpool size';

  it('taken by strangers leave the service its own, as many as it asks for', async () => {
    const { port } = await startServer({ echo }, { limits, admit, trusted: 'server' });
    for (let count = 0; count < 2; count += 1) await RawPeer.greet(port);
    expect(await words(port)).toBe(full);
    for (let count = 0; count < 5; count += 1) {
      expect(await openProxy(port, { handshake: 'token' }).call('echo', [count])).toBe(count);
    }
  });

  it('of the service take none of the others', async () => {
    const { port } = await startServer({ echo }, { limits, admit, trusted: 'server' });
    for (let count = 0; count < 3; count += 1) await openProxy(port, { handshake: 'token' }).call('echo', [1]);
    expect(await openProxy(port).call('echo', [1])).toBe(1);
  });

  it('go to a newcomer from whoever has been silent longest, and never from one that is served', async () => {
    const slow = gate();
    const { port } = await startServer({ slow: slow.method, echo }, { limits: { ...limits, idleMs: 0 } });
    const busy = openProxy(port).call('slow');
    await slow.entered;
    const silent = await RawPeer.greet(port);
    expect(await openProxy(port).call('echo', [1])).toBe(1);
    await silent.closed;
    slow.open();
    expect(await busy).toBe('through');
  });

  it('before the end of a handshake are limited too: the oldest goes', async () => {
    const { port } = await startServer({ echo }, { limits: { pending: 3 } });
    const peers: RawPeer[] = [];
    for (let count = 0; count < 3; count += 1) peers.push(await RawPeer.open(port));
    const [oldest, next] = peers;
    expect(await openProxy(port).call('echo', [1])).toBe(1);
    await oldest?.closed;
    expect(next?.socket.destroyed).toBe(false);
  });
});
