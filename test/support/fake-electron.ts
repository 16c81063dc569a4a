import { EventEmitter } from 'node:events';
import { vi } from 'vitest';

/** An Electron event whose default can be prevented. */
export function preventable<Members extends object>(members?: Members) {
  return { ...members, preventDefault: vi.fn<() => void>() };
}

export class FakeContents extends EventEmitter {
  url = '';
  setWindowOpenHandler = vi.fn<(handler: (details: { url: string }) => unknown) => void>();
  send = vi.fn<(channel: string, ...args: unknown[]) => void>();
  forcefullyCrashRenderer = vi.fn<() => void>();
  getURL = (): string => this.url;
}

/** A page's contents as Electron announces them for every window, frame and view. */
export function newContents(app: EventEmitter): FakeContents {
  const contents = new FakeContents();
  app.emit('web-contents-created', {}, contents);
  return contents;
}

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class FakeWindow extends EventEmitter {
  static readonly opened: FakeWindow[] = [];
  /** Called when a page loads; a rejection is that of the load. */
  static readonly loading = vi.fn<(url: string) => Promise<void>>();
  static getAllWindows = (): FakeWindow[] => FakeWindow.opened;
  static getFocusedWindow = vi.fn<() => FakeWindow | null>(() => null);
  readonly options: Record<string, unknown>;
  readonly webContents = new FakeContents();
  bounds: Bounds;
  loadURL = vi.fn<(url: string) => Promise<void>>((url) => {
    this.webContents.url = url;
    return FakeWindow.loading(url);
  });
  setProgressBar = vi.fn<(share: number) => void>();
  show = vi.fn<() => void>();
  focus = vi.fn<() => void>();
  restore = vi.fn<() => void>();
  maximize = vi.fn<() => void>();
  reload = vi.fn<() => void>();
  setKiosk = vi.fn<(isKiosk: boolean) => void>();
  isMinimized = vi.fn<() => boolean>(() => true);
  isMaximized = vi.fn<() => boolean>(() => false);
  isFullScreen = vi.fn<() => boolean>(() => false);
  isDestroyed = vi.fn<() => boolean>(() => false);
  getNormalBounds = (): Bounds => this.bounds;

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    this.bounds = { x: 0, y: 0, width: 100, height: 100, ...(options as Partial<Bounds>) };
    this.bounds = (({ x, y, width, height }) => ({ x, y, width, height }))(this.bounds);
    FakeWindow.opened.push(this);
    electron.app.emit('web-contents-created', {}, this.webContents);
  }

  /** Pages of the shell and of the service that it was shown. */
  get loaded(): string[] {
    return this.loadURL.mock.calls.map(([url]) => url);
  }

  /** As Electron does, it is closed only once its page has unloaded. */
  close(): void {
    this.emit('close', preventable());
    setImmediate(() => this.destroy());
  }

  destroy(): void {
    if (this.isDestroyed()) return;
    this.isDestroyed.mockReturnValue(true);
    this.emit('closed');
    if (FakeWindow.opened.every((one) => one.isDestroyed())) electron.app.emit('window-all-closed');
  }
}

type VerifyProc = (
  request: { certificate: { data: string }; hostname: string },
  decide: (code: number) => void,
) => void;
type PermissionHandler = (
  contents: { getURL: () => string } | null,
  permission: string,
  decide: (granted: boolean) => void,
) => void;

function newSession() {
  return {
    setCertificateVerifyProc: vi.fn<(proc: VerifyProc) => void>(),
    setPermissionRequestHandler: vi.fn<(handler: PermissionHandler) => void>(),
    setPermissionCheckHandler:
      vi.fn<(handler: (contents: unknown, permission: string, origin: string) => boolean) => void>(),
    setDevicePermissionHandler: vi.fn<(handler: () => boolean) => void>(),
  };
}

const sessions = { own: newSession(), defaultSession: newSession() };

class FakeApp extends EventEmitter {
  isPackaged = false;
  hasLock = true;
  locale = 'en-GB';
  whenReady = vi.fn<() => Promise<void>>(() => Promise.resolve());
  enableSandbox = vi.fn<() => void>();
  setPath = vi.fn<(name: string, path: string) => void>();
  getPath = vi.fn<(name: string) => string>(() => '/profile');
  getAppPath = (): string => '/app';
  getLocale = (): string => this.locale;
  setAppUserModelId = vi.fn<(id: string) => void>();
  setBadgeCount = vi.fn<(count: number) => void>();
  setAsDefaultProtocolClient = vi.fn<(scheme: string) => void>();
  getLoginItemSettings = vi.fn<() => { openAtLogin: boolean }>(() => ({ openAtLogin: false }));
  setLoginItemSettings = vi.fn<(settings: object) => void>();
  requestSingleInstanceLock = vi.fn<() => boolean>(() => this.hasLock);
  relaunch = vi.fn<(options?: { execPath: string }) => void>();
  exit = vi.fn<(code: number) => void>();
  quit = vi.fn<() => void>();
}

export interface FakeItem {
  label?: string;
  role?: string;
  accelerator?: string;
  enabled?: boolean;
  checked?: boolean;
  click?: (item: { checked: boolean }) => void;
  submenu?: FakeItem[];
}

class FakeTray extends EventEmitter {
  static readonly made: FakeTray[] = [];
  setImage = vi.fn<(image: string) => void>();
  setToolTip = vi.fn<(text: string) => void>();
  setContextMenu = vi.fn<(menu: FakeItem[]) => void>();

  constructor() {
    super();
    FakeTray.made.push(this);
  }
}

class FakeNotification extends EventEmitter {
  static readonly shown: FakeNotification[] = [];
  static isSupported = (): boolean => true;
  readonly options: { title: string; body: string; urgency: string };
  close = vi.fn<() => void>();

  constructor(options: FakeNotification['options']) {
    super();
    this.options = options;
  }

  show(): void {
    FakeNotification.shown.push(this);
  }
}

type Answer = (event: { senderFrame: unknown }, ...args: unknown[]) => unknown;

/** The parts of Electron that the shell uses, controlled by the test. */
export const electron = {
  app: new FakeApp(),
  BrowserWindow: FakeWindow,
  Tray: FakeTray,
  Notification: FakeNotification,
  Menu: {
    setApplicationMenu: vi.fn<(menu: FakeItem[]) => void>(),
    buildFromTemplate: (template: FakeItem[]): FakeItem[] => template,
  },
  nativeImage: { createFromPath: (path: string): string => path },
  screen: { getAllDisplays: vi.fn<() => { workArea: Bounds }[]>() },
  session: { defaultSession: sessions.defaultSession, fromPartition: (_name: string) => sessions.own },
  shell: {
    openExternal: vi.fn<(url: string) => Promise<void>>(() => Promise.resolve()),
    showItemInFolder: vi.fn<(path: string) => void>(),
    openPath: vi.fn<(path: string) => Promise<string>>(() => Promise.resolve('')),
  },
  dialog: {
    showMessageBox: vi.fn<(...args: unknown[]) => Promise<{ response: number }>>(() =>
      Promise.resolve({ response: 0 }),
    ),
    showMessageBoxSync: vi.fn<(options: { detail: string }) => number>(() => 2),
    showOpenDialog: vi.fn<() => Promise<{ filePaths: string[] }>>(() => Promise.resolve({ filePaths: [] })),
  },
  nativeTheme: { themeSource: 'system', shouldUseDarkColors: false },
  powerMonitor: new EventEmitter(),
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

/** Restores the state before the first import: call it before each test. */
export function resetElectron(): void {
  vi.clearAllMocks();
  electron.app.removeAllListeners();
  electron.powerMonitor.removeAllListeners();
  electron.app.isPackaged = false;
  electron.app.hasLock = true;
  electron.app.locale = 'en-GB';
  electron.nativeTheme.themeSource = 'system';
  electron.ipcMain.answers.clear();
  FakeWindow.opened.length = 0;
  FakeTray.made.length = 0;
  FakeNotification.shown.length = 0;
  FakeWindow.getFocusedWindow.mockReturnValue(null);
  FakeWindow.loading.mockReset().mockResolvedValue();
  electron.screen.getAllDisplays.mockReturnValue([{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }]);
}
