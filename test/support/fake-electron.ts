import { EventEmitter } from 'node:events';
import { vi } from 'vitest';

/** An event of Electron's whose default can be prevented. */
export function preventable<Members extends object>(members?: Members) {
  return { ...members, preventDefault: vi.fn<() => void>() };
}

class FakeContents extends EventEmitter {
  setWindowOpenHandler = vi.fn<(handler: (details: { url: string }) => unknown) => void>();
}

/** A page's contents as Electron announces them for every window, frame and view. */
export function newContents(app: EventEmitter): FakeContents {
  const contents = new FakeContents();
  app.emit('web-contents-created', {}, contents);
  return contents;
}

export class FakeWindow extends EventEmitter {
  static readonly opened: FakeWindow[] = [];
  /** What a test does at the moment when a page is loaded; a rejection is that of the load. */
  static readonly loading = vi.fn<() => Promise<void>>();
  readonly options: Record<string, unknown>;
  loadURL = vi.fn<(url: string) => Promise<void>>(() => FakeWindow.loading());
  show = vi.fn<() => void>();
  focus = vi.fn<() => void>();
  restore = vi.fn<() => void>();
  isMinimized = vi.fn<() => boolean>(() => true);

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    FakeWindow.opened.push(this);
  }
}

type VerifyProc = (request: { certificate: { data: string } }, decide: (code: number) => void) => void;

const session = {
  setCertificateVerifyProc: vi.fn<(proc: VerifyProc) => void>(),
  setPermissionRequestHandler:
    vi.fn<(handler: (contents: unknown, permission: string, decide: (granted: boolean) => void) => void) => void>(),
  setPermissionCheckHandler: vi.fn<(handler: () => boolean) => void>(),
};

class FakeApp extends EventEmitter {
  isPackaged = false;
  hasLock = true;
  whenReady = vi.fn<() => Promise<void>>(() => Promise.resolve());
  setPath = vi.fn<(name: string, path: string) => void>();
  requestSingleInstanceLock = vi.fn<() => boolean>(() => this.hasLock);
  exit = vi.fn<(code: number) => void>();
  quit = vi.fn<() => void>();
}

type Answer = (event: { senderFrame: unknown }, ...args: unknown[]) => unknown;

/** What main, window, security, gate and launcher ask of Electron, under the hand of the test. */
export const electron = {
  app: new FakeApp(),
  BrowserWindow: FakeWindow,
  session: { defaultSession: session },
  shell: {
    openExternal: vi.fn<(url: string) => Promise<void>>(() => Promise.resolve()),
    openPath: vi.fn<(path: string) => Promise<string>>(() => Promise.resolve('')),
  },
  dialog: { showErrorBox: vi.fn<(title: string, content: string) => void>() },
  ipcMain: {
    answers: new Map<string, Answer>(),
    handle(channel: string, answer: Answer): void {
      this.answers.set(channel, answer);
    },
    removeHandler(channel: string): void {
      this.answers.delete(channel);
    },
  },
  utilityProcess: { fork: vi.fn<(entry: string, args: string[], options: object) => EventEmitter>() },
};

/** As before the first import: call it before each test. */
export function resetElectron(): void {
  vi.clearAllMocks();
  electron.app.removeAllListeners();
  electron.app.isPackaged = false;
  electron.app.hasLock = true;
  electron.ipcMain.answers.clear();
  FakeWindow.opened.length = 0;
  FakeWindow.loading.mockReset().mockResolvedValue();
}
