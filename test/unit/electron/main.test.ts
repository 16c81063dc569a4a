import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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
let service: { url: string; setupToken: () => string | null; leafCertificate: () => string; stop: () => Promise<void> };

beforeEach(() => {
  resetElectron();
  vi.resetModules();
  vi.unstubAllEnvs();
  log.mockImplementation(() => undefined);
  complain.mockImplementation(() => undefined);
  directory = join(testFolder(), 'data');
  vi.stubEnv('ORANGERY_DATA_DIR', directory);
  service = {
    url: 'https://localhost:8443',
    setupToken: () => 'token',
    leafCertificate: () => '',
    stop: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  };
  startService.mockImplementation(() => Promise.resolve(service));
});

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
      expect.objectContaining({ dataDirectory: directory, linger_s: 0, httpsPort: 8443 }),
    );
    const [window, ...others] = FakeWindow.opened;
    expect(others).toEqual([]);
    expect(window?.loadURL).toHaveBeenCalledExactlyOnceWith(service.url);
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
    const { setCertificateVerifyProc, setPermissionRequestHandler } = electron.session.defaultSession;
    const decided: number[] = [];
    FakeWindow.loading.mockImplementation(() => {
      decided.push(setCertificateVerifyProc.mock.calls.length, setPermissionRequestHandler.mock.calls.length);
      decided.push(app.listenerCount('web-contents-created'), electron.ipcMain.answers.size);
      return Promise.resolve();
    });
    await boot();
    expect(decided).toEqual([1, 1, 1, Object.keys(shellChannels).length]);
  });

  it('shows the window when its page has drawn itself', async () => {
    await boot();
    const [window] = FakeWindow.opened;
    expect(window?.show).not.toHaveBeenCalled();
    window?.emit('ready-to-show');
    expect(window?.show).toHaveBeenCalledOnce();
  });

  it('shows the window when its page cannot be loaded', async () => {
    FakeWindow.loading.mockRejectedValue(new Error('ERR_FAILED'));
    await boot();
    expect(FakeWindow.opened[0]?.show).toHaveBeenCalledOnce();
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
    app.emit('second-instance');
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
    expect(FakeWindow.opened).toEqual([]);
    expect(electron.dialog.showErrorBox).not.toHaveBeenCalled();
  });

  it('of a package also shows it, for there is no terminal', async () => {
    app.isPackaged = true;
    await boot();
    expect(electron.dialog.showErrorBox).toHaveBeenCalledOnce();
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
    expect(FakeWindow.opened).toEqual([]);
    expect(service.stop).toHaveBeenCalledOnce();
    expect(app.quit).toHaveBeenCalledOnce();
  });

  it('comes after 5 s even if the service does not stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    service.stop = () => new Promise(() => undefined);
    await boot();
    askToQuit();
    vi.advanceTimersByTime(4_999);
    expect(app.exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(app.exit).toHaveBeenCalledExactlyOnceWith(1);
    vi.useRealTimers();
  });

  it('is asked for when the last window closes', async () => {
    await boot();
    app.emit('window-all-closed');
    expect(app.quit).toHaveBeenCalledOnce();
  });
});
