import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSignedCertificate } from '../../support/loopback-certificate.ts';
import { loopback, openProxy, startServer } from './loopback.ts';

const echo = { parameters: [{ name: 'value' }], handler: async ({ value }: Record<string, unknown>) => value };

describe('over TLS', () => {
  it('a client that trusts the certificate and knows the secret is served', async () => {
    const tls = await selfSignedCertificate([loopback]);
    const { port } = await startServer(
      { echo },
      { tls, admit: (value) => (value === 'leek' ? 'gardener' : undefined) },
    );
    const proxy = openProxy(port, { tls: { ca: tls.cert }, handshake: 'leek' });
    expect(await proxy.call('echo', ['warm'])).toBe('warm');
    const stranger = openProxy(port, { tls: { ca: tls.cert } });
    await expect(stranger.call('echo', ['warm'])).rejects.toMatchObject({ code: 'handshake_refused' });
  });

  it('a client tells its secret to nobody whom it does not trust', async () => {
    let heard = 0;
    const impostor = createServer(await selfSignedCertificate([loopback]), (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => (heard += chunk.length));
    });
    impostor.on('tlsClientError', () => undefined);
    const gone = new Promise((resolve) => impostor.on('connection', (socket: Socket) => socket.once('close', resolve)));
    impostor.listen(0, loopback);
    await once(impostor, 'listening');
    onTestFinished(() => void impostor.close());
    const address = impostor.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { cert } = await selfSignedCertificate([loopback]);
    const proxy = openProxy(port, { tls: { ca: cert }, handshake: 'leek' });
    await expect(proxy.call('echo', [1])).rejects.toMatchObject({ code: 'connection_failed' });
    await gone;
    expect(heard).toBe(0);
  });

  it('plain talk and silence are cut off, and others stay served', async () => {
    const tls = await selfSignedCertificate([loopback]);
    const server = await startServer({ echo }, { tls, limits: { handshakeMs: 300 } });
    for (const first of ['PYRO\x01\xf6', '']) {
      const socket = connect({ host: loopback, port: server.port });
      socket.on('error', () => undefined).resume();
      socket.write(first, 'latin1');
      await new Promise((resolve) => socket.once('close', resolve));
    }
    expect(await openProxy(server.port, { tls: { ca: tls.cert } }).call('echo', [1])).toBe(1);
  });

  it('a stop cuts connections that have not finished their TLS handshake', async () => {
    const server = await startServer({ echo }, { tls: await selfSignedCertificate([loopback]) });
    const socket = connect({ host: loopback, port: server.port });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    await server.stop();
    socket.resume();
    await closed;
    expect(server.port).toBe(undefined);
  });

  it('places are free again after their clients left', async () => {
    const tls = await selfSignedCertificate([loopback]);
    const server = await startServer({ echo }, { tls, limits: { connections: 1 } });
    for (let round = 0; round < 5; round += 1) {
      const proxy = openProxy(server.port, { tls: { ca: tls.cert } });
      await expect.poll(() => proxy.call('echo', [round]).catch(() => undefined), { interval: 5 }).toBe(round);
      proxy.close();
    }
  });
});
