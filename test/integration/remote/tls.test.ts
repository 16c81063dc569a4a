import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loopback, openProxy, startServer } from './loopback.ts';

const echo = { parameters: [{ name: 'value' }], handler: async ({ value }: Record<string, unknown>) => value };

async function certificate() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=greenhouse',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: loopback }])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: made.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` };
}

describe('over TLS', () => {
  it('a client that trusts the certificate and knows the secret is served', async () => {
    const tls = await certificate();
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
    const impostor = createServer(await certificate(), (socket) => {
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
    const { cert } = await certificate();
    const proxy = openProxy(port, { tls: { ca: cert }, handshake: 'leek' });
    await expect(proxy.call('echo', [1])).rejects.toMatchObject({ code: 'connection_failed' });
    await gone;
    expect(heard).toBe(0);
  });

  it('plain talk and silence are cut off, and others stay served', async () => {
    const tls = await certificate();
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
    const server = await startServer({ echo }, { tls: await certificate() });
    const socket = connect({ host: loopback, port: server.port });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    await server.stop();
    socket.resume();
    await closed;
    expect(server.port).toBe(undefined);
  });

  it('places are free again after their clients left', async () => {
    const tls = await certificate();
    const server = await startServer({ echo }, { tls, limits: { connections: 1 } });
    for (let round = 0; round < 5; round += 1) {
      const proxy = openProxy(server.port, { tls: { ca: tls.cert } });
      await expect.poll(() => proxy.call('echo', [round]).catch(() => undefined), { interval: 5 }).toBe(round);
      proxy.close();
    }
  });
});
