import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as headless from '../server/main.ts';
import { electronBinary, fetchElectron, fetchIsDue, hasDisplay, lastFetchTry } from './electron-binary.ts';
import { distIsUpToDate } from './up-to-date.ts';

const root = join(import.meta.dirname, '..');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A shell that dies sooner could not run here at all: a library or Chromium's sandbox is missing. */
const shellStartMs = 10_000;

/** Builds in a child, so that the bundler's memory is freed before the service starts. */
async function build(): Promise<void> {
  if (distIsUpToDate()) return;
  console.error('building ...');
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const { code, signal } = await endOf(() =>
    spawn(process.execPath, [vite, 'build', '--app', '--config', 'build/vite.config.ts'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    }),
  );
  if (signal) process.exit(0); // there was nothing to stop yet
  if (code === 0) return;
  console.error('the build failed, see above');
  process.exit(1);
}

/** The Electron executable to open a window with, or null and one line saying why there is none. */
async function windowBinary(): Promise<string | null> {
  if (process.env.ORANGERY_HEADLESS === '1') return null;
  if (!hasDisplay()) return noWindow('no display');
  const present = electronBinary();
  if (present) return present;
  if (!fetchIsDue(Date.now(), lastFetchTry(), process.env)) return noWindow('Electron is not there');
  console.error('fetching Electron (once, at most a minute) ...');
  try {
    return await fetchElectron();
  } catch (error) {
    return noWindow(`Electron: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function noWindow(reason: string): null {
  console.error(
    `no window (${reason}): open the address below in a browser. "npm run electron:fetch" tries to get Electron`,
  );
  return null;
}

interface End {
  /** null after a signal or a failed start. */
  code: number | null;
  /** The signal that this process received and passed on. */
  signal: NodeJS.Signals | undefined;
}

/**
 * Starts a child that lives no longer than this process, and passes signals on to it until it has ended. The handlers
 * are installed before it starts: a signal in between would end this process alone and leave the child behind.
 */
async function endOf(start: () => ChildProcess): Promise<End> {
  let passed: NodeJS.Signals | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    passed = signal;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  const child = start();
  const code = await once(child, 'exit').then(
    ([ended]) => ended as number | null, // the event's first argument
    () => null,
  );
  for (const signal of signals) process.off(signal, pass);
  return { code, signal: passed };
}

/** Runs the shell, and ends with it. Returns if it could not run. */
async function runShell(binary: string): Promise<void> {
  const startedAtMs = performance.now();
  const { code, signal } = await endOf(() => spawn(binary, [root], { stdio: 'inherit' }));
  const couldNotRun = code === null || code === 127;
  if (signal || !couldNotRun || performance.now() - startedAtMs > shellStartMs) process.exit(code ?? 1);
  noWindow('Electron could not run, see above');
}

/** Stops when the parent process is gone: killing npm would leave the service behind. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1000).unref();
}

endWithParent();
await build();
const binary = await windowBinary();
if (binary) await runShell(binary);
const { serve } = (await import(new URL('../dist/main/main.js', import.meta.url).href)) as typeof headless; // its bundle
await serve();
