import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { shellChannels, shellEvents } from '../../../electron/ipc/contract.ts';
import { briefOf } from '../../../server/contract/alarm.ts';
import { deviceSays } from '../../../server/contract/device-words.ts';
import { linkIn, pathOfLink } from '../../../electron/deep-link.ts';
import { bootSteps, startPage } from '../../../electron/start-page.ts';
import { languageOf, wordsOf } from '../../../electron/words.ts';
import { electron, FakeWindow } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { alarm, ask, item, items, memory, menu, open, settle, shellFolder, tell, tray, trayItem, url } =
  await import('./opened-shell.ts');
const { app } = electron;

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
    expect(electron.shell.openPath).toHaveBeenCalledExactlyOnceWith(shellFolder());
  });
});

describe('tray and notifications', () => {
  it('count the alarms that need somebody; a new one is told once, by its name', () => {
    open();
    expect(app.setBadgeCount).toHaveBeenLastCalledWith(0);
    tell([alarm(1), alarm(2, { state: 'acknowledged' })]);
    expect(trayItem('1 alarm needs attention')).toBeDefined();
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

  it.each([
    [
      'en',
      'Warning: Device not working',
      'Gateway · north\nIt neither measures nor obeys until it works again.\na program stopped it: pyro (127.0.0.1:4)',
    ],
    [
      'ko',
      '경고: 장치가 작동하지 않음',
      'Gateway · north\n다시 작동할 때까지 측정도 제어도 되지 않습니다.\n중지시킨 프로그램: pyro (127.0.0.1:4)',
    ],
    [
      'ja',
      '警告：機器が動作していません',
      'Gateway · north\n復旧するまで測定も操作もできません。\n停止させたプログラム：pyro (127.0.0.1:4)',
    ],
  ])('tell in %s what a driver said, and of what', async (language, title, body) => {
    open();
    await ask(shellChannels.setLanguage, language);
    const message = deviceSays('told_to_end', { name: 'pyro (127.0.0.1:4)' });
    tell([alarm(1, { code: 'controller_down', source_name: 'Gateway', name: 'north', message })]);
    expect(electron.Notification.shown.map(({ options }) => options)).toMatchObject([{ title, body }]);
  });

  it('tell what was measured, and times as the reader writes them', async () => {
    open();
    await ask(shellChannels.setLanguage, 'ko');
    tell([alarm(1, { value: 12.51234, limit: 10, unit: 'm/s' })]);
    expect(electron.Notification.shown.at(-1)?.options.body).toBe('House 1\n12.51\u202fm/s, 상한 10\u202fm/s 초과');
    const clock = { code: 'clock_set', source_kind: 'daemon', source_name: null } as const;
    tell([alarm(2, { ...clock, message: '2026-03-01T06:00:00.000Z -> 2026-03-01T07:00:00.000Z' })]);
    expect(electron.Notification.shown.at(-1)?.options.body).toMatch(
      /^제어 서비스\n2026\. 3\. 1\. .+ → 2026\. 3\. 1\. /,
    );
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
    trayItem('Open at login')?.click?.({ checked: true });
    const file = join(shellFolder(), 'autostart/orangery.desktop');
    expect(readFileSync(file, 'utf8')).toMatch(/^Exec=".+" "--hidden"$/m);
    expect(trayItem('Open at login')?.checked).toBe(true);
    trayItem('Open at login')?.click?.({ checked: false });
    expect(() => readFileSync(file)).toThrow('ENOENT');
    vi.restoreAllMocks();
  });
});

it.each(['win32', 'darwin'] as const)('of %s begin at log-in by the system, hidden', (platform) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  open();
  trayItem('Open at login')?.click?.({ checked: true });
  expect(app.setLoginItemSettings).toHaveBeenCalledExactlyOnceWith({ openAtLogin: true, args: ['--hidden'] });
  vi.restoreAllMocks();
});

describe('a disk that takes no file for the log-in', () => {
  it('is told, and is no fault of the application', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    writeFileSync(join(shellFolder(), 'autostart'), 'not a folder');
    open();
    trayItem('Open at login')?.click?.({ checked: true });
    expect(electron.dialog.showMessageBox).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ detail: expect.stringMatching(/EEXIST|ENOTDIR/) as string }),
    );
    expect(trayItem('Open at login')?.checked).toBe(false);
    vi.restoreAllMocks();
  });
});

describe('attached to a service of the machine', () => {
  const brief = briefOf(alarm(1, { severity: 'emergency', code: 'frost' }));

  it('takes alarms from its page, and quits with its last window without asking: nothing stops', async () => {
    open({ kind: 'attached' });
    await ask(shellChannels.tellAlarms, []);
    await ask(shellChannels.tellAlarms, [brief]);
    expect(electron.Notification.shown.map(({ options }) => options.title)).toEqual(['Emergency: Frost']);
    const { alarm_id } = briefOf(alarm(2));
    await ask(shellChannels.tellAlarms, [
      brief,
      { alarm_id, severity: 'warning', code: 'of_tomorrow', message: 'Hot' },
    ]);
    expect(electron.Notification.shown[1]?.options).toMatchObject({ title: 'Warning: Alarm', body: 'Hot' });
    expect(await ask(shellChannels.status)).toMatchObject({ host: 'attached', data_directory: null });
    FakeWindow.opened[0]?.close();
    await settle();
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
