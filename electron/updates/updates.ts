import { join } from 'node:path';
import { BrowserWindow, dialog, shell } from 'electron';
import published from '../../resources/update-source.json' with { type: 'json' };
import { messageOf } from '../../server/contract/message-of.ts';
import { Outbound } from '../../server/outbound/outbound.ts';
import { ownProgram } from '../start-again.ts';
import { fill } from '../../server/contract/fill.ts';
import type { Words } from '../words.ts';
import { isNewer, openFeed, UpdateError, type UpdateFeed, type UpdateFile, type UpdateKind } from './feed.ts';
import { beginStart, confirmStart, excuseStart, install, type Ready } from './install.ts';
import { forgetOutcome, keepOutcome, readOutcome, type Outcome } from './outcome.ts';
import { folderSource, serverSource, type UpdateSource } from './source.ts';
import { stage } from './stage.ts';

/**
 * Where this copy of the program looks for new versions, and whose signature it accepts; written when it is packaged.
 */
export interface Publisher {
  url: string | null;
  /** Ed25519, PEM. */
  keys: readonly string[];
}

interface UpdatesOptions {
  /** Folder of the updates, in the profile of the shell. */
  folder: string;
  /** The data directory. */
  directory: string;
  version: string;
  words: () => Words;
  publisher?: Publisher;
  /** For tests. */
  outbound?: Pick<Outbound, 'fetch'>;
}

interface Found {
  source: UpdateSource;
  feed: UpdateFeed;
  file: UpdateFile;
}

const wholeBar = -1;

/** Finds, verifies and stages new versions, and installs one when the application quits. It acts only on request. */
export class Updates {
  readonly #options: UpdatesOptions & { publisher: Publisher };
  #ready: Ready | undefined;
  #isBusy = false;

  constructor(options: UpdatesOptions) {
    this.#options = { publisher: published, ...options };
  }

  /**
   * The program to start instead of this one, which did not work; null when this one goes on. A disk that refuses does
   * not prevent it from running.
   */
  begin(): string | null {
    try {
      const former = beginStart(this.#options);
      if (former !== null) this.#keepOutcome('taken_back', this.#options.version);
      return former;
    } catch {
      return null;
    }
  }

  /** Called when the service runs. */
  confirm(): void {
    try {
      confirmStart(this.#options);
    } catch {
      // The next start does it.
    }
  }

  /** A person ended the start, by quitting or declining. */
  excuse(): void {
    try {
      excuseStart(this.#options);
    } catch {
      // Then it counts as one of several failed starts.
    }
  }

  /**
   * Called after the service has stopped. Returns whether another program has replaced this one. Throws the disk's
   * error.
   */
  async apply(): Promise<boolean> {
    const ready = this.#ready;
    this.#ready = undefined;
    if (ready === undefined) return false;
    try {
      await install(this.#options, ready);
    } catch (error) {
      this.#keepOutcome('failed', ready.to, messageOf(error));
      throw error;
    }
    forgetOutcome(this.#options.folder);
    return true;
  }

  /** Reports how the last update ended if it is not the running version: here, and to `note` for the log. */
  async tellOutcome(note: (outcome: Outcome) => void): Promise<void> {
    const { folder, version } = this.#options;
    const outcome = readOutcome(folder);
    if (outcome === undefined) return;
    if (outcome.version !== version) {
      note(outcome);
      const { updates: words } = this.#options.words();
      const detail = fill(words.outcomes[outcome.kind], outcome);
      await dialog.showMessageBox({ type: 'warning', message: words.title, detail });
    }
    if (this.#ready === undefined) forgetOutcome(folder);
  }

  /** A disk that refuses does not prevent an update. */
  #keepOutcome(kind: Outcome['kind'], version: string, reason = ''): void {
    try {
      keepOutcome(this.#options.folder, { kind, version, reason });
    } catch {
      // Then it is not reported.
    }
  }

  /** Checks the publisher's server. Resolves with whether the new version should be started now. */
  check(): Promise<boolean> {
    const { url } = this.#options.publisher;
    return this.#told(async () => {
      this.#refuseWithoutKeys();
      if (url === null) throw new UpdateError('no_source', 'this copy was packaged without a server of updates');
      const outbound = this.#options.outbound ?? new Outbound();
      return this.#offer(serverSource(url, outbound));
    });
  }

  /** The same from a disk, for a machine without internet. */
  fromFile(): Promise<boolean> {
    return this.#told(async () => {
      this.#refuseWithoutKeys();
      const filters = [{ name: 'Orangery', extensions: ['json'] }];
      const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile'], filters });
      return filePaths[0] !== undefined && this.#offer(folderSource(filePaths[0]));
    });
  }

  /** Without a publisher's key no feed can be trusted, wherever it comes from. */
  #refuseWithoutKeys(): void {
    if (this.#options.publisher.keys.length > 0) return;
    throw new UpdateError('no_keys', 'this copy was packaged without resources/update-source.json filled in');
  }

  async #told(work: () => Promise<boolean>): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      return await work();
    } catch (error) {
      const { updates: words } = this.#options.words();
      const code = error instanceof UpdateError ? error.code : 'disk';
      const detail = `${words.faults[code]}\n\n${messageOf(error)}`;
      await dialog.showMessageBox({ type: code === 'not_newer' ? 'info' : 'error', message: words.title, detail });
      return false;
    } finally {
      showProgress(wholeBar);
      this.#isBusy = false;
    }
  }

  /** Reports what was found, and stages it on request. Throws UpdateError. */
  async #offer(source: UpdateSource): Promise<boolean> {
    const found = await this.#found(source);
    const { updates: words } = this.#options.words();
    const { version, released_at } = found.feed;
    const facts = {
      version,
      present: this.#options.version,
      date: released_at.slice(0, 10),
      size: megabytes(found.file),
    };
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: words.title,
      detail: fill(words.found, facts),
      buttons: [words.fetch, words.later],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    });
    if (response !== 0) return false;
    const report = (bytes: number): void => showProgress(bytes / found.file.bytes);
    const { folder } = this.#options;
    const staged = await stage({ source, file: found.file, folder, former: this.#ready?.staged, report });
    showProgress(wholeBar);
    return this.#tellStaged(staged, found);
  }

  async #found(source: UpdateSource): Promise<Found> {
    const { bytes, signature } = await source.feed();
    const feed = openFeed(bytes, signature, this.#options.publisher.keys);
    if (!isNewer(feed.version, this.#options.version)) {
      throw new UpdateError('not_newer', `${feed.version} is not newer than ${this.#options.version}`);
    }
    const file = feed.files.find(({ kind, arch }) => kind === ownKind() && arch === process.arch);
    if (file === undefined) throw new UpdateError('no_file', `${feed.version} has no ${ownKind()} for ${process.arch}`);
    return { source, feed, file };
  }

  /** An AppImage replaces this one at the end; a package for the system is installed by a person. */
  async #tellStaged(staged: string, { feed: { version: to }, file: { sha512 } }: Found): Promise<boolean> {
    const { updates: words } = this.#options.words();
    const program = ownProgram();
    if (program !== undefined) {
      this.#ready = { staged, sha512, program, to };
      this.#keepOutcome('waits', to); // until it is in place: who is ended by force says nothing
    }
    const [detail, act] = program === undefined ? [words.byHand, words.show] : [words.ready, words.restart];
    const { response } = await dialog.showMessageBox({
      type: 'info',
      message: words.title,
      detail: fill(detail, { version: to }),
      buttons: [act, words.later],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    if (response !== 0 || program !== undefined) return response === 0;
    shell.showItemInFolder(staged);
    return false;
  }
}

function ownKind(): UpdateKind {
  if (process.platform === 'win32') return 'nsis';
  if (process.platform === 'darwin') return 'dmg';
  return ownProgram() === undefined ? 'deb' : 'appimage';
}

function showProgress(share: number): void {
  for (const window of BrowserWindow.getAllWindows()) window.setProgressBar(share);
}

const megabytes = ({ bytes }: UpdateFile): string => (bytes / 1e6).toFixed(0);

/** Folder of the updates in the profile of the shell. */
export const updatesIn = (profile: string): string => join(profile, 'updates');
