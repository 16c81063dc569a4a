// Takes the place of the `electron` module under Node, so that the built main bundle runs as it is and its window is a
// page of Chromium: node --import test/support/electron-stand-in.ts dist/main/index.js
import { fork } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { connect } from 'node:tls';
import { chromium, type Browser, type Frame, type Page } from 'playwright-core';
import { chromiumPath } from './browser.ts';
import { preloadScript } from './preload-script.ts';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

type VerifyProc = (
  request: { certificate: { data: string }; hostname: string },
  decide: (code: number) => void,
) => void;
type Answer = (event: { senderFrame: unknown }, ...args: unknown[]) => unknown;

/** For measuring a start: writes to standard error when this was loaded, and when a window was created. */
function tell(what: string): void {
  if (process.env['STAND_IN_TELLS'] !== '1') return;
  process.stderr.write(`stand-in: ${what} at ${Math.round(performance.now())} ms\n`);
}

tell('loaded');
let verify: VerifyProc = (_request, decide) => decide(-2);
let browser: Browser | undefined;
const answers = new Map<string, Answer>();

class App extends EventEmitter {
  readonly isPackaged = false;
  readonly whenReady = (): Promise<void> => Promise.resolve();
  readonly isReady = (): boolean => true;
  readonly setPath = (): void => undefined;
  readonly enableSandbox = (): void => undefined;
  readonly getLocale = (): string => 'en-GB';
  readonly getAppPath = (): string => process.cwd();
  readonly setBadgeCount = (): void => undefined;
  readonly relaunch = (): void => undefined;
  readonly requestSingleInstanceLock = (): boolean => true;

  quit(): void {
    let isPrevented = false;
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.exit(0);
  }

  exit(code: number): void {
    void (browser?.close() ?? Promise.resolve()).finally(() => process.exit(code));
  }
}

export const app = new App();
// As Electron does on Linux and macOS.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());

const refusing = {
  setCertificateVerifyProc: () => undefined,
  setPermissionRequestHandler: () => undefined,
  setPermissionCheckHandler: () => undefined,
  setDevicePermissionHandler: () => undefined,
};
const ownSession = { ...refusing, setCertificateVerifyProc: (proc: VerifyProc) => (verify = proc) };
export const session = { defaultSession: refusing, fromPartition: () => ownSession };
export const shell = { openExternal: () => Promise.resolve(), openPath: () => Promise.resolve('') };
export const nativeTheme = { themeSource: 'system', shouldUseDarkColors: false };
export const powerMonitor = new EventEmitter();
export const dialog = { showMessageBox: () => Promise.resolve({ response: 0 }) };
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
export const Menu = { buildFromTemplate: () => undefined, setApplicationMenu: () => undefined };
export const nativeImage = { createFromPath: (path: string) => readFileSync(path) };

export class Tray extends EventEmitter {
  readonly setImage = (): void => undefined;
  readonly setToolTip = (): void => undefined;
  readonly setContextMenu = (): void => undefined;
}

/** There is no one to notify. */
export class Notification extends EventEmitter {
  static readonly isSupported = (): boolean => false;
}

export const ipcMain = {
  handle: (channel: string, answer: Answer) => void answers.set(channel, answer),
  removeHandler: (channel: string) => answers.delete(channel),
};

/** Its children end with this process in every case: they have no linger. */
export const utilityProcess = {
  fork: (entry: string, args: string[]) => fork(entry, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
};

function servedCertificate(url: string): Promise<X509Certificate> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    // The shell decides whether to trust it; nothing is sent.
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/** The public key to trust, if the shell accepts the certificate. */
async function pinOf(url: string): Promise<string> {
  const certificate = await servedCertificate(url);
  const code = await new Promise((decide) =>
    verify({ certificate: { data: certificate.toString() }, hostname: 'localhost' }, decide),
  );
  if (code !== 0) throw new Error('the shell refuses the certificate of its own service');
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/** Where the test that started this finds the window. */
const debuggingPort = process.env['STAND_IN_PORT'] ?? '0';

function asSender(frame: Frame): unknown {
  const parent = frame.parentFrame();
  return { url: frame.url(), parent: parent && asSender(parent) };
}

/** Chromium shows pages of the service; pages of the shell itself, before them, are skipped. */
export class BrowserWindow extends EventEmitter {
  static readonly getFocusedWindow = (): null => null;
  readonly #preload: string;
  readonly show = (): void => undefined;
  readonly focus = (): void => undefined;
  readonly isDestroyed = (): boolean => false;
  readonly setKiosk = (): void => undefined;
  readonly isMaximized = (): boolean => false;
  readonly isFullScreen = (): boolean => false;
  readonly getNormalBounds = () => ({ x: 0, y: 0, width: 1440, height: 900 });
  #page: Page | undefined;
  readonly webContents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: () => undefined,
    getURL: () => this.#page?.url() ?? '',
    send: (channel: string, value: unknown) =>
      void this.#page?.evaluate(deliver, [channel, value] as [string, unknown]),
  });

  constructor({ webPreferences }: { webPreferences: { preload: string } }) {
    super();
    this.#preload = readFileSync(webPreferences.preload, 'utf8');
    tell('window');
    app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    if (!url.startsWith('https:')) return;
    browser ??= await chromium.launch({
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false, // the shell handles these signals
      executablePath: chromiumPath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        `--ignore-certificate-errors-spki-list=${await pinOf(url)}`,
        `--remote-debugging-port=${debuggingPort}`,
      ],
    });
    const context = await browser.newContext();
    await context.exposeBinding('__invoke', async ({ frame }, channel: string, args: unknown[]) =>
      answers.get(channel)?.({ senderFrame: asSender(frame) }, ...args),
    );
    await context.addInitScript(preloadScript(this.#preload));
    this.#page = await context.newPage();
    this.#page.on('close', () => {
      this.emit('close', {});
      this.emit('closed');
      app.emit('window-all-closed');
    });
    await this.#page.goto(url);
    this.emit('ready-to-show');
  }
}

/** Runs in the page: the listeners of its preload. */
function deliver([channel, value]: [string, unknown]): void {
  (Reflect.get(globalThis, '__deliver') as (channel: string, value: unknown) => void)(channel, value);
}
