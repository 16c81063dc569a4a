import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeDeb } from '../../build/deb.ts';
import { testFolder } from '../support/database.ts';

import { liftLimits, makeSimulatedSite, ServiceClient } from '../support/service-client.ts';

/** Installing asks for root, also into a folder. */
const isRoot = process.getuid?.() === 0;
const isDebian = existsSync('/usr/bin/dpkg-deb') && existsSync('/usr/bin/systemd-sysusers');

interface Installed {
  /** The root that it is installed in. */
  root: string;
  user: { uid: number; gid: number };
}

function dpkg(root: string, ...args: string[]): void {
  const admin = join(root, 'var/lib/dpkg');
  // A power cut may take what the test installed: to write each file through to the disk costs most of an installation.
  const force = ['--force-script-chrootless', '--force-depends', '--force-not-root', '--force-unsafe-io'];
  execFileSync('dpkg', [`--root=${root}`, `--admindir=${admin}`, '--log=/dev/null', ...force, ...args], {
    stdio: 'pipe',
  });
}

function install(file: string): Installed {
  const root = testFolder();
  for (const name of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'etc'])
    mkdirSync(join(root, name), { recursive: true });
  execFileSync('touch', [join(root, 'var/lib/dpkg/status'), join(root, 'var/lib/dpkg/available')]);
  dpkg(root, '-i', file);
  chmodSync(root, 0o755); // for the user of the service
  const line = readFileSync(join(root, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((one) => one.startsWith('orangery:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { root, user: { uid: Number(uid), gid: Number(gid) } };
}

/** Runs what the unit starts, as its user. */
async function serve({ root, user }: Installed, dataDirectory: string) {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  chownSync(dataDirectory, user.uid, user.gid);
  const env = {
    ORANGERY_DATA_DIR: dataDirectory,
    ORANGERY_HTTPS_PORT: '0',
    ORANGERY_DAEMON_PORT: '0',
    PATH: '/usr/bin:/bin',
  };
  const child = spawn(join(root, 'usr/bin/orangery'), ['serve'], {
    ...user,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let setupToken: string | null = null;
  for await (const line of createInterface(child.stdout)) {
    setupToken = /^setup token: (.+)$/.exec(line)?.[1] ?? setupToken;
    const url = /^ready (https:.+)$/.exec(line)?.[1];
    if (url !== undefined) return { url, setupToken, dataDirectory, child, ended };
  }
  throw new Error('the service ended before it was ready');
}

describe.skipIf(!isRoot || !isDebian)('the headless package of Debian', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'orangery-deb-'));
    file = makeDeb({ output: folder, isQuick: true });
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is installed, used through its first house and removed', { timeout: 240_000 }, async () => {
    const installed = install(file);
    const { root, user } = installed;
    expect(user.uid).toBeGreaterThan(0);
    const groups = readFileSync(join(root, 'etc/group'), 'utf8');
    for (const name of ['dialout', 'gpio', 'i2c']) expect(groups).toMatch(new RegExp(`^${name}:.*:orangery$`, 'm'));
    const orangery = (...args: string[]) =>
      spawnSync(join(root, 'usr/bin/orangery'), args, {
        ...user,
        cwd: '/',
        encoding: 'utf8',
        env: { ORANGERY_DATA_DIR: join(root, 'var/lib/orangery') },
      });
    expect(orangery('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('serve') as string });

    expect(readFileSync(join(root, 'usr/share/doc/orangery-headless/LICENSE.node'), 'utf8')).toMatch(
      /^Node.js is licensed/,
    );
    const page = gunzipSync(readFileSync(join(root, 'usr/share/man/man1/orangery.1.gz'))).toString();
    expect(page).toMatch(/^\.SH "?EXIT STATUS"?$/m);
    expect(existsSync(join(root, 'usr/share/bash-completion/completions/orangery'))).toBe(true);

    const dataDirectory = join(root, 'var/lib/orangery');
    const service = await serve(installed, dataDirectory);
    const client = await ServiceClient.setUp({ ...service } as unknown as Parameters<typeof ServiceClient.setUp>[0]); // what it reads of it
    await liftLimits(client);
    const { outputs } = await makeSimulatedSite(client);
    expect(outputs.length).toBeGreaterThan(5);
    const [heater] = outputs;
    const { status } = await client.ask('POST', `/api/outputs/${heater?.unique_id}`, { state: true });
    expect(status).toBe(200);
    client.close();
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual([0, null]);
    expect(orangery('backup')).toMatchObject({ status: 0, stdout: expect.stringContaining('found sound') as string });
    expect(orangery('doctor').stdout).toMatch(/^ok +orangery\.db: is whole/m);
    expect(statSync(join(dataDirectory, 'orangery.db')).uid).toBe(user.uid);

    dpkg(root, '-r', 'orangery-headless');
    expect(existsSync(join(root, 'usr/lib/orangery'))).toBe(false);
    expect(existsSync(join(root, 'usr/bin/orangery'))).toBe(false);
    expect(existsSync(join(dataDirectory, 'orangery.db'))).toBe(true);
    expect(statSync(file).size).toBeLessThan(100e6); // 61 MB were seen, quickly compressed
  });

  it('is on once it is installed, also again, and stays off where it was turned off', () => {
    const { root } = install(file);
    const isThere = (path: string) => lstatSync(join(root, 'etc/systemd/system', path), { throwIfNoEntry: false }) !== undefined; // prettier-ignore
    const wanted = 'multi-user.target.wants/orangery.service';
    const again = () => {
      dpkg(root, '-r', 'orangery-headless');
      dpkg(root, '-i', file);
      return [isThere(wanted), isThere('orangery.service')]; // the second would be a mask
    };
    expect(isThere(wanted)).toBe(true);
    expect(again()).toEqual([true, false]);
    rmSync(join(root, 'etc/systemd/system', wanted));
    dpkg(root, '-i', file);
    expect(isThere(wanted)).toBe(false);
    expect(again()).toEqual([false, false]);
  });

  it('brings the notices of what is bundled', () => {
    const { root } = install(file);
    for (const [part, name] of [['.', 'pmtiles'], ['main', 'koa'], ['renderer', 'protomaps-leaflet'], ['renderer', '@xmldom/xmldom']] as const) // prettier-ignore
      expect(readFileSync(join(root, 'usr/lib/orangery/dist', part, 'THIRD-PARTY.md'), 'utf8')).toContain(`\n## ${name} `); // prettier-ignore
  });

  it('has a unit that systemd takes, and that leaves a program little room', () => {
    const { root } = install(file);
    const unit = join(root, 'usr/lib/systemd/system/orangery.service');
    // Beside the units of this machine, on which it depends.
    const units = '/usr/lib/systemd/system';
    cpSync(units, join(root, units), { recursive: true, force: false, verbatimSymlinks: true });
    const verified = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', `--root=${root}`, 'orangery.service'],
      {
        encoding: 'utf8',
      },
    );
    expect(verified.stderr).toBe('');
    expect(verified.status).toBe(0);
    // 10 (of 100) is what is left where nothing is, for what a greenhouse needs: the network, serial ports and a JIT.
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
      encoding: 'utf8',
    });
    expect(rated.stdout).toMatch(/Overall exposure level/);
    expect(rated.status, rated.stdout).toBe(0);
  });
});
