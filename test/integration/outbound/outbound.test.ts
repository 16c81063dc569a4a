import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAllowed } from '../../../server/outbound/address-policy.ts';
import { Outbound, type OutboundOptions } from '../../../server/outbound/outbound.ts';

describe('which addresses', () => {
  it.each([
    ['8.8.8.8', true, true],
    ['2606:4700::1111', true, true],
    ['192.168.1.5', false, true],
    ['10.0.0.1', false, true],
    ['172.31.255.255', false, true],
    ['100.64.0.1', false, true],
    ['fd00::1', false, true],
    ['::ffff:192.168.1.5', false, true],
    ['127.0.0.1', false, false],
    ['127.255.0.1', false, false],
    ['::1', false, false],
    ['::ffff:127.0.0.1', false, false],
    ['::ffff:7f00:1', false, false],
    ['0.0.0.0', false, false],
    ['::', false, false],
    ['169.254.169.254', false, false],
    ['100.100.100.200', false, false],
    ['::ffff:100.100.100.200', false, false],
    ['100.100.100.201', false, true],
    ['168.63.129.16', false, false],
    ['192.0.0.192', false, false],
    ['fd00:ec2::254', false, false],
    ['fd20:ce::254', false, false],
    ['fe80::1%eth0', false, false],
    ['224.0.0.1', false, false],
    ['255.255.255.255', false, false],
    ['64:ff9b::7f00:1', false, false],
    ['2002:7f00:1::', false, false],
    ['not an address', false, false],
  ])('%s: public %s, lan %s', (address, onPublic, onLan) => {
    expect([isAllowed(address, 'public'), isAllowed(address, 'lan')]).toEqual([onPublic, onLan]);
  });
});

/** A server on loopback, and requests that may or may not reach it. */
async function site(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: OutboundOptions = {},
) {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = new Outbound(options);
  onTestFinished(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });
  return { asked, outbound, port: (server.address() as AddressInfo).port }; // it listens on TCP
}

const hello = (_: IncomingMessage, response: ServerResponse) => void response.end('hello');

describe('a request', () => {
  it('is answered where it may go', async () => {
    const { outbound, port } = await site(hello, { allowLoopback: true });
    const { status, body } = await outbound.fetch(`http://127.0.0.1:${port}/a`, { policy: 'lan' });
    expect([status, body.toString()]).toEqual([200, 'hello']);
  });

  it.each([
    ['by address', (port: number) => `http://127.0.0.1:${port}/`],
    ['by address in another form', (port: number) => `http://2130706433:${port}/`],
    ['by an IPv6 address', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['by a name', (port: number) => `http://inside.example:${port}/`],
  ])('does not reach loopback %s', async (_, address) => {
    const { outbound, port, asked } = await site(hello, { resolve: async () => ['127.0.0.1'] });
    await expect(outbound.fetch(address(port), { policy: 'lan' })).rejects.toMatchObject({ code: 'refused_address' });
    expect(asked).toEqual([]);
  });

  it('does not go where only one of the addresses of a name may not be reached', async () => {
    const { outbound, port } = await site(hello, { resolve: async () => ['8.8.8.8', '127.0.0.1'] });
    const request = outbound.fetch(`http://both.example:${port}/`, { policy: 'lan' });
    await expect(request).rejects.toMatchObject({ code: 'refused_address' });
  });

  it('is connected to the address that was checked, whatever the name is a moment later', async () => {
    let asked = 0;
    const resolve = async () => ((asked += 1) === 1 ? ['127.0.0.1'] : ['203.0.113.9']);
    const { outbound, port } = await site(hello, { allowLoopback: true, resolve });
    const { status } = await outbound.fetch(`http://moving.example:${port}/`, { policy: 'lan' });
    expect([status, asked]).toEqual([200, 1]);
  });

  it('is not led inside by a redirect', async () => {
    const resolve = async (name: string) => [name === 'outside.example' ? '127.0.0.1' : '169.254.169.254'];
    const away = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(302, { location: 'http://metadata.example/keys' }).end();
    const { outbound, port } = await site(away, { allowLoopback: true, resolve });
    const request = outbound.fetch(`http://outside.example:${port}/`, { policy: 'lan' });
    await expect(request).rejects.toMatchObject({ code: 'refused_address' });
  });

  it('that carries something is not sent on by a redirect', async () => {
    const away = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(307, { location: '/other' }).end();
    const { outbound, port, asked } = await site(away, { allowLoopback: true });
    const { status } = await outbound.fetch(`http://127.0.0.1:${port}/`, { policy: 'lan', method: 'POST', body: 'x' });
    expect([status, asked]).toEqual([307, ['/']]);
  });

  it('of the policy public is HTTPS', async () => {
    const { outbound } = await site(hello);
    await expect(outbound.fetch('http://example.org/', { policy: 'public' })).rejects.toMatchObject({
      code: 'invalid_address',
    });
    await expect(outbound.fetch('file:///etc/passwd', { policy: 'lan' })).rejects.toMatchObject({
      code: 'invalid_address',
    });
    await expect(outbound.fetch('http://u:p@x/', { policy: 'lan' })).rejects.toMatchObject({ code: 'invalid_address' });
  });

  it('follows no redirect where it is told not to', async () => {
    const away = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(302, { location: '/other' }).end();
    const { outbound, port, asked } = await site(away, { allowLoopback: true });
    const { status } = await outbound.fetch(`http://127.0.0.1:${port}/`, { policy: 'lan', redirects: 'none' });
    expect([status, asked]).toEqual([302, ['/']]);
  });

  it('that broke off may have been carried out, and is told from one that was never sent', async () => {
    const { outbound, port } = await site((request) => request.socket.destroy(), { allowLoopback: true });
    const at = `http://127.0.0.1:${port}/`;
    await expect(outbound.fetch(at, { policy: 'lan', method: 'POST' })).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('ends when it is given up', async () => {
    const givenUp = new AbortController();
    const { outbound, port } = await site(() => givenUp.abort(), { allowLoopback: true });
    const request = outbound.fetch(`http://127.0.0.1:${port}/`, { policy: 'lan', signal: givenUp.signal });
    await expect(request).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('takes a connection of its own where none is kept', async () => {
    const connections = new Set<unknown>();
    const { outbound, port } = await site(
      (request, response) => {
        connections.add(request.socket);
        response.end();
      },
      { allowLoopback: true, keepAlive: false },
    );
    for (const path of ['a', 'b']) await outbound.fetch(`http://127.0.0.1:${port}/${path}`, { policy: 'lan' });
    expect(connections.size).toBe(2);
  });

  it('ends where the answer is too long or does not come', async () => {
    const { outbound, port } = await site(
      (request, response) => {
        if (request.url === '/long') response.end('x'.repeat(5_000));
      },
      { allowLoopback: true },
    );
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    const long = outbound.fetch(at('/long'), { policy: 'lan', maxBytes: 1_000 });
    await expect(long).rejects.toMatchObject({ code: 'too_large' });
    await expect(outbound.fetch(at('/never'), { policy: 'lan', timeoutMs: 50 })).rejects.toMatchObject({
      code: 'timed_out',
    });
    await expect(outbound.fetch('http://127.0.0.1:1/', { policy: 'lan' })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});
