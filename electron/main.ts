import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, shell, type BrowserWindow } from 'electron';
import { messageOf } from '../server/contract/message-of.ts';
import { dataDirectory } from '../server/data-directory.ts';
import { readEnvironment, type Environment } from '../server/environment.ts';
import { builtPages } from '../server/built-pages.ts';
import { openLog } from '../server/log.ts';
import { startService, type Service } from '../server/service.ts';
import { UtilityLauncher } from './daemon-process.ts';
import { openShellGate } from './ipc/gate.ts';
import { stopBeforeQuit } from './quit.ts';
import { confineContents, denyPermissions, trustOnly } from './security.ts';
import { openWindow } from './window.ts';

const preload = join(import.meta.dirname, '../preload/index.cjs');

/** Outputs rest on the devices' own dead-man timers when this process dies: its utility processes end with it. */
const linger_s = 0;

/** The window's profile lies with the data, so that one shell runs for each data directory, not for each user. */
function keepProfileIn(directory: string): void {
  const profile = join(directory, 'shell');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
}

async function start(environment: Environment, directory: string): Promise<Service> {
  await app.whenReady();
  return startService({
    ...environment,
    ...builtPages(),
    dataDirectory: directory,
    linger_s,
    restart: relaunch,
    launcher: new UtilityLauncher(),
    log: openLog(environment.logLevel, { directory }),
  });
}

/** To put a backup back: the next start does it. */
function relaunch(): void {
  app.relaunch();
  app.quit();
}

/** Everything that the page may do is decided before its first byte is loaded. */
function openShell(service: Service, directory: string): BrowserWindow {
  const { origin } = new URL(service.url);
  trustOnly(() => service.leafCertificate());
  denyPermissions();
  confineContents(app, origin);
  openShellGate(origin, {
    setupToken: () => Promise.resolve(service.setupToken()),
    showDataDirectory: async () => {
      const problem = await shell.openPath(directory);
      if (problem) throw new Error(problem);
    },
  });
  return openWindow(service.url, preload);
}

function raiseAtSecondStart(window: BrowserWindow): void {
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
}

async function run(): Promise<void> {
  const environment = readEnvironment(process.env);
  const directory = dataDirectory(environment.dataDirectory);
  keepProfileIn(directory);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const starting = start(environment, directory);
  const quitting = stopBeforeQuit(starting);
  const service = await starting;
  if (quitting.aborted) return;
  raiseAtSecondStart(openShell(service, directory));
  const token = service.setupToken();
  if (token !== null) console.log(`setup token: ${token}`);
  console.log(`ready ${service.url}`);
}

/** One line for a terminal; who started a package by its icon sees no terminal. */
function fail(error: unknown): void {
  const message = messageOf(error);
  console.error(`orangery: ${message}`);
  if (app.isPackaged) dialog.showErrorBox('Orangery cannot start', message);
  app.exit(1);
}

run().catch(fail);
