import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import packaging from '../../../build/electron-builder.json' with { type: 'json' };
import type { Service } from '../../../server/service.ts';
import { shellChannels } from '../../../electron/ipc/contract.ts';
import { testFolder } from '../../support/database.ts';
import { electron, FakeWindow, preventable, resetElectron } from '../../support/fake-electron.ts';

const startService = vi.fn<(options: Record<string, unknown>) => Promise<Service>>();
vi.mock('electron', () => electron);
vi.mock('../../../server/service.ts', () => ({ startService }));

const { app } = electron;
const log = vi.spyOn(console, 'log');
const complain = vi.spyOn(console, 'error');
let directory: string;
let service: { -readonly [Key in keyof Service]: Service[Key] };

beforeEach(() => {
  resetElectron();
  vi.resetModules();
  vi.unstubAllEnvs();
  log.mockImplementation(() => undefined);
  complain.mockImplementation(() => undefined);
  directory = join(testFolder(), 'data');
  vi.stubEnv('ORANGERY_DATA_DIR', directory);
  vi.stubEnv('ORANGERY_HTTPS_PORT', '0'); // nothing is looked for
  vi.stubEnv('ORANGERY_LOG_LEVEL', 'silent');
  vi.stubEnv('XDG_CONFIG_HOME', join(directory, 'config'));
  service = {
    url: 'https://localhost:8443',
    setupToken: () => 'token',
    leafCertificate: () => '',
    watchAlarms: () => () => undefined,
    stop: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  };
  startService.mockImplementation(() => Promise.resolve(service));
});

const heard = ['uncaughtException', 'unhandledRejection', 'exit'] as const;
const before = heard.flatMap((name) => process.rawListeners(name));

/** main listens to the process for as long as that lives, which here is longer than a test. */
function forgetListeners(): void {
  for (const name of heard) {
    for (const one of process.rawListeners(name)) {
      if (!before.includes(one)) process.removeListener(name, one as () => void); // as it was registered
    }
  }
}

afterEach(forgetListeners);

/** Runs main as Electron does, until everything that it began has had its turn. */
async function boot(): Promise<void> {
  await import('../../../electron/main.ts');
  await settle();
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function askToQuit(): ReturnType<typeof preventable> {
  const event = preventable();
  app.emit('before-quit', event);
  return event;
}

describe('a start', () => {
  it('starts the service with a daemon that ends with it, and opens its page', async () => {
    await boot();
    expect(startService).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ dataDirectory: directory, linger_s: 0, httpsPort: 0 }),
    );
    const [window, ...others] = FakeWindow.opened;
    expect(others).toEqual([]);
    expect(window?.loaded.filter((url) => !url.startsWith('data:'))).toEqual([`${service.url}/`]);
    expect(log.mock.calls).toEqual([['setup token: token'], [`ready ${service.url}`]]);
  });

  it('says no token once there is an account', async () => {
    service.setupToken = () => null;
    await boot();
    expect(log.mock.calls).toEqual([[`ready ${service.url}`]]);
  });

  it('gives the page the sandbox and nothing of Node', async () => {
    await boot();
    expect(FakeWindow.opened[0]?.options['webPreferences']).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      preload: expect.stringMatching(/preload[/\\]index\.cjs$/) as string,
    });
  });

  it('decides what the page may do before it loads it', async () => {
    const { setCertificateVerifyProc, setPermissionRequestHandler } = electron.session.fromPartition('');
    const decided: number[] = [];
    FakeWindow.loading.mockImplementation((url) => {
      if (!url.startsWith('https:')) return Promise.resolve();
      decided.push(setCertificateVerifyProc.mock.calls.length, setPermissionRequestHandler.mock.calls.length);
      decided.push(app.listenerCount('web-contents-created'), electron.ipcMain.answers.size);
      return Promise.resolve();
    });
    await boot();
    expect(decided).toEqual([1, 1, 1, Object.keys(shellChannels).length]);
  });

  it('shows a window at once, before there is a service, and in it what it waits for', async () => {
    const starting = Promise.withResolvers<Service>();
    startService.mockImplementation(({ onStep }) => {
      for (const step of ['databases', 'certificate']) (onStep as (step: string) => void)(step);
      return starting.promise;
    });
    await boot();
    const [window] = FakeWindow.opened;
    expect(window?.show).toHaveBeenCalledOnce();
    const pages = window?.loaded.map((url) => /aria-current="step">([^<]+)/.exec(decodeURIComponent(url))?.[1]);
    const shown = ['Looking for a running service', 'Opening the databases', 'Checking the certificate'];
    expect([...new Set(pages)]).toEqual(shown);
    starting.resolve(service);
    await settle();
    expect(window?.loaded.at(-1)).toBe(`${service.url}/`);
    expect(FakeWindow.opened).toHaveLength(1);
  });

  it('takes the name by which its installer made it known to Windows, which shows its notifications then', async () => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    await boot();
    platform.mockRestore();
    expect(app.setAppUserModelId).toHaveBeenCalledExactlyOnceWith(packaging.appId);
  });

  it('at a log-in opens no window, only the tray', async () => {
    process.argv.push('--hidden');
    try {
      await boot();
    } finally {
      process.argv.pop();
    }
    expect(FakeWindow.opened).toEqual([]);
    expect(electron.Tray.made).toHaveLength(1);
  });

  it('keeps the profile with the data, so that another data directory can have a shell of its own', async () => {
    await boot();
    expect(app.setPath).toHaveBeenCalledExactlyOnceWith('userData', join(directory, 'shell'));
    expect(existsSync(join(directory, 'shell'))).toBe(true);
    const [order = 0] = app.setPath.mock.invocationCallOrder;
    expect(order).toBeLessThan(app.requestSingleInstanceLock.mock.invocationCallOrder[0] ?? 0);
  });

  it('beside another raises the first and leaves', async () => {
    await boot();
    app.emit('second-instance', {}, ['orangery']);
    expect(FakeWindow.opened[0]?.restore).toHaveBeenCalledOnce();
    expect(FakeWindow.opened[0]?.focus).toHaveBeenCalledOnce();
    vi.resetModules();
    startService.mockClear();
    app.hasLock = false;
    await boot();
    expect(app.quit).toHaveBeenCalledOnce();
    expect(startService).not.toHaveBeenCalled();
  });
});

describe('what the page may ask', () => {
  const own = { senderFrame: { parent: null, url: 'https://localhost:8443/setup' } };

  it('is the setup token', async () => {
    await boot();
    expect(await electron.ipcMain.answers.get(shellChannels.setupToken)?.(own)).toBe('token');
  });

  it('is to show the data directory; what stands in the way is told', async () => {
    await boot();
    const show = electron.ipcMain.answers.get(shellChannels.showDataDirectory);
    await show?.(own);
    expect(electron.shell.openPath).toHaveBeenCalledExactlyOnceWith(directory);
    electron.shell.openPath.mockResolvedValueOnce('no file manager');
    await expect(show?.(own)).rejects.toThrow('no file manager');
  });
});

describe('a start that fails', () => {
  beforeEach(() => {
    startService.mockRejectedValue(new Error('daemon port 9080 is taken by another program'));
  });

  it('says why in one line and exits with 1', async () => {
    await boot();
    expect(complain.mock.calls).toEqual([['orangery: daemon port 9080 is taken by another program']]);
    expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
    expect(electron.dialog.showMessageBoxSync).not.toHaveBeenCalled();
  });

  it.each([
    [0, 'again', 1],
    [2, 'no more', 0],
  ])('of a package also shows it, for there is no terminal: answer %i starts it %s', async (answer, _what, starts) => {
    app.isPackaged = true;
    electron.dialog.showMessageBoxSync.mockReturnValueOnce(answer);
    await boot();
    expect(electron.dialog.showMessageBoxSync).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ detail: 'daemon port 9080 is taken by another program' }),
    );
    expect(app.relaunch).toHaveBeenCalledTimes(starts);
    expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('of a package before there can be a dialog waits until there can', async () => {
    app.isPackaged = true;
    vi.stubEnv('ORANGERY_HTTPS_PORT', 'x');
    const ready = Promise.withResolvers<void>();
    app.whenReady.mockReturnValueOnce(ready.promise);
    await boot();
    expect(electron.dialog.showMessageBoxSync).not.toHaveBeenCalled();
    expect(app.exit).not.toHaveBeenCalled();
    ready.resolve();
    await settle();
    expect(electron.dialog.showMessageBoxSync).toHaveBeenCalledOnce();
    expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('of a package ends when the data folder is shown, not before', async () => {
    app.isPackaged = true;
    electron.dialog.showMessageBoxSync.mockReturnValueOnce(1);
    const shown = Promise.withResolvers<string>();
    electron.shell.openPath.mockReturnValueOnce(shown.promise);
    await boot();
    expect(app.exit).not.toHaveBeenCalled();
    shown.resolve('');
    await settle();
    expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('for a variable names it', async () => {
    vi.stubEnv('ORANGERY_HTTPS_PORT', 'x');
    await boot();
    expect(complain.mock.calls).toEqual([[expect.stringMatching(/^orangery: ORANGERY_HTTPS_PORT=x /)]]);
  });
});

describe('the end', () => {
  it('waits until the service has stopped, however often it is asked', async () => {
    const stopping = Promise.withResolvers<void>();
    service.stop = vi.fn<() => Promise<void>>(() => stopping.promise);
    await boot();
    for (const _ of [1, 2, 3]) expect(askToQuit().preventDefault).toHaveBeenCalledOnce();
    await settle();
    expect(service.stop).toHaveBeenCalledOnce();
    expect(app.quit).not.toHaveBeenCalled();
    stopping.resolve();
    await settle();
    expect(app.quit).toHaveBeenCalledOnce();
    expect(askToQuit().preventDefault).not.toHaveBeenCalled();
  });

  it('while it starts lets it start, then stops it without a window', async () => {
    const starting = Promise.withResolvers<Service>();
    startService.mockImplementation(() => starting.promise);
    await boot();
    expect(askToQuit().preventDefault).toHaveBeenCalledOnce();
    starting.resolve(service);
    await settle();
    expect(FakeWindow.opened[0]?.loaded.filter((url) => url.startsWith('https:'))).toEqual([]);
    expect(service.stop).toHaveBeenCalledOnce();
    expect(app.quit).toHaveBeenCalledOnce();
  });

  it('comes after 10 s even if the service does not stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    service.stop = () => new Promise(() => undefined);
    await boot();
    askToQuit();
    await settle();
    vi.advanceTimersByTime(9_999);
    expect(app.exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
    vi.useRealTimers();
  });

  it('while databases are migrated or put back waits for that as long as a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const starting = Promise.withResolvers<Service>();
    startService.mockImplementation(() => starting.promise);
    await boot();
    askToQuit();
    await settle();
    vi.advanceTimersByTime(59_999);
    expect(app.exit).not.toHaveBeenCalled();
    starting.resolve(service);
    await settle();
    expect(service.stop).toHaveBeenCalledOnce();
    expect([app.quit.mock.calls.length, app.exit.mock.calls.length]).toEqual([1, 0]);
    vi.useRealTimers();
  });

  it.each(['query-session-end', 'shutdown'])(
    'holds up that of the session (%s) until outputs are safe',
    async (name) => {
      await boot();
      const event = preventable();
      (name === 'shutdown' ? electron.powerMonitor : FakeWindow.opened[0])?.emit(name, event);
      expect(event.preventDefault).toHaveBeenCalledOnce();
      expect(app.quit).toHaveBeenCalledOnce();
      expect(electron.dialog.showMessageBox).not.toHaveBeenCalled();
    },
  );

  it('does not come when the last window closes: control goes on, which is said once', async () => {
    await boot();
    FakeWindow.opened[0]?.close();
    await settle();
    expect(app.quit).not.toHaveBeenCalled();
    expect(electron.Notification.shown.map(({ options }) => options.title)).toEqual(['Orangery keeps controlling']);
    app.emit('second-instance', {}, ['orangery']);
    FakeWindow.opened[1]?.close();
    await settle();
    expect(electron.Notification.shown).toHaveLength(1);
  });

  const quit = (): void => electron.Tray.made[0]?.setContextMenu.mock.lastCall?.[0].at(-1)?.click?.({ checked: false });

  it.each([
    ['stops control', 0, 1, true],
    ['closes the windows', 1, 0, true],
    ['does nothing', 2, 0, false],
  ])('is asked about from the tray, with what stops: the answer %s', async (_what, response, quits, closed) => {
    await boot();
    electron.dialog.showMessageBox.mockResolvedValueOnce({ response });
    quit();
    await settle();
    expect(electron.dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ detail: expect.stringContaining('Outputs go to their safe state') as string }),
    );
    expect(app.quit).toHaveBeenCalledTimes(quits);
    expect(FakeWindow.opened[0]?.isDestroyed()).toBe(closed);
  });
});

describe('a fault that nothing caught', () => {
  async function failOnce(): Promise<void> {
    const [own] = process.listeners('uncaughtException').filter((one) => !before.includes(one));
    own?.(new Error('made up'), 'uncaughtException');
    await settle();
  }

  it('on the way to the end that a person asked for starts nothing again', async () => {
    service.stop = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('the disk is full')));
    await boot();
    askToQuit();
    await failOnce();
    expect(app.relaunch).not.toHaveBeenCalled();
    expect(app.exit).toHaveBeenCalledWith(1);
    expect(electron.dialog.showMessageBox).not.toHaveBeenCalled();
  });

  it('drives the outputs safe and starts anew, but not again and again', async () => {
    for (const relaunches of [1, 1, 1, 0]) {
      resetElectron();
      vi.resetModules();
      await boot();
      await failOnce();
      expect(service.stop).toHaveBeenCalledOnce();
      expect(app.relaunch).toHaveBeenCalledTimes(relaunches);
      expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
      forgetListeners();
    }
    expect(electron.dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        message: 'Orangery keeps failing',
        detail: expect.stringContaining('dead-man') as string,
      }),
    );
  });

  it('again and again leaves the data directory to the next start, though nobody reads why', async () => {
    for (const _ of [1, 2, 3]) {
      await boot();
      await failOnce();
      forgetListeners();
      resetElectron();
      vi.resetModules();
    }
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    electron.dialog.showMessageBox.mockReturnValueOnce(new Promise(() => undefined));
    await boot();
    await failOnce();
    expect(app.exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(app.exit).toHaveBeenCalledWith(1);
    vi.useRealTimers();
  });
});
