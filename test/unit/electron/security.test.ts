import { rootCertificates } from 'node:tls';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { electron, newContents, preventable, resetElectron } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { confineContents, denyPermissions, trustOnly } = await import('../../../electron/security.ts');

const origin = 'https://localhost:8443';
const [leaf = '', another = ''] = rootCertificates; // any two certificates

beforeEach(resetElectron);

const { defaultSession } = electron.session;
const own = electron.session.fromPartition('');

describe('trustOnly', () => {
  function decide(shown: string, hostname = 'localhost'): Promise<number> {
    const [proc] = own.setCertificateVerifyProc.mock.lastCall ?? [];
    return new Promise((resolve) => proc?.({ certificate: { data: shown }, hostname }, resolve));
  }

  it('takes what the host vouches for, and nothing else', async () => {
    trustOnly((certificate, hostName) => certificate === leaf && hostName === 'localhost');
    expect(await decide(leaf)).toBe(0);
    expect(await decide(another)).toBe(-2);
    expect(await decide(leaf, 'example.org')).toBe(-2);
  });

  it('leaves every other session as it is', () => {
    trustOnly(() => true);
    expect(defaultSession.setCertificateVerifyProc).not.toHaveBeenCalled();
  });

  it.each([
    ['at once', () => { throw new Error('no certificate'); }], // prettier-ignore
    ['after a look', () => Promise.reject(new Error('no certificate'))],
  ])('refuses what cannot be read %s, and ends nothing', async (_when, judge) => {
    trustOnly(judge);
    expect(await decide('rubbish')).toBe(-2);
  });
});

describe('denyPermissions', () => {
  const pages = { own: { getURL: () => `${origin}/maps` }, other: { getURL: () => 'https://example.org/' } };

  function asked(target: typeof own, permission: string, contents: { getURL: () => string } | null): unknown {
    const decided = vi.fn<(granted: boolean) => void>();
    target.setPermissionRequestHandler.mock.lastCall?.[0](contents, permission, decided);
    return decided.mock.lastCall?.[0];
  }

  it.each([
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'midi',
    'pointerLock',
    'openExternal',
    'hid',
    'serial',
    'usb',
    'display-capture',
    'fileSystem',
    'anything new',
  ])('grants %s to no page in any session, asked or looked up', (permission) => {
    denyPermissions(origin);
    for (const target of [own, defaultSession]) {
      expect(asked(target, permission, pages.own)).toBe(false);
      expect(target.setPermissionCheckHandler.mock.lastCall?.[0](pages.own, permission, `${origin}/`)).toBe(false);
      expect(target.setDevicePermissionHandler.mock.lastCall?.[0]()).toBe(false);
    }
  });

  it.each(['clipboard-sanitized-write', 'fullscreen'])('grants %s to our own page alone', (permission) => {
    denyPermissions(origin);
    expect(asked(own, permission, pages.own)).toBe(true);
    expect(asked(own, permission, pages.other)).toBe(false);
    expect(asked(own, permission, null)).toBe(false);
    const check = own.setPermissionCheckHandler.mock.lastCall?.[0];
    expect(check?.(pages.own, permission, `${origin}/`)).toBe(true);
    expect(check?.(pages.other, permission, 'https://example.org/')).toBe(false);
  });
});

describe('confineContents', () => {
  const openWindow = vi.fn<(path: string) => void>();
  let served: string | undefined;
  beforeEach(() => {
    served = origin;
    confineContents(electron.app as never, { origin: () => served, openWindow }); // the part of the application that it uses
  });

  const away = [
    'https://example.org/',
    'https://localhost:9443/',
    'http://localhost:8443/',
    'https://localhost:8443.example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'no address',
  ];

  it.each(['will-frame-navigate', 'will-redirect'])('%s: only pages of the service', (name) => {
    const contents = newContents(electron.app);
    for (const url of away) {
      const event = preventable({ url });
      contents.emit(name, event);
      expect(event.preventDefault, url).toHaveBeenCalledOnce();
    }
    const own = preventable({ url: `${origin}/maps/1?x=2#y` });
    contents.emit(name, own);
    expect(own.preventDefault).not.toHaveBeenCalled();
  });

  it.each(['will-frame-navigate', 'will-redirect'])('%s: nowhere while there is no service', (name) => {
    const contents = newContents(electron.app);
    served = undefined;
    for (const url of [...away, `${origin}/`]) {
      const event = preventable({ url });
      contents.emit(name, event);
      expect(event.preventDefault, url).toHaveBeenCalledOnce();
    }
  });

  it('attaches no webview', () => {
    const event = preventable();
    newContents(electron.app).emit('will-attach-webview', event);
    expect(event.preventDefault).toHaveBeenCalledOnce();
  });

  it.each([
    ['https://example.org/manual', true],
    ['http://192.168.1.7/', true],
    [`${origin}/maps`, false],
    ['file:///etc/passwd', false],
    ['smb://server/share', false],
    ['javascript:alert(1)', false],
    ['no address', false],
  ])('leaves no page to open %s by itself; the browser gets it: %s', (url, isGiven) => {
    const handler = newContents(electron.app).setWindowOpenHandler.mock.lastCall?.[0];
    expect(handler?.({ url })).toEqual({ action: 'deny' });
    expect(electron.shell.openExternal.mock.calls).toEqual(isGiven ? [[url]] : []);
    expect(openWindow.mock.calls).toEqual(url.startsWith(`${origin}/`) ? [['/maps']] : []);
  });

  it('outlives a machine that has no browser', async () => {
    const unheard = vi.fn<(reason: unknown) => void>();
    process.on('unhandledRejection', unheard);
    const { openExternal } = electron.shell;
    const opened: string[] = [];
    // Not a mock: that would hear the rejection itself.
    const failing = (url: string) => Promise.reject(new Error(`Failed to open ${opened.push(url)}`));
    Object.assign(electron.shell, { openExternal: failing });
    newContents(electron.app).setWindowOpenHandler.mock.lastCall?.[0]({ url: 'https://example.org/' });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    Object.assign(electron.shell, { openExternal });
    process.removeListener('unhandledRejection', unheard);
    expect(opened).toEqual(['https://example.org/']);
    expect(unheard).not.toHaveBeenCalled();
  });
});
