import { join } from 'node:path';
import { app, dialog, nativeTheme, powerMonitor, shell, type BrowserWindow } from 'electron';
import { briefOf, needsAttention, type AlarmBrief } from '../server/contract/alarm.ts';
import type { Language } from '../server/contract/language.ts';
import { messageOf } from '../server/contract/message-of.ts';
import { programVersion } from '../server/version.ts';
import { AlarmNotifications } from './alarm-notifications.ts';
import { linkIn, pathOfLink } from './deep-link.ts';
import type { Host } from './host.ts';
import type { ShellAnswers, ShellChoices, ShellStatus } from './ipc/contract.ts';
import { openShellGate } from './ipc/gate.ts';
import { setMenu } from './menu.ts';
import { opensAtLogin, setOpensAtLogin } from './open-at-login.ts';
import { askToQuit } from './quit.ts';
import { confineContents, denyPermissions, trustOnly } from './security.ts';
import type { ShellMemory } from './shell-state.ts';
import { startAgain } from './start-again.ts';
import { startPage, type BootStep } from './start-page.ts';
import { ShellTray } from './tray.ts';
import type { Updates } from './updates/updates.ts';
import { Windows } from './windows.ts';
import { languageOf, wordsOf, type Words } from './words.ts';

const here = import.meta.dirname;
const preload = join(here, '../preload/index.cjs');
const icons = join(here, '../icons');

interface ShellOptions {
  memory: ShellMemory;
  directory: string;
  updates: Pick<Updates, 'check' | 'fromFile'>;
  /** Started at a log-in: no window opens until one is requested. */
  isHidden: boolean;
}

/** Windows, menu, tray and notifications around a host. `begin` shows the start, `open` the started service. */
export class Shell {
  readonly #options: ShellOptions;
  readonly #windows: Windows;
  readonly #notifications: AlarmNotifications;
  #tray: ShellTray | undefined;
  #host: Host | undefined;
  #start: BrowserWindow | undefined;
  /** The page of a link that came before there was a window for it. */
  #wanted: string | null = null;
  #alarms: readonly AlarmBrief[] = [];
  /** Until a window is requested. */
  #isHidden: boolean;
  #isQuitting = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#isHidden = options.isHidden;
    this.#windows = new Windows({
      ...options,
      preload,
      words: () => this.words,
      language: () => this.#language,
      sessionEnds: (event) => this.#endWithSession(event),
    });
    this.#notifications = new AlarmNotifications({
      words: () => this.words,
      language: () => this.#language,
      isWanted: () => options.memory.state.shows_alarms,
      onChosen: () => this.#windows.raise('/alarms'),
    });
  }

  get #language(): Language {
    return this.#options.memory.state.language ?? languageOf(app.getLocale());
  }

  get words(): Words {
    return wordsOf(this.#language);
  }

  /** Registers for links and second starts; `link` is the one of this start. */
  listenForLinks(link: string | null): void {
    this.#wanted = link === null ? null : pathOfLink(link);
    app.on('second-instance', (_event, argv: string[]) => this.#raise(linkIn(argv)));
    app.on('open-url', (event, url: string) => {
      event.preventDefault();
      this.#raise(url);
    });
    // macOS also activates the application at a log-in start, when no one asked for a window.
    app.on('activate', () => this.#host !== undefined && this.#raise(null));
    app.on('window-all-closed', () => this.#stay());
  }

  #raise(link: string | null): void {
    const path = link === null ? null : pathOfLink(link);
    if (this.#host !== undefined) this.#windows.raise(path);
    else {
      this.#wanted = path ?? this.#wanted;
      this.#isHidden = false;
      if (this.#start?.isDestroyed() === false) this.#start.focus();
    }
  }

  /**
   * Opens the first window at once. It later shows the service, so the rules for every window apply from its creation.
   */
  begin(): void {
    confineContents(app, {
      origin: () => (this.#host === undefined ? undefined : new URL(this.#host.url).origin),
      openWindow: (path) => this.#windows.open(path),
    });
    powerMonitor.on('shutdown', ((event: { preventDefault: () => void }) => this.#endWithSession(event)) as () => void); // Electron documents an event argument that its types omit
    nativeTheme.themeSource = this.#options.memory.state.theme;
    if (this.#isHidden) return;
    this.#start = this.#windows.openStart(startPage(this.words, this.#language, 'look'));
  }

  /** Shows what the start waits for. */
  at(step: BootStep): void {
    const window = this.#start;
    if (window === undefined || window.isDestroyed()) return;
    window.loadURL(startPage(this.words, this.#language, step)).catch(() => undefined); // the next one took its place
  }

  /** Everything that a page may do is decided before its first byte is loaded. */
  open(host: Host): void {
    this.#host = host;
    const { origin } = new URL(host.url);
    trustOnly((certificate, hostName) => host.trusts(certificate, hostName));
    denyPermissions(origin);
    openShellGate(origin, this.#answers(host));
    this.at('page');
    this.#openTray();
    this.#setMenu();
    app.on('before-quit', () => this.#windows.end());
    host.watchAlarms?.((alarms) => this.#takeAlarms(alarms.filter(needsAttention).map(briefOf)));
    this.#windows.showService(origin, { path: this.#wanted, isHidden: this.#isHidden });
  }

  #openTray(): void {
    this.#tray = new ShellTray(icons, {
      open: (path) => this.#windows.raise(path),
      setOpensAtLogin: (isWanted) => this.#setOpensAtLogin(isWanted),
      setShowsAlarms: (isWanted) => this.#choose({ shows_alarms: isWanted }),
      quit: () => void this.#quit(),
    });
    this.#showTray();
  }

  /** From the tray, where no page shows the disk's error. */
  #setOpensAtLogin(isWanted: boolean): void {
    try {
      this.#choose({ opens_at_login: isWanted });
    } catch (error) {
      void dialog.showMessageBox({ type: 'error', message: this.words.tray.login, detail: messageOf(error) });
      this.#showTray(); // it has ticked itself
    }
  }

  #showTray(): void {
    if (this.#host === undefined) return;
    const { shows_alarms: showsAlarms } = this.#options.memory.state;
    const alarms = this.#alarms.length;
    this.#tray?.show(this.words, { host: this.#host, alarms, opensAtLogin: opensAtLogin(), showsAlarms });
  }

  #setMenu(): void {
    setMenu(this.words, {
      newWindow: () => this.#windows.open(),
      dataFolder: () => void shell.openPath(this.#options.directory),
      quit: () => void this.#quit(),
      checkUpdates: () => void this.#update(() => this.#options.updates.check()),
      updateFile: () => void this.#update(() => this.#options.updates.fromFile()),
      kiosk: () => this.#choose({ is_kiosk: !this.#options.memory.state.is_kiosk }),
      open: (path) => this.#windows.raise(path),
      openWindow: (path) => this.#windows.open(path),
    });
  }

  #takeAlarms(alarms: readonly AlarmBrief[]): void {
    this.#alarms = alarms;
    this.#notifications.take(alarms);
    this.#showTray();
  }

  /**
   * Control goes on without a window; a message says so the first time. When control runs elsewhere, there is no reason
   * to stay.
   */
  #stay(): void {
    const { memory } = this.#options;
    if (this.#host === undefined || this.#isQuitting) return; // it opens one when it has started
    if (this.#host.kind === 'attached') return app.quit();
    if (memory.state.was_told_of_tray) return;
    memory.change({ was_told_of_tray: true });
    this.#notifications.tell(this.words.stays.title, this.words.stays.text);
  }

  /** Asks if quitting stops something, and for each page with unsaved changes. */
  async #quit(): Promise<void> {
    const choice = this.#host?.kind === 'hosted' ? await askToQuit(this.words) : 'stop';
    if (choice === 'close') await this.#windows.leaveAll();
    if (choice === 'stop' && (await this.#left())) app.quit();
  }

  async #update(begin: () => Promise<boolean>): Promise<void> {
    if (!(await begin()) || !(await this.#left())) return;
    startAgain();
    app.quit();
  }

  /** Closes all windows for good. Resolves with false if the person stays on a page. */
  async #left(): Promise<boolean> {
    this.#isQuitting = true;
    this.#isQuitting = await this.#windows.leaveAll();
    return this.#isQuitting;
  }

  /**
   * Delays the end of the system session until outputs are safe, without asking: the system kills what takes too long.
   */
  #endWithSession(event: { preventDefault: () => void }): void {
    if (this.#host?.kind === 'attached') return;
    event.preventDefault();
    app.quit();
  }

  #status(): ShellStatus {
    const { memory, directory } = this.#options;
    const { shows_alarms, is_kiosk } = memory.state;
    const host = this.#host?.kind ?? 'hosted';
    return {
      host,
      version: programVersion(),
      data_directory: host === 'hosted' ? directory : null,
      opens_at_login: opensAtLogin(),
      shows_alarms,
      is_kiosk,
    };
  }

  #choose({ opens_at_login, is_kiosk, shows_alarms }: Partial<ShellChoices>): void {
    if (opens_at_login !== undefined) setOpensAtLogin(opens_at_login);
    if (shows_alarms !== undefined) this.#options.memory.change({ shows_alarms });
    if (is_kiosk !== undefined) this.#windows.setKiosk(is_kiosk);
    this.#showTray();
  }

  #answers(host: Host): ShellAnswers {
    return {
      setupToken: async () => host.setupToken(),
      showDataDirectory: async () => {
        const problem = await shell.openPath(this.#options.directory);
        if (problem) throw new Error(problem);
      },
      status: async () => this.#status(),
      choose: async (choices) => {
        this.#choose(choices);
        return this.#status();
      },
      chooseFolder: async () => {
        const { filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] });
        return filePaths[0] ?? null;
      },
      openWindow: async (path) => this.#windows.open(path),
      setLanguage: async (language) => {
        if (language === this.#options.memory.state.language) return;
        this.#options.memory.change({ language });
        this.#setMenu();
        this.#showTray();
      },
      setTheme: async (theme) => {
        if (theme === this.#options.memory.state.theme) return;
        this.#options.memory.change({ theme });
        nativeTheme.themeSource = theme;
      },
      tellAlarms: async (alarms) => {
        if (host.watchAlarms === undefined) this.#takeAlarms(alarms);
      },
    };
  }
}
