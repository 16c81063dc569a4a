import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orangeryMigrations } from '../../../server/db/migrations/orangery.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { freePort } from '../../support/daemon-process.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService, processesOf, type ServiceProcess } from '../../support/service-process.ts';

let dataDirectory: string;
let closeForeign: (() => void) | undefined;

beforeEach(() => {
  dataDirectory = dataFolder();
});

afterEach(() => closeForeign?.());

/** Another program that has a port on loopback. */
async function foreignPort(): Promise<number> {
  const server = createServer((socket) => socket.end('220 another program\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeForeign = () => void server.close();
  return (server.address() as AddressInfo).port; // it listens on TCP
}

/** A daemon on a busy machine may open its databases late, and says so. */
const isLate = (line: string): boolean => line.startsWith('daemon: states, overrides and alarms ');

/**
 * What a start that must fail says: nothing on standard output, one line on standard error, and it leaves nobody
 * behind.
 */
async function expectRefusal(service: ServiceProcess, line: string | RegExp): Promise<void> {
  expect(await service.ended).toBe(1);
  expect(service.lines).toEqual([]);
  expect(service.errors().filter((error) => !isLate(error))).toEqual([expect.stringMatching(line)]);
  expect(processesOf(service.dataDirectory)).toEqual([]);
}

describe('standard output of a start', () => {
  it('is the setup token and the address while there is no account', async () => {
    const service = launchService({ dataDirectory });
    await service.ready();
    expect(service.lines).toEqual([
      expect.stringMatching(/^setup token: [\w-]{32}$/),
      expect.stringMatching(/^ready https:\/\/localhost:\d+$/),
    ]);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.lines).toHaveLength(2);
  });

  it('is the address alone once there is one', async () => {
    await addAccount(dataDirectory);
    const service = launchService({ dataDirectory });
    await service.ready();
    expect(service.lines).toEqual([expect.stringMatching(/^ready https:/)]);
  });
});

describe('a start that cannot be', () => {
  it('names a variable that cannot be used', async () => {
    const service = launchService({ dataDirectory, env: { ORANGERY_HTTPS_PORT: '84x' } });
    await expectRefusal(service, /^orangery: ORANGERY_HTTPS_PORT=84x cannot be used: /);
  });

  it('waits 5 s for the HTTPS port, and for that of the daemon, then says that it is taken', async () => {
    const port = String(await foreignPort());
    const waitedMs = async (env: Record<string, string>, line: string): Promise<number> => {
      const startedAt = performance.now();
      await expectRefusal(launchService({ dataDirectory: dataFolder(), env }), line);
      return performance.now() - startedAt;
    };
    const waitsMs = await Promise.all([
      waitedMs({ ORANGERY_HTTPS_PORT: port }, `^orangery: 127.0.0.1:${port} is taken by another program$`),
      waitedMs({ ORANGERY_DAEMON_PORT: port }, `^orangery: daemon port ${port} is taken by another program$`),
    ]);
    expect(Math.min(...waitsMs)).toBeGreaterThan(4_900);
  });

  it('goes on as soon as the port is free', async () => {
    const port = await foreignPort();
    const service = launchService({ dataDirectory, env: { ORANGERY_HTTPS_PORT: String(port) } });
    setTimeout(() => closeForeign?.(), 1_500);
    expect(await service.ready()).toBe(`https://localhost:${port}`);
  });

  it('says that the daemon port belongs to the daemon of another data directory, and leaves that alone', async () => {
    const port = String(await freePort());
    const other = launchService({ dataDirectory: dataFolder(), env: { ORANGERY_DAEMON_PORT: port } });
    await other.ready();
    const service = launchService({ dataDirectory, env: { ORANGERY_DAEMON_PORT: port } });
    await expectRefusal(service, `^orangery: daemon port ${port} is taken by another program$`);
    expect(processesOf(other.dataDirectory)).toHaveLength(1);
  });

  it('says that a file is in the place of the data directory', async () => {
    const file = join(dataDirectory, 'taken');
    writeFileSync(file, '');
    await expectRefusal(launchService({ dataDirectory: file }), `^orangery: ${file} cannot be written: `);
  });

  it('says that the data directory is not writable', async () => {
    const directory = '/sys/orangery'; // root, too, can make nothing there
    await expectRefusal(launchService({ dataDirectory: directory }), `^orangery: ${directory} cannot be written: `);
  });

  it('says which service has the data directory, which goes on', async () => {
    const first = launchService({ dataDirectory });
    await first.ready();
    const second = launchService({ dataDirectory });
    expect(await second.ended).toBe(1);
    expect(second.errors()).toEqual([
      `orangery: ${dataDirectory} is in use by another Orangery service (process ${first.child.pid})`,
    ]);
    expect(first.child.exitCode).toBeNull();
  });

  it.each(['orangery.db', 'control.db', 'measurements.db'])('says that %s is of a newer program', async (name) => {
    const file = join(dataDirectory, name);
    openDatabase(file, { migrations: name === 'orangery.db' ? orangeryMigrations : [] }).close();
    const db = new Sqlite(file);
    db.pragma('user_version = 9999');
    db.close();
    await expectRefusal(launchService({ dataDirectory }), `^orangery: ${file} has version 9999, this program knows `);
  });

  it('says which file is not a database', async () => {
    const file = join(dataDirectory, 'orangery.db');
    writeFileSync(file, 'x'.repeat(4096));
    await expectRefusal(
      launchService({ dataDirectory }),
      `^orangery: ${file} cannot be used: file is not a database: put it back from a backup by "orangery restore FILE", or run "orangery salvage"$`,
    );
  });
});
