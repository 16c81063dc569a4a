import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { shellChannels } from '../../../electron/ipc/contract.ts';
import { electron, FakeWindow, preventable, resetElectron } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { alarm, ask, item, memory, open, settle, shellFolder, tell, trayItem, updates, url } =
  await import('./opened-shell.ts');
const { app } = electron;

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
      window?.destroy();
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
      writeFileSync(join(shellFolder(), 'state.json'), text);
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
      expect.objectContaining({ message: 'The page crashed several times' }),
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

  it('stay on the page that was opened while the service was away', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    open();
    const [window] = FakeWindow.opened;
    window?.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', `${url}/`, true);
    tell([alarm(1)]);
    electron.Notification.shown.at(-1)?.emit('click');
    expect(window?.loaded.at(-1)).toBe(`${url}/alarms`);
    vi.advanceTimersByTime(2_000);
    expect(window?.loaded.at(-1)).toBe(`${url}/alarms`);
  });

  it('close for an update without saying that control goes on', async () => {
    open();
    updates.check.mockResolvedValueOnce(true);
    item('Check for updates')?.click?.({ checked: false });
    await settle();
    expect(app.quit).toHaveBeenCalledOnce();
    expect(app.relaunch).toHaveBeenCalledOnce();
    expect(electron.Notification.shown).toEqual([]);
    expect(memory().state.was_told_of_tray).toBe(false);
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

    it('are all remembered when they are closed without the application, however long one is asked for', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      open();
      await ask(shellChannels.openWindow, '/alarms');
      const [first] = FakeWindow.opened;
      if (first === undefined) throw new Error('no window');
      const held = vi.spyOn(first, 'close').mockImplementation(() => (first.emit('close', preventable()), hold(first)));
      let leave: (answer: { response: number }) => void = () => undefined;
      electron.dialog.showMessageBox
        .mockResolvedValueOnce({ response: 1 })
        .mockReturnValueOnce(new Promise((resolve) => (leave = resolve)));
      trayItem('Quit')?.click?.({ checked: false });
      await settle();
      vi.advanceTimersByTime(1_000);
      held.mockRestore();
      leave({ response: 1 });
      for (const _window of FakeWindow.opened) await settle();
      vi.advanceTimersByTime(1_000);
      expect(FakeWindow.opened.map((one) => one.isDestroyed())).toEqual([true, true]);
      expect(memory().state.windows).toHaveLength(2);
      expect(app.quit).not.toHaveBeenCalled();
    });

    it.each([
      ['quit', 0],
      ['closed', 1],
    ])(
      'stay when they were to be %s twice, and the one that was asked for is closed later',
      async (_what, response) => {
        open();
        await ask(shellChannels.openWindow, '/alarms');
        const [first] = FakeWindow.opened;
        if (first === undefined) throw new Error('no window');
        const held = vi
          .spyOn(first, 'close')
          .mockImplementation(() => (first.emit('close', preventable()), hold(first)));
        let stay: (answer: { response: number }) => void = () => undefined;
        electron.dialog.showMessageBox
          .mockResolvedValueOnce({ response })
          .mockReturnValueOnce(new Promise((resolve) => (stay = resolve)))
          .mockResolvedValueOnce({ response });
        for (const _time of [1, 2]) {
          trayItem('Quit')?.click?.({ checked: false });
          await settle();
        }
        stay({ response: 0 });
        await settle();
        held.mockRestore();
        first.close();
        for (const _window of FakeWindow.opened) await settle();
        expect(FakeWindow.opened.map((one) => one.isDestroyed())).toEqual([true, false]);
        expect(app.quit).not.toHaveBeenCalled();
      },
    );

    it('do not keep an application whose service has stopped', () => {
      open();
      app.emit('before-quit', {});
      expect(hold(FakeWindow.opened[0]).preventDefault).toHaveBeenCalledOnce();
      expect(electron.dialog.showMessageBox).not.toHaveBeenCalled();
    });
  });

  it('have the colours of the page from their first moment, also after a start', async () => {
    open();
    await ask(shellChannels.setTheme, 'dark');
    expect(electron.nativeTheme.themeSource).toBe('dark');
    resetElectron();
    electron.nativeTheme.shouldUseDarkColors = true;
    open();
    electron.nativeTheme.shouldUseDarkColors = false;
    expect(electron.nativeTheme.themeSource).toBe('dark');
    expect(FakeWindow.opened[0]?.options).toMatchObject({ backgroundColor: '#14181b' });
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
