import { once } from 'node:events';
import { readFileSync, utimesSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freePort, until } from '../../support/daemon-process.ts';
import { killHard, processesOf } from '../../support/service-process.ts';
import { StartTree, type Started } from '../../support/start-tree.ts';

const headless = { ORANGERY_HEADLESS: '1' };
const ready = 'ready https://localhost:1\n';
const desktop = { DISPLAY: ':99' };
let tree: StartTree;

beforeEach(() => {
  tree = new StartTree();
});

async function whenReady(started: Started): Promise<void> {
  await until(started.out, (text) => text.includes('ready'));
}

async function stop(started: Started): Promise<number | null> {
  started.child.kill('SIGTERM');
  return started.ended;
}

const builds = (): number => (tree.has('builds') ? readFileSync(join(tree.folder, 'builds')).length : 0);

describe('the build', () => {
  it('is made when there is none, and its words are not on standard output', async () => {
    const started = tree.start(headless);
    await whenReady(started);
    expect(started.out()).toBe(ready);
    expect(started.err()).toBe('building ...\nvite says how large everything is\n');
    expect(await stop(started)).toBe(0);
  });

  it('is made again only when a source is newer', async () => {
    for (const touched of [false, false, true]) {
      if (touched) utimesSync(join(tree.folder, 'server/main.ts'), new Date(), new Date(Date.now() + 60_000));
      const started = tree.start(headless);
      await whenReady(started);
      await stop(started);
    }
    expect(builds()).toBe(2);
  });

  it('that fails ends the start', async () => {
    const started = tree.start({ ...headless, BUILD_CODE: '1' });
    expect(await started.ended).toBe(1);
    expect(started.err()).toContain('the build failed, see above\n');
    expect(started.out()).toBe('');
  });

  it('ends with a start that is stopped meanwhile', async () => {
    const started = tree.start({ ...headless, BUILD_MS: '60000' });
    await until(builds, (count) => count === 1);
    expect(await stop(started)).toBe(0);
    expect(started.out()).toBe('');
    expect(processesOf(join(tree.folder, 'node_modules/vite/bin/vite.js'))).toEqual([]);
  });
});

describe('the life of a start', () => {
  it('ends with its parent, however hard that ends', async () => {
    const script = join(tree.folder, 'build/start.ts');
    const parent = tree.run(['/bin/sh', '-c', `"${process.execPath}" "${script}"; :`], headless);
    await whenReady(parent);
    expect(processesOf(script)).toHaveLength(1);
    killHard(parent.child.pid ?? 0);
    await until(
      () => processesOf(script),
      (left) => left.length === 0,
    );
  });
});

describe('the window', () => {
  it('is not thought of when there shall be none', async () => {
    tree.installElectron('echo window');
    const started = tree.start({ ...headless, ...desktop });
    await whenReady(started);
    expect(started.out()).toBe(ready);
    expect(started.err()).not.toContain('window');
  });

  it('is not opened without a display, in one line', async () => {
    tree.installElectron('echo window');
    const started = tree.start();
    await whenReady(started);
    expect(started.err()).toContain('no window (no display): open the address below in a browser.');
    expect(started.out()).toBe(ready);
  });

  it('is opened where there are a display and Electron, and its end is the end', async () => {
    tree.installElectron('echo "window of $1"; exit 3');
    const started = tree.start(desktop);
    expect(await started.ended).toBe(3);
    expect(started.out()).toBe(`window of ${tree.folder}\n`);
  });

  it('gets the signals', async () => {
    tree.installElectron(`trap 'echo stopped; exit 0' TERM; echo up; while :; do sleep 0.05; done`);
    const started = tree.start(desktop);
    await until(started.out, (text) => text.includes('up'));
    expect(await stop(started)).toBe(0);
    expect(started.out()).toBe('up\nstopped\n');
  });

  it('gets a signal that comes as soon as it runs', async () => {
    tree.installElectron(`trap 'echo stopped; exit 0' TERM; kill -TERM $PPID; while :; do sleep 0.05; done`);
    const started = tree.start(desktop);
    expect(await started.ended).toBe(0);
    expect(started.out()).toBe('stopped\n');
  });

  it.each(['exit 127', 'kill -TRAP $$'])(
    'that cannot run here (%s) leaves the service for a browser',
    async (script) => {
      tree.installElectron(script);
      const started = tree.start(desktop);
      await whenReady(started);
      expect(started.err()).toContain('no window (Electron could not run, see above)');
    },
  );
});

describe('Electron that is not there', () => {
  it('is fetched where it can be', async () => {
    const mirror = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void mirror.close());
    await once(mirror, 'listening');
    const { port } = mirror.address() as AddressInfo; // it listens on TCP
    const started = tree.start({ ...desktop, ELECTRON_MIRROR: `http://127.0.0.1:${port}/` });
    expect(await started.ended).toBe(0);
    expect(started.err()).toContain('fetching Electron (once, at most a minute) ...');
    expect(started.out()).toBe(`window of ${tree.folder}\n`);
  });

  it('is tried for once a day; the reason is said in one line and the service starts', async () => {
    const env = { ...desktop, ELECTRON_MIRROR: `http://127.0.0.1:${await freePort()}/` };
    const first = tree.start(env);
    await whenReady(first);
    await stop(first);
    expect(first.err()).toContain('no window (Electron: 127.0.0.1 cannot be reached (ECONNREFUSED))');
    const second = tree.start(env);
    await whenReady(second);
    await stop(second);
    expect(second.err()).not.toContain('fetching');
    expect(second.err()).toContain('no window (Electron is not there)');
    const tried = join(tree.folder, 'node_modules/.cache/orangery/electron-fetch');
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(tried, yesterday, yesterday);
    const third = tree.start(env);
    await whenReady(third);
    expect(third.err()).toContain('fetching Electron');
  });

  it('is not fetched under CI', async () => {
    const started = tree.start({ ...desktop, CI: 'true' });
    await whenReady(started);
    expect(started.err()).not.toContain('fetching');
    expect(tree.has('node_modules/.cache')).toBe(false);
  });
});
