import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import { shellEvents } from './ipc/contract.ts';
import { originOf, ownSession, pathOf } from './security.ts';
import { mostWindows, type ShellMemory, type WindowState } from './shell-state.ts';
import { awayPage } from './start-page.ts';
import { askBeforeLoss } from './unsaved.ts';
import type { Words } from './words.ts';

interface WindowsOptions {
  memory: ShellMemory;
  preload: string;
  /** In the present language. */
  words: () => Words;
  language: () => string;
  /** The session of Windows is about to end; preventing the event delays that. */
  sessionEnds: (event: { preventDefault: () => void }) => void;
}

/** A page that ends more often than this within the window is not reloaded automatically. */
const mostCrashes = 3;
const crashWindowMs = 60_000;
const againMs = 2_000;
const keepMs = 500;
/** Chromium's code for a load that was replaced by another. */
const aborted = -3;
const firstSize = { width: 1440, height: 900 };
/** Colours of the frame that index.html shows first. */
const background = { light: '#dfe2e4', dark: '#14181b' };

/** The windows of the application: several, each where it was left, each reopened after its page has ended. */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #open = new Set<BrowserWindow>();
  #keeping: NodeJS.Timeout | undefined;
  #url: string | undefined;
  #isEnding = false;
  /** They close one after the other, which must not shrink the remembered list. */
  #isLeaving = false;
  #leaving: Promise<boolean> | undefined;
  readonly #staying = new WeakMap<BrowserWindow, () => void>();
  readonly #trying = new WeakMap<BrowserWindow, NodeJS.Timeout>();

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.size;
  }

  /** The window at once, before there is a service: it shows an address of the shell's own. */
  openStart(address: string): BrowserWindow {
    const [first] = this.#options.memory.state.windows;
    const window = this.#make(first);
    this.#load(window, address);
    window.show();
    return window;
  }

  /** From here on windows show pages of the service: the first, and those that were open at the last end. */
  showService(url: string, { path = null, isHidden }: { path?: string | null; isHidden: boolean }): void {
    this.#url = url;
    const [first, ...others] = this.#options.memory.state.windows;
    const [window] = this.#open;
    if (window !== undefined) this.#load(window, url + (path ?? first?.path ?? '/'));
    else if (!isHidden) this.open(path ?? first?.path, first);
    if (isHidden) return;
    for (const state of others) this.open(state.path, state);
  }

  /** Opens another window. */
  open(path = '/', state?: WindowState): void {
    if (this.#url === undefined || this.#open.size >= mostWindows) return;
    const window = this.#make(state);
    window.once('ready-to-show', () => window.show());
    this.#load(window, this.#url + path);
    this.#keepSoon();
  }

  /** Brings the application to the front, optionally on a page. */
  raise(path: string | null = null): void {
    const window = BrowserWindow.getFocusedWindow() ?? [...this.#open].at(-1);
    const [last] = this.#options.memory.state.windows;
    if (window === undefined) return this.open(path ?? last?.path, last);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (path === null || this.#url === undefined) return;
    if (this.#listens(window)) window.webContents.send(shellEvents.open, path);
    else this.#load(window, this.#url + path);
  }

  /** Whether it shows the application, which changes pages by itself; pages of the interface and its reports do not. */
  #listens({ webContents }: BrowserWindow): boolean {
    const shown = webContents.getURL();
    return originOf(shown) === this.#url && !/^\/api(?:[/?#]|$)/.test(pathOf(shown));
  }

  /** The whole screen without a frame and a menu, for a wall or a packing hall. */
  setKiosk(isKiosk: boolean): void {
    this.#options.memory.change({ is_kiosk: isKiosk });
    for (const window of this.#open) window.setKiosk(isKiosk);
  }

  /**
   * Closes them one after the other. Resolves with false if the person stays on a page with unsaved changes; the rest
   * then stay open.
   */
  leaveAll(): Promise<boolean> {
    // A second one would take over the question of the first, which then waits for good.
    this.#leaving ??= this.#leaveEach().finally(() => (this.#leaving = undefined));
    return this.#leaving;
  }

  async #leaveEach(): Promise<boolean> {
    this.keep();
    this.#isLeaving = true;
    try {
      for (const window of [...this.#open]) if (!(await this.#left(window))) return false;
      return true;
    } finally {
      this.#isLeaving = false;
    }
  }

  #left(window: BrowserWindow): Promise<boolean> {
    return new Promise((resolve) => {
      window.once('closed', () => resolve(true));
      this.#staying.set(window, () => resolve(false));
      window.close();
    });
  }

  /** Remembers all of them before they are closed with the application. */
  end(): void {
    if (!this.#isEnding) this.keep();
    this.#isEnding = true;
  }

  /** Remembers where the windows are. */
  keep(): void {
    clearTimeout(this.#keeping);
    const shown = [...this.#open].filter((one) => originOf(one.webContents.getURL()) === this.#url);
    if (shown.length > 0) this.#options.memory.change({ windows: shown.map(stateOf) });
  }

  get #isGoing(): boolean {
    return this.#isEnding || this.#isLeaving;
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.keep(), keepMs);
    this.#keeping.unref();
  }

  #make(state: WindowState | undefined): BrowserWindow {
    const { memory, preload } = this.#options;
    const window = new BrowserWindow({
      ...(state === undefined ? firstSize : visibleBounds(state.bounds)),
      minWidth: 360,
      minHeight: 480,
      show: false,
      kiosk: memory.state.is_kiosk,
      fullscreen: state?.is_full_screen === true,
      title: 'Orangery',
      autoHideMenuBar: true,
      backgroundColor: background[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
      webPreferences: webPreferences(preload),
    });
    if (state?.is_maximized === true) window.maximize();
    this.#open.add(window);
    this.#watch(window);
    return window;
  }

  #watch(window: BrowserWindow): void {
    for (const name of ['resize', 'move', 'maximize', 'unmaximize'] as const) {
      window.on(name as 'resize', () => this.#keepSoon()); // Electron types each name by itself
    }
    window.on('close', () => {
      if (!this.#isGoing && this.#open.size === 1) this.keep();
    });
    window.on('closed', () => {
      this.#open.delete(window);
      if (!this.#isGoing && this.#open.size > 0) this.#keepSoon();
    });
    askBeforeLoss(window, {
      words: this.#options.words,
      isEnding: () => this.#isEnding,
      stayed: () => this.#staying.get(window)?.(),
    });
    window.on('query-session-end', (event) => this.#options.sessionEnds(event));
    window.on('unresponsive', () => void this.#askHung(window));
    const { webContents } = window;
    webContents.on('did-navigate-in-page', () => this.#keepSoon());
    webContents.on('did-navigate', () => this.#keepSoon());
    const crashes: number[] = [];
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#revive(window, crashes);
    });
    webContents.on('did-fail-load', (_event, code, _text, url, isMainFrame) => {
      if (isMainFrame && code !== aborted) this.#tryAgain(window, url);
    });
  }

  /** Reloads a page that was ended by the system or by a fault of its own. */
  #revive(window: BrowserWindow, crashes: number[]): void {
    const now = performance.now();
    crashes.push(now);
    if (crashes.filter((at) => now - at < crashWindowMs).length <= mostCrashes) return window.reload();
    const { crashed } = this.#options.words();
    // The error box would block the service, which runs in this process, until someone closes it.
    void dialog.showMessageBox({ type: 'error', message: crashed.title, detail: crashed.text });
  }

  async #askHung(window: BrowserWindow): Promise<void> {
    const { hung } = this.#options.words();
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: hung.title,
      detail: hung.text,
      buttons: [hung.wait, hung.reload],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  }

  /** Until the service answers again. */
  #tryAgain(window: BrowserWindow, url: string): void {
    if (window.isDestroyed()) return;
    this.#load(window, awayPage(this.#options.words(), this.#options.language()));
    const again = setTimeout(() => {
      if (!window.isDestroyed()) this.#load(window, url);
    }, againMs);
    this.#trying.set(window, again.unref());
  }

  /** Failures arrive by `did-fail-load`. An older attempt does not come back over it. */
  #load(window: BrowserWindow, url: string): void {
    clearTimeout(this.#trying.get(window));
    window.loadURL(url).catch(() => undefined);
  }
}

/** The sandbox for our page: no Node, its own world, one preload file. */
function webPreferences(preload: string): Electron.WebPreferences {
  return {
    preload,
    session: ownSession(),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
  };
}

function stateOf(window: BrowserWindow): WindowState {
  return {
    bounds: window.getNormalBounds(),
    is_maximized: window.isMaximized(),
    is_full_screen: window.isFullScreen(),
    path: pathOf(window.webContents.getURL()),
  };
}

/** The former place if part of it is visible; only the size when its screen is gone. */
function visibleBounds(bounds: WindowState['bounds']): Partial<WindowState['bounds']> {
  const isSeen = screen.getAllDisplays().some(({ workArea: area }) => {
    const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
    const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
    return width > 100 && height > 100;
  });
  return isSeen ? bounds : { width: bounds.width, height: bounds.height };
}
