// Takes the place of the `electron` module under Node, so that the built main bundle runs as it is and its window is a
// page of Chromium: node --import test/support/electron-stand-in.ts dist/main/index.js
import { fork } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { connect } from 'node:tls';
import { chromium, type Browser, type Frame } from 'playwright-core';
import { preloadScript } from './preload-script.ts';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

type VerifyProc = (request: { certificate: { data: string } }, decide: (code: number) => void) => void;
type Answer = (event: { senderFrame: unknown }, ...args: unknown[]) => unknown;

let verify: VerifyProc = (_request, decide) => decide(-2);
let browser: Browser | undefined;
const answers = new Map<string, Answer>();

class App extends EventEmitter {
  readonly isPackaged = false;
  readonly whenReady = (): Promise<void> => Promise.resolve();
  readonly isReady = (): boolean => true;
  readonly setPath = (): void => undefined;
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

export const session = {
  defaultSession: {
    setCertificateVerifyProc: (proc: VerifyProc) => (verify = proc),
    setPermissionRequestHandler: () => undefined,
    setPermissionCheckHandler: () => undefined,
  },
};
export const shell = { openExternal: () => Promise.resolve(), openPath: () => Promise.resolve('') };
export const dialog = { showErrorBox: () => undefined };
export const ipcMain = {
  handle: (channel: string, answer: Answer) => void answers.set(channel, answer),
  removeHandler: (channel: string) => answers.delete(channel),
};

/** Its children end with this process, however that ends: they have no linger. */
export const utilityProcess = {
  fork: (entry: string, args: string[]) => fork(entry, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
};

function servedCertificate(url: string): Promise<X509Certificate> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    // Whether it is trusted is what the shell decides; nothing is sent.
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/** The public key to trust, if the shell takes the certificate. */
async function pinOf(url: string): Promise<string> {
  const certificate = await servedCertificate(url);
  const code = await new Promise((decide) => verify({ certificate: { data: certificate.toString() } }, decide));
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

export class BrowserWindow extends EventEmitter {
  readonly #preload: string;
  readonly show = (): void => undefined;

  constructor({ webPreferences }: { webPreferences: { preload: string } }) {
    super();
    this.#preload = readFileSync(webPreferences.preload, 'utf8');
    app.emit('web-contents-created', {}, Object.assign(new EventEmitter(), { setWindowOpenHandler: () => undefined }));
  }

  async loadURL(url: string): Promise<void> {
    browser = await chromium.launch({
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }, // they are the shell's
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
        `--ignore-certificate-errors-spki-list=${await pinOf(url)}`,
        `--remote-debugging-port=${debuggingPort}`,
      ],
    });
    const context = await browser.newContext();
    await context.exposeBinding('__invoke', async ({ frame }, channel: string, args: unknown[]) =>
      answers.get(channel)?.({ senderFrame: asSender(frame) }, ...args),
    );
    await context.addInitScript(preloadScript(this.#preload));
    const page = await context.newPage();
    page.on('close', () => app.emit('window-all-closed'));
    await page.goto(url);
    this.emit('ready-to-show');
  }
}
