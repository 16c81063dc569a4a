import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createNetServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { attach, AttachRefused } from '../../../electron/attached.ts';
import { CertificateKeeper } from '../../../server/tls/certificate-keeper.ts';
import { testFolder } from '../../support/database.ts';

type Certificates = CertificateKeeper['current'];

const servers: Server[] = [];
let real: Certificates;
let other: Certificates;

beforeAll(async () => {
  [real, other] = [await certificates(), await certificates()];
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function certificates(): Promise<Certificates> {
  const keeper = new CertificateKeeper({
    directory: testFolder(),
    hostName: 'box',
    addresses: () => [],
    extraNames: [],
    now: () => new Date(),
    onError: () => undefined,
  });
  await keeper.start();
  await keeper.stop();
  return keeper.current;
}

const up = JSON.stringify({ status: 'up' });

/** What answers at a port as a service would, with an authority that it says is its own. */
async function serve(tls: Certificates, { health = up, ca = tls.ca_pem, port = 0 } = {}): Promise<number> {
  const answer: RequestListener = (request, response) => {
    response.end(request.url === '/ca.crt' ? ca : request.url === '/api/health' ? health : '');
  };
  return listen(createServer({ key: tls.key, cert: tls.cert }, answer), port);
}

async function listen(server: Server, port = 0): Promise<number> {
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // of TCP
}

function options(port: number) {
  return {
    port,
    directory: testFolder(),
    pin: vi.fn<(url: string) => string | undefined>(),
    keepPin: vi.fn<(url: string, fingerprint: string) => void>(),
    ask: vi.fn<(url: string, fingerprint: string) => Promise<boolean>>(() => Promise.resolve(true)),
    patience_ms: 0,
  };
}

const fingerprintOf = ({ ca_pem }: Certificates): string => new X509Certificate(ca_pem).fingerprint256;

describe('a service of the machine', () => {
  it('is asked about by the fingerprint of its authority, once', async () => {
    const asked = options(await serve(real));
    const host = await attach(asked);
    expect(host).toMatchObject({ kind: 'attached', url: `https://localhost:${asked.port}` });
    expect(asked.ask).toHaveBeenCalledExactlyOnceWith(host?.url, fingerprintOf(real));
    expect(asked.keepPin).toHaveBeenCalledExactlyOnceWith(host?.url, fingerprintOf(real));
    const again = { ...options(asked.port), pin: () => fingerprintOf(real) };
    expect(await attach(again)).not.toBeNull();
    expect(again.ask).not.toHaveBeenCalled();
  });

  it('is asked about again where its authority is another one than was taken', async () => {
    const asked = { ...options(await serve(real)), pin: () => fingerprintOf(other) };
    await attach(asked);
    expect(asked.ask).toHaveBeenCalledOnce();
  });

  it('is not asked about where it has the authority of our own data directory', async () => {
    const asked = options(await serve(real));
    mkdirSync(join(asked.directory, 'tls'));
    writeFileSync(join(asked.directory, 'tls/ca.crt'), real.ca_pem);
    expect(await attach(asked)).not.toBeNull();
    expect(asked.ask).not.toHaveBeenCalled();
  });

  it('that is not wanted is not attached to', async () => {
    const asked = options(await serve(real));
    asked.ask.mockResolvedValueOnce(false);
    await expect(attach(asked)).rejects.toThrow(AttachRefused);
    expect(asked.keepPin).not.toHaveBeenCalled();
  });

  it('is trusted by its authority, for its names alone', async () => {
    const host = await attach(options(await serve(real)));
    expect(await host?.trusts(real.cert, 'localhost')).toBe(true);
    expect(await host?.trusts(real.cert, '127.0.0.1')).toBe(true);
    expect(await host?.trusts(real.cert, 'example.org')).toBe(false);
    expect(await host?.trusts(other.cert, 'localhost')).toBe(false);
  });

  it.each([
    ['taken', true],
    ['not wanted, and not asked about again', false],
  ])('that has a new authority is asked about while windows are open: %s', async (_what, isWanted) => {
    const asked = options(await serve(real));
    const host = await attach(asked);
    servers.pop()?.close();
    await serve(other, { port: asked.port });
    asked.ask.mockResolvedValueOnce(isWanted);
    for (const _ of [1, 2]) {
      const judged = ['localhost', '127.0.0.1'].map(async (name) => host?.trusts(other.cert, name));
      expect(await Promise.all(judged)).toEqual([isWanted, isWanted]);
    }
    expect(asked.ask).toHaveBeenCalledTimes(2);
  });

  it('shows no authority of another: who copied one has not its key', async () => {
    expect(await attach(options(await serve(other, { ca: real.ca_pem })))).toBeNull();
  });

  it.each([
    ['another program', '{"ok":true}'],
    ['a page', '<!doctype html>'],
    ['more than a health', `{"status":"${'x'.repeat(100_000)}"}`],
  ])('is not %s', async (_what, health) => {
    expect(await attach(options(await serve(real, { health })))).toBeNull();
  });

  it('is not what speaks no TLS, nor a port that nobody has', async () => {
    const port = await listen(createNetServer((socket) => socket.end('hello')));
    expect(await attach(options(port))).toBeNull();
    servers.pop()?.close();
    expect(await attach(options(port))).toBeNull();
  });
});
