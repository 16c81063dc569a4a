import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alarm } from '../../../server/contract/alarm.ts';
import type { Host } from '../../../electron/host.ts';
import { shellChannels, shellEvents } from '../../../electron/ipc/contract.ts';
import { linkIn, pathOfLink } from '../../../electron/deep-link.ts';
import { ShellMemory } from '../../../electron/shell-state.ts';
import { bootSteps, startPage } from '../../../electron/start-page.ts';
import { languageOf, wordsOf } from '../../../electron/words.ts';
import { testFolder } from '../../support/database.ts';
import { electron, FakeWindow, preventable, resetElectron, type FakeItem } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { Shell } = await import('../../../electron/shell.ts');

const url = 'https://localhost:8443';
const { app } = electron;
let folder: string;
let tell: (alarms: Alarm[]) => void;

beforeEach(() => {
  resetElectron();
  folder = testFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});

const memory = () => new ShellMemory(join(folder, 'state.json'));
const updates = { check: vi.fn<() => Promise<boolean>>(), fromFile: vi.fn<() => Promise<boolean>>() };
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

interface Opening {
  kind?: Host['kind'];
  isHidden?: boolean;
  /** What happens before there is a service. */
  meanwhile?: () => void;
}

function open({ kind = 'hosted', isHidden = false, meanwhile }: Opening = {}) {
  const shell = new Shell({ memory: memory(), directory: folder, isHidden, updates });
  shell.listenForLinks(null);
  shell.begin();
  meanwhile?.();
  shell.open({
    kind,
    url,
    trusts: () => true,
    setupToken: () => null,
    stop: () => Promise.resolve(),
    ...(kind === 'hosted' && {
      watchAlarms: (listener: (alarms: Alarm[]) => void) => {
        tell = listener;
        listener([]);
        return () => undefined;
      },
    }),
  });
  return shell;
}

const menu = (): FakeItem[] => electron.Menu.setApplicationMenu.mock.lastCall?.[0] ?? [];
const items = (of: FakeItem[]): FakeItem[] => of.flatMap((one) => [one, ...items(one.submenu ?? [])]);
const item = (label: string): FakeItem | undefined => items(menu()).find((one) => one.label === label);
const tray = () => electron.Tray.made[0];
const trayItem = (label: string) => tray()?.setContextMenu.mock.lastCall?.[0].find((one) => one.label === label);
const ask = (channel: string, ...args: unknown[]): unknown =>
  electron.ipcMain.answers.get(channel)?.({ senderFrame: { parent: null, url: `${url}/` } }, ...args);

function alarm(id: number, rest: Partial<Alarm> = {}): Alarm {
  return {
    alarm_id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    ...{ code: 'wind', severity: 'warning', state: 'unacknowledged', is_raised: true, is_first_out: true },
    ...{ source_kind: 'facility', source_id: 'x', source_name: 'House 1', channel: null, role: null, name: null },
    ...{ value: null, limit: null, unit: null, message: null, occurrences: 1 },
    ...{ raised_at: '2026-01-01T00:00:00.000Z', changed_at: '2026-01-01T00:00:00.000Z' },
    ...{ acknowledged_by: null, acknowledged_at: null, shelved_until: null },
    ...rest,
  };
}

describe('the page of a start', () => {
  it.each(['en', 'ko', 'ja'] as const)('names each step in %s, without script', (language) => {
    const words = wordsOf(language);
    for (const step of bootSteps) {
      const page = decodeURIComponent(startPage(words, language, step));
      expect(page).toContain(`aria-current="step">${words.boot[step]}<`);
      expect(page).toContain("default-src 'none'");
      expect(page).not.toContain('<script');
    }
  });

  it('speaks English where the system speaks what is not spoken here', () => {
    expect(['ko-KR', 'ja', 'en-GB', 'de-DE', ''].map(languageOf)).toEqual(['ko', 'ja', 'en', 'en', 'en']);
  });
});

describe('links', () => {
  it.each([
    ['orangery://alarms', '/alarms'],
    ['orangery://maps/0c5e91f2?zoom=3', '/maps/0c5e91f2?zoom=3'],
    ['orangery:///houses', '/houses'],
    ['orangery://', '/'],
    ['orangery://api/settings', null],
    ['orangery:///api', null],
    ['orangery://x/..%2f..%2fetc', null],
    ['orangery://user@alarms', null],
    ['orangery://alarms:80/', null],
    ['https://example.org/', null],
    ['javascript:alert(1)', null],
    [`orangery://${'x'.repeat(2_000)}`, null],
    ['orangery', null],
  ])('%s opens %s', (link, path) => expect(pathOfLink(link)).toBe(path));

  it('lead to a page of this service, whatever they are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        const path = pathOfLink(`orangery://${text}`);
        if (path !== null) expect(new URL(url + path).origin).toBe(url);
      }),
      { numRuns: 300 },
    );
  });

  it('come with a second start and open in the window that is there', () => {
    open();
    const [window] = FakeWindow.opened;
    app.emit('second-instance', {}, ['/opt/orangery', '--flag', 'orangery://alarms']);
    expect(window?.webContents.send).toHaveBeenCalledExactlyOnceWith(shellEvents.open, '/alarms');
    expect(linkIn(['/opt/orangery'])).toBeNull();
  });
});

describe('windows', () => {
  it('come back where they were, each with its page', () => {
    const states = [
      { bounds: { x: 10, y: 20, width: 800, height: 600 }, is_maximized: false, is_full_screen: false, path: '/maps' },
      { bounds: { x: 900, y: 0, width: 700, height: 500 }, is_maximized: true, is_full_screen: false, path: '/houses' },
    ];
    memory().change({ windows: states });
    open();
    expect(FakeWindow.opened.map(({ options }) => options)).toMatchObject(states.map(({ bounds }) => bounds));
    expect(FakeWindow.opened.map(({ loaded }) => loaded.at(-1))).toEqual([`${url}/maps`, `${url}/houses`]);
    expect(FakeWindow.opened.map((one) => one.maximize.mock.calls.length)).toEqual([0, 1]);
    app.emit('before-quit', {});
    expect(memory().state.windows).toMatchObject([{ path: '/maps' }, { path: '/houses' }]);
  });

  it('are all remembered when the application ends, though they close one after the other', () => {
    open();
    item('New window')?.click?.({ checked: false });
    app.emit('before-quit', {});
    for (const window of FakeWindow.opened) window.close();
    expect(memory().state.windows).toHaveLength(2);
  });

  it('are twenty at most, and all remembered, whatever their pages are called', () => {
    open();
    for (let count = 0; count < 30; count += 1) item('New window')?.click?.({ checked: false });
    expect(FakeWindow.opened).toHaveLength(20);
    const [window] = FakeWindow.opened;
    if (window !== undefined) window.webContents.url = `${url}/maps?${'x'.repeat(3_000)}`;
    app.emit('before-quit', {});
    expect(memory().state.windows).toHaveLength(20);
    expect(memory().state.windows[0]?.path).toBe('/');
  });

  it('are confined from the first on, which is there before the service', () => {
    open();
    item('New window')?.click?.({ checked: false });
    for (const { webContents } of FakeWindow.opened) {
      expect(webContents.setWindowOpenHandler).toHaveBeenCalledOnce();
      const away = preventable({ url: 'https://example.org/' });
      webContents.emit('will-frame-navigate', away);
      expect(away.preventDefault).toHaveBeenCalledOnce();
      const own = preventable({ url: `${url}/maps` });
      webContents.emit('will-frame-navigate', own);
      expect(own.preventDefault).not.toHaveBeenCalled();
    }
  });

  it('opened from the tray after a hidden start are where the last one was', () => {
    const bounds = { x: 10, y: 20, width: 800, height: 600 };
    memory().change({ windows: [{ bounds, is_maximized: false, is_full_screen: false, path: '/trends' }] });
    open({ isHidden: true });
    expect(FakeWindow.opened).toEqual([]);
    trayItem('Open Orangery')?.click?.({ checked: false });
    expect(FakeWindow.opened[0]?.options).toMatchObject(bounds);
    expect(FakeWindow.opened[0]?.loaded).toEqual([`${url}/trends`]);
  });

  it('are opened after a hidden start that somebody did not wait for', () => {
    open({ isHidden: true, meanwhile: () => app.emit('second-instance', {}, ['orangery', 'orangery://alarms']) });
    expect(FakeWindow.opened.map(({ loaded }) => loaded)).toEqual([[`${url}/alarms`]]);
  });

  it('are opened again when the first was closed before there was a service, of which nothing goes on yet', () => {
    const meanwhile = (): void => {
      const [window] = FakeWindow.opened;
      window?.focus.mockImplementation(() => {
        throw new TypeError('Object has been destroyed'); // as Electron has it
      });
      window?.close();
      app.emit('second-instance', {}, ['orangery']);
    };
    open({ meanwhile });
    expect(FakeWindow.opened[1]?.loaded).toEqual([`${url}/`]);
    expect(electron.Notification.shown).toEqual([]);
    expect(memory().state.was_told_of_tray).toBe(false);
  });

  it('are not opened where no screen shows them', () => {
    const bounds = { x: 5_000, y: 0, width: 800, height: 600 };
    memory().change({ windows: [{ bounds, is_maximized: false, is_full_screen: false, path: '/' }] });
    open();
    expect(FakeWindow.opened[0]?.options).toMatchObject({ width: 800, height: 600 });
    expect(FakeWindow.opened[0]?.options).not.toHaveProperty('x');
  });

  it.each(['', '{', '[]', '{"windows":[{"bounds":1}],"is_kiosk":"x"}'])(
    'begin anew where the file holds %j',
    (text) => {
      writeFileSync(join(folder, 'state.json'), text);
      expect(memory().state).toMatchObject({ windows: [], is_kiosk: false, shows_alarms: true });
    },
  );

  it('load a page again that has ended, three times in a minute and no more', () => {
    open();
    const [window] = FakeWindow.opened;
    for (let count = 0; count < 5; count += 1)
      window?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(window?.reload).toHaveBeenCalledTimes(3);
    expect(electron.dialog.showMessageBox).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'The page ended several times' }),
    );
    window?.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(window?.reload).toHaveBeenCalledTimes(3);
  });

  it('say that the service is away, and try the page again until it answers', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    open();
    const [window] = FakeWindow.opened;
    window?.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', `${url}/alarms`, true);
    expect(window?.show).toHaveBeenCalledOnce(); // at its start: it must not come before other programs each time
    expect(decodeURIComponent(window?.loaded.at(-1) ?? '')).toContain('The service does not answer');
    vi.advanceTimersByTime(2_000);
    expect(window?.loaded.at(-1)).toBe(`${url}/alarms`);
    const count = window?.loaded.length;
    window?.webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', `${url}/`, true);
    window?.webContents.emit('did-fail-load', {}, -102, '', `${url}/frame`, false);
    expect(window?.loaded).toHaveLength(count ?? 0);
    vi.useRealTimers();
  });

  it('ask before a page is ended that does not respond', async () => {
    open();
    const [window] = FakeWindow.opened;
    window?.emit('unresponsive');
    await settle();
    expect(window?.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    electron.dialog.showMessageBox.mockResolvedValueOnce({ response: 1 });
    window?.emit('unresponsive');
    await settle();
    expect(window?.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
  });

  describe('with a page that is not saved', () => {
    /** As Electron tells that a page holds on to its window. */
    function hold(window: FakeWindow | undefined) {
      const event = preventable();
      window?.webContents.emit('will-prevent-unload', event);
      return event;
    }

    it.each([
      ['stay', 0, false],
      ['are closed', 1, true],
    ])('ask before they are closed, and %s', async (_what, response, isClosed) => {
      open();
      const [window] = FakeWindow.opened;
      electron.dialog.showMessageBox.mockResolvedValueOnce({ response });
      window?.emit('close', preventable());
      expect(hold(window).preventDefault).not.toHaveBeenCalled();
      hold(window);
      await settle();
      expect(electron.dialog.showMessageBox).toHaveBeenCalledOnce();
      expect(window?.isDestroyed()).toBe(isClosed);
      expect(window?.reload).not.toHaveBeenCalled();
    });

    it('ask before it is loaded again, and then the next time', async () => {
      open();
      const [window] = FakeWindow.opened;
      electron.dialog.showMessageBox.mockResolvedValueOnce({ response: 1 });
      hold(window);
      await settle();
      expect(window?.reload).toHaveBeenCalledOnce();
      expect(window?.isDestroyed()).toBe(false);
      expect(hold(window).preventDefault).toHaveBeenCalledOnce();
      window?.webContents.emit('did-navigate');
      expect(hold(window).preventDefault).not.toHaveBeenCalled();
    });

    it.each([
      ['go on with it, and with control', 0, 0],
      ['lose it', 1, 1],
    ])('are asked before the application is quit: who chooses so will %s', async (_what, response, quits) => {
      open();
      await ask(shellChannels.openWindow, '/alarms');
      const [first] = FakeWindow.opened;
      const close = first?.close.bind(first);
      if (first !== undefined) first.close = () => void (first.emit('close', preventable()), hold(first));
      electron.dialog.showMessageBox.mockResolvedValueOnce({ response: 0 }).mockImplementationOnce(async () => {
        if (first !== undefined && close !== undefined) first.close = close;
        return { response };
      });
      trayItem('Quit')?.click?.({ checked: false });
      await settle();
      await settle();
      expect(app.quit).toHaveBeenCalledTimes(quits);
      expect(FakeWindow.opened.map((one) => one.isDestroyed())).toEqual([quits === 1, quits === 1]);
      expect(memory().state.windows).toHaveLength(2);
      expect(electron.Notification.shown).toEqual([]);
    });

    it('do not keep an application whose service has stopped', () => {
      open();
      app.emit('before-quit', {});
      expect(hold(FakeWindow.opened[0]).preventDefault).toHaveBeenCalledOnce();
      expect(electron.dialog.showMessageBox).not.toHaveBeenCalled();
    });
  });

  it('become a kiosk and stay one after a start', () => {
    open();
    item('Kiosk mode')?.click?.({ checked: true });
    expect(FakeWindow.opened[0]?.setKiosk).toHaveBeenCalledExactlyOnceWith(true);
    resetElectron();
    open();
    expect(FakeWindow.opened[0]?.options).toMatchObject({ kiosk: true });
  });
});

describe('the menu', () => {
  it.each(['en', 'ko', 'ja'] as const)('has words for every line in %s, and each shortcut once', async (language) => {
    open();
    await ask(shellChannels.setLanguage, language);
    const all = items(menu()).filter((one) => one.label !== undefined);
    expect(all.length).toBeGreaterThan(25);
    expect(all.every((one) => one.label !== '' && (one.submenu ?? one.role ?? one.click) !== undefined)).toBe(true);
    const keys = all.flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(memory().state.language).toBe(language);
  });

  it.each(['/api', '/api/commissioning/1/report?language=en'])('leads out of %s, which does not listen', (path) => {
    open();
    const [window] = FakeWindow.opened;
    if (window !== undefined) window.webContents.url = url + path;
    item('Trends')?.click?.({ checked: false });
    expect(window?.webContents.send).not.toHaveBeenCalled();
    expect(window?.loaded.at(-1)).toBe(`${url}/trends`);
  });

  it('opens windows and pages, and shows the data folder', () => {
    open();
    item('New window')?.click?.({ checked: false });
    expect(FakeWindow.opened).toHaveLength(2);
    item('Trends')?.click?.({ checked: false });
    expect(FakeWindow.opened[1]?.webContents.send).toHaveBeenCalledExactlyOnceWith(shellEvents.open, '/trends');
    item('Show data folder')?.click?.({ checked: false });
    expect(electron.shell.openPath).toHaveBeenCalledExactlyOnceWith(folder);
  });
});

describe('tray and notifications', () => {
  it('count the alarms that need somebody; a new one is told once, by its name', () => {
    open();
    expect(app.setBadgeCount).toHaveBeenLastCalledWith(0);
    tell([alarm(1), alarm(2, { state: 'acknowledged' })]);
    expect(trayItem('1 alarm needs you')).toBeDefined();
    expect(app.setBadgeCount).toHaveBeenLastCalledWith(1);
    expect(tray()?.setImage).toHaveBeenLastCalledWith(expect.stringMatching(/tray-alarm\.png$/));
    tell([alarm(1)]);
    const [shown, ...others] = electron.Notification.shown;
    expect(others).toEqual([]);
    expect(shown?.options).toMatchObject({ title: 'Warning: Wind', body: 'House 1', urgency: 'critical' });
    shown?.emit('click');
    expect(FakeWindow.opened[0]?.webContents.send).toHaveBeenCalledExactlyOnceWith(shellEvents.open, '/alarms');
    tell([]);
    expect(tray()?.setImage).toHaveBeenLastCalledWith(expect.stringMatching(/tray\.png$/));
  });

  it('tell many at once as one', () => {
    open();
    tell([1, 2, 3].map((id) => alarm(id)));
    expect(electron.Notification.shown.map(({ options }) => options.title)).toEqual(['3 new alarms']);
  });

  it('tell nothing where nobody wants them', () => {
    open();
    trayItem('Show alarms as notifications')?.click?.({ checked: false });
    tell([alarm(1)]);
    expect(electron.Notification.shown).toEqual([]);
    expect(memory().state.shows_alarms).toBe(false);
  });

  it('begin at log-in by a file that the desktop reads, hidden', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    open();
    trayItem('Open at log-in')?.click?.({ checked: true });
    const file = join(folder, 'autostart/orangery.desktop');
    expect(readFileSync(file, 'utf8')).toMatch(/^Exec=".+" "--hidden"$/m);
    expect(trayItem('Open at log-in')?.checked).toBe(true);
    trayItem('Open at log-in')?.click?.({ checked: false });
    expect(() => readFileSync(file)).toThrow('ENOENT');
    vi.restoreAllMocks();
  });
});

describe('a disk that takes no file for the log-in', () => {
  it('is told, and is no fault of the application', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    writeFileSync(join(folder, 'autostart'), 'not a folder');
    open();
    trayItem('Open at log-in')?.click?.({ checked: true });
    expect(electron.dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ detail: expect.stringMatching(/EEXIST|ENOTDIR/) as string }),
    );
    expect(trayItem('Open at log-in')?.checked).toBe(false);
    vi.restoreAllMocks();
  });
});

describe('attached to a service of the machine', () => {
  const brief = { alarm_id: alarm(1).alarm_id, severity: 'emergency', code: 'frost', place: 'House 2', message: '' };

  it('takes alarms from its page, and quits with its last window without asking: nothing stops', async () => {
    open({ kind: 'attached' });
    await ask(shellChannels.tellAlarms, []);
    await ask(shellChannels.tellAlarms, [brief]);
    expect(electron.Notification.shown.map(({ options }) => options.title)).toEqual(['Emergency: Frost']);
    expect(await ask(shellChannels.status)).toMatchObject({ host: 'attached', data_directory: null });
    FakeWindow.opened[0]?.close();
    expect(app.quit).toHaveBeenCalledOnce();
    expect(electron.dialog.showMessageBox).not.toHaveBeenCalled();
  });

  it('believes no page where the service itself tells them', async () => {
    open();
    await ask(shellChannels.tellAlarms, [brief]);
    expect(app.setBadgeCount).toHaveBeenLastCalledWith(0);
  });
});

describe('what the page chooses', () => {
  it('is a folder by the dialog of the system, null where it is left', async () => {
    open();
    expect(await ask(shellChannels.chooseFolder)).toBeNull();
    electron.dialog.showOpenDialog.mockResolvedValueOnce({ filePaths: ['/mnt/usb'] });
    expect(await ask(shellChannels.chooseFolder)).toBe('/mnt/usb');
  });

  it('is answered by what holds then', async () => {
    open();
    expect(await ask(shellChannels.status)).toMatchObject({ host: 'hosted', is_kiosk: false, shows_alarms: true });
    expect(await ask(shellChannels.choose, { is_kiosk: true })).toMatchObject({ is_kiosk: true, shows_alarms: true });
  });
});
