import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import { messageOf } from '../server/contract/message-of.ts';
import { builtPages } from '../server/built-pages.ts';
import { dataDirectory } from '../server/data-directory.ts';
import { readEnvironment, type Environment } from '../server/environment.ts';
import { openLog } from '../server/log.ts';
import { programVersion } from '../server/version.ts';
import { attach, AttachRefused } from './attached.ts';
import { startAgainAfterCrash } from './crash-guard.ts';
import { UtilityLauncher } from './daemon-process.ts';
import { linkIn, linkScheme } from './deep-link.ts';
import type { Host } from './host.ts';
import { hostOf } from './hosted.ts';
import { hiddenArgument } from './open-at-login.ts';
import { stopBeforeQuit } from './quit.ts';
import { Shell } from './shell.ts';
import { ShellMemory } from './shell-state.ts';
import type { BootStep } from './start-page.ts';
import { startAgain } from './start-again.ts';
import { Updates, updatesIn } from './updates/updates.ts';
import { fill } from '../server/contract/fill.ts';
import { languageOf, wordsOf, type Words } from './words.ts';

/** As the installer writes it to the Start menu (`appId`): Windows shows notifications only of such programs. */
const applicationId = 'io.orangery.desktop';

/** Outputs rely on the devices' own dead-man timers when this process dies: its utility processes end with it. */
const linger_s = 0;

/**
 * The window's profile is kept with the data, so that there is one shell for each data directory, not for each user.
 */
function keepProfileIn(directory: string): string {
  const profile = join(directory, 'shell');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
  return profile;
}

interface Boot {
  environment: Environment;
  directory: string;
  memory: ShellMemory;
  words: Words;
  log: ReturnType<typeof openLog>;
  at: (step: BootStep) => void;
}

/** A service already running on this machine, else one in this process. */
async function findHost(boot: Boot): Promise<Host> {
  const { environment, directory, memory, words } = boot;
  boot.at('look');
  const running = await attach({
    port: environment.httpsPort,
    directory,
    pin: (url) => memory.state.pins[url],
    keepPin: (url, fingerprint) => memory.change({ pins: { ...memory.state.pins, [url]: fingerprint } }),
    ask: (url, fingerprint) => askToAttach(words, url, fingerprint),
  });
  return running ?? hostHere(boot);
}

async function hostHere({ environment, directory, log, at }: Boot): Promise<Host> {
  const { startService } = await import('../server/service.ts'); // most of the program: the window does not wait for it
  const service = await startService({
    ...environment,
    ...builtPages(),
    dataDirectory: directory,
    linger_s,
    restart: relaunch,
    launcher: new UtilityLauncher(),
    log,
    onStep: at,
  });
  return hostOf(service);
}

async function askToAttach({ attach: words }: Words, url: string, fingerprint: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: words.title,
    detail: fill(words.text, { url, fingerprint }),
    buttons: [words.connect, words.quit],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** For a restore, which the next start does. */
function relaunch(): void {
  startAgain();
  app.quit();
}

/** A failure leaves the present program in place. */
async function applyUpdate(updates: Updates, log: Boot['log']): Promise<void> {
  try {
    if (await updates.apply()) log.info('a new version is in place');
  } catch (error) {
    log.error({ err: error }, 'the new version could not be put in place');
  }
}

/** Reports what the last end could not. */
function tellOutcome(updates: Updates, log: Boot['log']): void {
  updates
    .tellOutcome((outcome) => log.warn({ outcome }, 'an update is not in place'))
    .catch((error: unknown) => log.error({ err: error }, 'it could not be said how an update ended'));
}

async function run(): Promise<void> {
  const environment = readEnvironment(process.env);
  const directory = dataDirectory(environment.dataDirectory);
  const profile = keepProfileIn(directory);
  if (!app.requestSingleInstanceLock()) {
    app.quit(); // the first hears of it, with the link that this one was started by
    return;
  }
  app.enableSandbox();
  if (process.platform === 'win32') app.setAppUserModelId(applicationId);
  const memory = new ShellMemory(join(profile, 'state.json'));
  const updates: Updates = new Updates({
    folder: updatesIn(profile),
    directory,
    version: programVersion(),
    words: () => desktop.words,
  });
  const desktop: Shell = new Shell({ memory, directory, updates, isHidden: process.argv.includes(hiddenArgument) });
  const former = updates.begin();
  if (former !== null) {
    startAgain(former);
    app.exit(1);
    return;
  }
  desktop.listenForLinks(linkIn(process.argv));
  await app.whenReady();
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  desktop.begin();
  const log = openLog(environment.logLevel, { directory });
  const { words } = desktop;
  const hosting = findHost({ environment, directory, memory, words, log, at: (step) => desktop.at(step) });
  const quitting = stopBeforeQuit(hosting, () => applyUpdate(updates, log));
  startAgainAfterCrash({
    memory,
    log,
    words: () => desktop.words,
    isQuitting: () => quitting.aborted,
    stop: async () => (await hosting).stop(),
  });
  const host = await hosting.catch((error: unknown) => {
    if (error instanceof AttachRefused) updates.excuse();
    throw error;
  });
  if (quitting.aborted) {
    updates.excuse();
    return;
  }
  desktop.open(host);
  updates.confirm();
  tellOutcome(updates, log);
  const token = host.setupToken();
  if (token !== null) console.log(`setup token: ${token}`);
  console.log(`ready ${host.url}`);
}

/** One line for a terminal; a person who started a package by its icon sees no terminal, and gets a dialog. */
async function fail(error: unknown): Promise<void> {
  const message = messageOf(error);
  console.error(`orangery: ${message}`);
  if (app.isPackaged && !(error instanceof AttachRefused)) await askAfterFailure(message);
  app.exit(1);
}

async function askAfterFailure(message: string): Promise<void> {
  await app.whenReady(); // there are no dialogs before
  const { failed } = wordsOf(languageOf(app.getLocale()));
  const response = dialog.showMessageBoxSync({
    type: 'error',
    message: failed.title,
    detail: message,
    buttons: [failed.again, failed.folder, failed.quit],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  if (response === 0) startAgain();
  if (response === 1) await shell.openPath(app.getPath('userData'));
}

run().catch(fail);
