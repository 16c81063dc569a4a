import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../support/daemon-process.ts';
import { goesSafe, heater, heaterOn, killedWhileOn } from '../../support/heater-site.ts';
import { dataFolder, launchService, processesOf, type ServiceProcess } from '../../support/service-process.ts';

async function takenPort(): Promise<string> {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port); // it listens on TCP
}

async function expectRefusal(service: ServiceProcess, line: RegExp): Promise<void> {
  expect(await service.ended, service.errors().join('\n')).toBe(1);
  expect(service.errors().at(-1)).toMatch(line);
}

function loseConfiguration(folder: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `orangery.db${end}`), { force: true });
}

const refusals: [what: string, fault: (folder: string) => Promise<Record<string, string>>, line: RegExp][] = [
  [
    'whose orangery.db was lost',
    async (folder) => {
      loseConfiguration(folder);
      return {};
    },
    /orangery\.db is missing or empty/,
  ],
  ['whose HTTPS port another program has', async () => ({ ORANGERY_HTTPS_PORT: await takenPort() }), /is taken by/],
  ['whose daemon port another program has', async () => ({ ORANGERY_DAEMON_PORT: await takenPort() }), /is taken by/],
];

describe('a service that cannot start', () => {
  it.each(refusals)('%s drives safe what the last daemon left on, and ends', async (_what, fault, line) => {
    const folder = dataFolder();
    const witness = await killedWhileOn(folder);
    const service = launchService({ dataDirectory: folder, env: await fault(folder) });
    await goesSafe(witness);
    await expectRefusal(service, line);
    expect(processesOf(folder)).toEqual([]);
  });

  it('leaves alone what a daemon that lives has on', async () => {
    const folder = dataFolder();
    const port = await freePort();
    const { witness, daemon } = await heaterOn(folder, port);
    loseConfiguration(folder);
    const mark = witness.mark();
    const service = launchService({ dataDirectory: folder, env: { ORANGERY_DAEMON_PORT: String(port) } });
    await expectRefusal(service, /orangery\.db is missing or empty/);
    expect(witness.moves(heater, mark)).toEqual([]);
    expect(daemon.child.exitCode).toBeNull();
  });
});
