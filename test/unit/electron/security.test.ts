import { rootCertificates } from 'node:tls';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { electron, newContents, preventable, resetElectron } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { confineContents, denyPermissions, trustOnly } = await import('../../../electron/security.ts');

const origin = 'https://localhost:8443';
const [leaf = '', another = ''] = rootCertificates; // any two certificates

beforeEach(resetElectron);

describe('trustOnly', () => {
  function decide(shown: string): number | undefined {
    const [proc] = electron.session.defaultSession.setCertificateVerifyProc.mock.lastCall ?? [];
    const decided = vi.fn<(code: number) => void>();
    proc?.({ certificate: { data: shown } }, decided);
    return decided.mock.lastCall?.[0];
  }

  it('takes the leaf that the service serves, and no other', () => {
    trustOnly(() => leaf);
    expect(decide(leaf)).toBe(0);
    expect(decide(another)).toBe(-2);
  });

  it('takes the next leaf once the service has one', () => {
    let served = leaf;
    trustOnly(() => served);
    served = another;
    expect(decide(another)).toBe(0);
    expect(decide(leaf)).toBe(-2);
  });
});

it('denyPermissions grants nothing, asked or looked up', () => {
  denyPermissions();
  const { setPermissionRequestHandler, setPermissionCheckHandler } = electron.session.defaultSession;
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read']) {
    const decided = vi.fn<(granted: boolean) => void>();
    setPermissionRequestHandler.mock.lastCall?.[0]({}, permission, decided);
    expect(decided).toHaveBeenCalledExactlyOnceWith(false);
  }
  expect(setPermissionCheckHandler.mock.lastCall?.[0]()).toBe(false);
});

describe('confineContents', () => {
  beforeEach(() => confineContents(electron.app as never, origin)); // the part of the application that it uses

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
  ])('opens no window for %s; the browser gets it: %s', (url, isGiven) => {
    const handler = newContents(electron.app).setWindowOpenHandler.mock.lastCall?.[0];
    expect(handler?.({ url })).toEqual({ action: 'deny' });
    expect(electron.shell.openExternal.mock.calls).toEqual(isGiven ? [[url]] : []);
  });
});
