import { createServer } from 'node:net';
import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RemoteProxy } from '../../../server/remote/client.ts';
import { draftFrame, flag, messageTypes, type Frame, type FrameDraft } from '../../../server/remote/frame.ts';
import type { RemoteMethod } from '../../../server/remote/method.ts';
import { encodeRefusal } from '../../../server/remote/refusal.ts';
import { RemoteServer } from '../../../server/remote/server.ts';
import { json, serpent } from '../../../server/remote/serializer.ts';
import { acceptHandshake, loopback, objectName, openProxy, RawPeer, startRawServer, startServer } from './loopback.ts';

const echo: RemoteMethod = { parameters: [{ name: 'value' }], handler: async ({ value }) => value };

const result = (request: Frame, value: unknown, more: Partial<FrameDraft> = {}) =>
  draftFrame({
    type: messageTypes.result,
    serializer: request.serializer,
    seq: request.seq,
    payload: serpent.encode(value),
    ...more,
  });

/** Shakes hands and answers each request by `answer`. */
function answering(answer: (request: Frame, peer: RawPeer) => Promise<void>) {
  return startRawServer(async (peer) => {
    await acceptHandshake(peer);
    for (;;) await answer(await peer.answer(), peer);
  });
}

describe('values', () => {
  it.each(['serpent', 'json'] as const)('go there and back in %s', async (serializer) => {
    const { port } = await startServer({ echo });
    const proxy = openProxy(port, { serializer });
    for (const value of [null, true, 5, -2.5, 'it\'s "온실" \u0001', [1, [2]], { a: { b: null } }]) {
      expect(await proxy.call('echo', [value])).toEqual(value);
    }
  });

  it('that only serpent has, too', async () => {
    const { port } = await startServer({ echo });
    const proxy = openProxy(port);
    for (const value of [new Map([[0, 'off']]), new Uint8Array([1, 2]), 2n ** 64n, NaN, new Set([1])]) {
      expect(await proxy.call('echo', [value])).toStrictEqual(value);
    }
  });

  it('that cannot be sent reject, and the connection stays', async () => {
    const { port } = await startServer({ echo });
    const proxy = openProxy(port);
    await expect(proxy.call('echo', [() => 1])).rejects.toMatchObject({ code: 'serialize_error' });
    expect(await proxy.call('echo', [1])).toBe(1);
  });
});

describe('calls', () => {
  it('made together go one after the other over one connection', async () => {
    let open = 0;
    let most = 0;
    const peers = new Set<string>();
    const count: RemoteMethod = {
      parameters: [{ name: 'value' }],
      handler: async ({ value }, { peer }) => {
        peers.add(peer);
        open += 1;
        most = Math.max(most, open);
        await new Promise(setImmediate);
        open -= 1;
        return value;
      },
    };
    const { port } = await startServer({ count });
    const proxy = openProxy(port);
    const values = Array.from({ length: 50 }, (_, index) => index);
    expect(await Promise.all(values.map((value) => proxy.call('count', [value])))).toEqual(values);
    expect({ most, connections: peers.size }).toEqual({ most: 1, connections: 1 });
  });

  it('count from 0 with the handshake and wrap after 65535', async () => {
    const seen: number[] = [];
    const [near, far] = duplexPair(); // through a socket so many rounds take a quarter of a minute
    const peer = new RawPeer(far);
    const served = (async () => {
      seen.push((await acceptHandshake(peer)).seq);
      for (;;) {
        const request = await peer.answer();
        if (request.seq < 3 || request.seq > 65_533) seen.push(request.seq);
        await peer.channel.send(draftFrame({ ...request, payload: Buffer.from('pong') }));
      }
    })();
    const proxy = openProxy(1, { connect: async () => near });
    for (let round = 0; round < 65_537; round += 1) await proxy.ping();
    expect(seen).toEqual([0, 1, 2, 65_534, 65_535, 0, 1]);
    far.destroy();
    await expect(served).rejects.toThrow('the connection was closed instead of an answer');
  }, 60_000);

  it('of what the server declared oneway are sent as such', async () => {
    const { promise: flags, resolve } = Promise.withResolvers<number>();
    const port = await startRawServer(async (peer) => {
      await acceptHandshake(peer, ['note']);
      resolve((await peer.answer()).flags);
    });
    expect(await openProxy(port).call('note')).toBe(null);
    expect(await flags).toBe(flag.oneway);
  });

  it('take answers with unknown flags, a correlation id and annotations', async () => {
    const more = {
      flags: 0xff40 & ~flag.compressed,
      correlation: Buffer.alloc(16, 7),
      annotations: new Map([['ABCD', Buffer.from('x')]]),
    };
    const port = await answering(async (request, peer) => peer.channel.send(result(request, 'fine', more)));
    expect(await openProxy(port).call('echo')).toBe('fine');
  });

  it('reject with what a Pyro5 daemon reports', async () => {
    const report = { __class__: 'builtins.ValueError', __exception__: true, args: ['bad value'], attributes: {} };
    const port = await answering(async (request, peer) =>
      peer.channel.send(result(request, report, { flags: flag.exception | flag.correlation })),
    );
    const proxy = openProxy(port);
    const failure = { code: 'remote_error', message: 'bad value', remote_class: 'builtins.ValueError' };
    await expect(proxy.call('echo')).rejects.toMatchObject(failure);
    await expect(proxy.call('echo')).rejects.toMatchObject(failure);
  });
});

describe('a wrong answer drops the connection', () => {
  it.each<[string, (request: Frame) => Frame, string]>([
    ['sequence', (request) => result(request, 1, { seq: request.seq + 1 }), 'protocol_error'],
    ['serializer', (request) => result(request, 1, { serializer: 3 }), 'protocol_error'],
    ['type', (request) => result(request, 1, { type: messageTypes.ping }), 'protocol_error'],
    ['payload', (request) => result(request, 1, { payload: Buffer.from('x()') }), 'serialize_error'],
    ['length', (request) => result(request, 'x'.repeat(2000)), 'too_large'],
  ])('%s', async (_name, answer, code) => {
    let connections = 0;
    const port = await startRawServer(async (peer) => {
      connections += 1;
      await acceptHandshake(peer);
      const request = await peer.answer();
      await peer.channel.send(connections === 1 ? answer(request) : result(request, 'better'));
    });
    const proxy = openProxy(port, { maxBytes: 1000 });
    await expect(proxy.call('echo')).rejects.toMatchObject({ name: 'RemoteError', code });
    expect(await proxy.call('echo')).toBe('better');
    expect(connections).toBe(2);
  });
});

describe('a refusal', () => {
  it.each<[string, Partial<FrameDraft>, string]>([
    ['serpent', { serializer: 1, payload: serpent.encode('unknown object') }, 'unknown object'],
    ['marshal', { serializer: 2, payload: encodeRefusal('no way') }, 'no way'],
    ['another serializer', { serializer: 3, payload: json.encode('no way') }, '"no way"'],
    ['no text', { serializer: 1, payload: serpent.encode(5) }, 'refused without a reason'],
  ])('in %s is told in its words', async (_name, more, message) => {
    const port = await startRawServer(async (peer) => {
      await peer.answer();
      await peer.channel.send(
        draftFrame({ type: messageTypes.connectFail, serializer: 1, payload: Buffer.alloc(0), ...more }),
      );
    });
    await expect(openProxy(port).call('echo')).rejects.toMatchObject({ code: 'handshake_refused', message });
  });
});

describe('a lost connection', () => {
  it('that never was is connection_failed', async () => {
    const free = createServer().listen(0, loopback);
    await new Promise((resolve) => free.once('listening', resolve));
    const address = free.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await new Promise((resolve) => free.close(resolve));
    const failure = { code: 'connection_failed', cause: expect.objectContaining({ code: 'ECONNREFUSED' }) as unknown };
    await expect(openProxy(port).call('echo')).rejects.toMatchObject(failure);
  });

  it('in the middle of a call is connection_failed, and the call is not repeated', async () => {
    let calls = 0;
    const port = await answering(async (_request, peer) => {
      calls += 1;
      peer.socket.destroy();
    });
    await expect(openProxy(port).call('echo')).rejects.toMatchObject({ code: 'connection_failed' });
    expect(calls).toBe(1);
  });

  it('is made anew by the next call after the server came back', async () => {
    const first = await startServer({ echo });
    const { port } = first;
    const proxy = openProxy(port);
    expect(await proxy.call('echo', [1])).toBe(1);
    await first.stop();
    await expect(proxy.call('echo', [2])).rejects.toMatchObject({ code: 'connection_failed' });
    const second = new RemoteServer({ objectId: objectName, methods: { echo }, host: loopback, port });
    await second.start();
    expect(await proxy.call('echo', [3])).toBe(3);
    proxy.close();
    await second.stop();
  });
});

describe('the wait for an answer', () => {
  /** Never answers the first request; says when it has it, and when that connection is gone. */
  async function silence() {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: dropped, resolve: onDropped } = Promise.withResolvers<void>();
    let connections = 0;
    const port = await startRawServer(async (peer) => {
      connections += 1;
      await acceptHandshake(peer);
      for (;;) {
        const request = await peer.answer();
        if (connections > 1) await peer.channel.send(result(request, 'answered'));
        else {
          onAsked();
          await peer.closed;
          onDropped();
        }
      }
    });
    return { port, asked, dropped };
  }

  it('ends with its time: the connection is dropped, the next call has a new one', async () => {
    const { port, dropped } = await silence();
    const proxy = openProxy(port);
    await expect(proxy.call('echo', [], {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
    await dropped;
    expect(await proxy.call('echo')).toBe('answered');
  });

  it('ends when the caller gives up', async () => {
    const { port, asked, dropped } = await silence();
    const proxy = openProxy(port);
    const controller = new AbortController();
    const call = proxy.call('echo', [], {}, { signal: controller.signal });
    await asked;
    controller.abort(new Error('enough'));
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    await dropped;
    expect(await proxy.call('echo')).toBe('answered');
  });

  it('of a call in the queue ends without harm to the one before it', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const slow: RemoteMethod = { parameters: [], handler: async () => opened.then(() => 'slow') };
    const { port } = await startServer({ slow, echo });
    const proxy = openProxy(port);
    const before = proxy.call('slow');
    const late = proxy.call('echo', [1], {}, { timeoutMs: 20 });
    const after = proxy.call('echo', [2]);
    await expect(late).rejects.toMatchObject({ code: 'timeout' });
    open();
    expect(await Promise.all([before, after])).toEqual(['slow', 2]);
  });

  it('does not begin with a signal that is aborted already', async () => {
    const { port } = await startServer({ echo });
    const call = openProxy(port).call('echo', [1], {}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });

  it('includes a handshake that is never answered', async () => {
    const port = await startRawServer(async (peer) => void (await peer.closed));
    await expect(openProxy(port, { timeoutMs: 50 }).ping()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends for all calls when the proxy is closed', async () => {
    const { port, asked } = await silence();
    const proxy = openProxy(port);
    const calls = [proxy.call('echo'), proxy.call('echo')];
    await asked;
    proxy.close();
    calls.push(proxy.call('echo'));
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: { code: 'closed' } });
  });
});

describe('options', () => {
  it('may bring another stream', async () => {
    const { port } = await startServer({ echo });
    const { connect } = await import('node:net');
    const proxy = openProxy(port, {
      uri: `PYRO:${objectName}@nowhere.invalid:1`,
      connect: async () => connect({ host: loopback, port }),
    });
    expect(await proxy.call('echo', [1])).toBe(1);
  });

  it('refuse a wrong address at once', () => {
    expect(() => new RemoteProxy({ uri: 'PYRONAME:x' })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
