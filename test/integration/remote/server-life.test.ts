import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { messageTypes } from '../../../server/remote/frame.ts';
import type { RemoteMethod } from '../../../server/remote/method.ts';
import { RemoteServer } from '../../../server/remote/server.ts';
import { serpent } from '../../../server/remote/serializer.ts';
import { aborted, ask, echo, gate, greenhouse, greetWhenFree, pingFrame } from './greenhouse.ts';
import { loopback, objectName, openProxy, RawPeer, startServer } from './loopback.ts';

describe('calls', () => {
  it('on one connection follow each other, on two they run together', async () => {
    const slow = gate();
    const { port } = await startServer({ slow: slow.method, echo });
    const first = await RawPeer.greet(port);
    const order: string[] = [];
    const held = ask(first, serpent, 'slow').then(() => order.push('slow'));
    await slow.entered;
    const behind = first.channel.send({ ...(await pingFrame(port)), seq: 9 });
    expect(await openProxy(port).call('echo', ['other'])).toBe('other');
    order.push('other connection');
    slow.open();
    await Promise.all([held, behind]);
    expect((await first.answer()).type).toBe(messageTypes.ping);
    expect(order).toEqual(['other connection', 'slow']);
  });

  it('are told who calls', async () => {
    const who: RemoteMethod = { parameters: [], handler: async (_args, { peer }) => peer };
    const { port } = await startServer({ who });
    expect(await openProxy(port).call('who')).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('are aborted when their caller goes', async () => {
    const slow = gate();
    const { port } = await startServer({ slow: slow.method });
    const peer = await RawPeer.greet(port);
    ask(peer, serpent, 'slow').catch(() => undefined);
    await slow.entered;
    peer.socket.destroy();
    expect(await aborted(slow.calls[0]?.signal)).toMatchObject({ code: 'aborted' });
    slow.open();
  });

  it('sent oneway outlive their caller', async () => {
    const slow = gate();
    const { port } = await startServer({ slow: { ...slow.method, oneway: true } }, { limits: { connections: 1 } });
    const proxy = openProxy(port);
    expect(await proxy.call('slow')).toBe(null);
    expect(await proxy.call('slow')).toBe(null);
    await slow.entered;
    proxy.close();
    await greetWhenFree(port);
    expect(slow.calls.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    slow.open();
  });
});

describe('admission', () => {
  const words = async (port: number, handshake: unknown, object = objectName) => {
    const peer = await RawPeer.open(port);
    const answer = await peer.ask({ type: 1, serializer: 1, payload: serpent.encode({ handshake, object }) });
    return { type: answer.type, said: serpent.decode(answer.payload), peer };
  };

  it('refuses an unknown object as recorded', async () => {
    const { port } = await startServer(greenhouse);
    const { type, said, peer } = await words(port, 'hello', 'other');
    expect({ type, said }).toEqual({ type: messageTypes.connectFail, said: 'unknown object' });
    await peer.closed;
  });

  it('asks for the secret where one is set', async () => {
    const { port } = await startServer(greenhouse, { admit: (value) => (value === 'leek' ? 'gardener' : undefined) });
    for (const wrong of ['hello', 'leek ', '', null, 5, { leek: 1 }]) {
      expect(await words(port, wrong, 'other')).toMatchObject({
        type: messageTypes.connectFail,
        said: 'handshake refused',
      });
    }
    const failure = openProxy(port).call('check_daemon');
    await expect(failure).rejects.toMatchObject({ code: 'handshake_refused', message: 'handshake refused' });
    expect(await openProxy(port, { handshake: 'leek' }).call('check_daemon')).toBe(null);
  });

  it('refuses who comes when all places are taken, until one is free', async () => {
    const { port } = await startServer(greenhouse, { limits: { connections: 2 } });
    const first = await RawPeer.greet(port);
    const second = await RawPeer.greet(port);
    const third = await words(port, 'hello');
    expect(third.said).toBe('no free workers, increase server threadpool size');
    await third.peer.closed;
    expect((await ask(second, serpent, 'check_daemon')).type).toBe(messageTypes.result);
    first.socket.end();
    await first.closed;
    expect((await greetWhenFree(port)).socket.destroyed).toBe(false);
  });
});

describe('start and stop', () => {
  it('rejects a taken port with the code of the system', async () => {
    const { port } = await startServer(greenhouse);
    const second = new RemoteServer({ objectId: objectName, methods: {}, host: loopback, port });
    await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(second.port).toBe(undefined);
  });

  it('aborts what runs, lets its answer leave, and frees the port', async () => {
    const patient: RemoteMethod = {
      parameters: [],
      handler: async (_args, { signal }) => {
        started();
        await aborted(signal);
        return 'stopped in time';
      },
    };
    const { promise: running, resolve: started } = Promise.withResolvers<void>();
    const server = await startServer({ patient });
    const { port } = server;
    const idle = await RawPeer.greet(port);
    const answer = openProxy(port).call('patient');
    await running;
    await server.stop();
    expect(await answer).toBe('stopped in time');
    await idle.closed;
    const refused = new Promise((resolve) => connect({ host: loopback, port }).once('error', resolve));
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
    await server.start();
    expect(
      await openProxy(server.port)
        .call('patient', ['x'])
        .catch((error: unknown) => error),
    ).toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('does not wait for a handler that hears nothing', async () => {
    const deaf = gate();
    const server = await startServer({ deaf: deaf.method });
    const answer = openProxy(server.port).call('deaf');
    await deaf.entered;
    await Promise.all([expect(answer).rejects.toMatchObject({ code: 'connection_failed' }), server.stop()]);
    deaf.open();
  });
});
