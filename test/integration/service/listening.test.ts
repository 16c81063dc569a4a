import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { goodPassword } from '../../support/accounts.ts';
import { until } from '../../support/daemon-process.ts';
import { LanClient } from '../../support/lan-client.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService, setupTokenOf, type ServiceProcess } from '../../support/service-process.ts';

/** An address of this machine that others can reach; undefined where it has loopback alone. */
const outside = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

let dataDirectory: string;
let service: ServiceProcess;
let url: string;

beforeEach(async () => {
  dataDirectory = dataFolder();
  service = launchService({ dataDirectory });
  url = await service.ready();
});

function isReachable(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(new URL(url).port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

describe.skipIf(outside === undefined)('who reaches the service', () => {
  const address = outside ?? '';

  it('is this machine alone until the first administrator is made, whose connection stays', async () => {
    const client = new LanClient({ url, dataDirectory });
    const held = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    const cut = new Promise((resolve) => held.once('close', () => resolve('cut')));
    expect([await isReachable('127.0.0.1'), await isReachable(address)]).toEqual([true, false]);
    const account = { setup_token: setupTokenOf(service), username: 'kim', password: goodPassword };
    let isOpen = false;
    const knocks: boolean[] = [];
    const knocking = (async () => {
      while (!isOpen) knocks.push(await isReachable('127.0.0.1'));
    })();
    expect((await client.post('/api/auth/setup', account)).status).toBe(201);
    await until(() => isReachable(address), Boolean);
    isOpen = true;
    await knocking;
    expect(knocks.includes(false)).toBe(false);
    expect(await isReachable('127.0.0.1')).toBe(true);
    expect((await client.get('/api/health')).body).toEqual({ status: 'up' });
    expect(await Promise.race([cut, Promise.resolve('open')])).toBe('open');
    held.destroy();
    client.close();
  });

  it('is everyone too once the command line has made the first administrator', async () => {
    expect(await isReachable(address)).toBe(false);
    await addAccount(dataDirectory);
    await until(() => isReachable(address), Boolean);
  });

  it('stays this machine where another program has the port on the network, and says so', async () => {
    const other = createServer((socket) => socket.destroy()).listen(Number(new URL(url).port), address);
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await addAccount(dataDirectory);
    await until(service.errors, (lines) => lines.some((line) => line.includes('other devices cannot reach this')));
    await until(() => isReachable('127.0.0.1'), Boolean);
    expect(service.child.exitCode).toBeNull();
  });
});
