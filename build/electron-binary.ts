import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:net';

const root = join(import.meta.dirname, '..');
const electronPackage = join(root, 'node_modules/electron');
const lastTry = join(root, 'node_modules/.cache/orangery/electron-fetch');
const retryAfterMs = 24 * 3600 * 1000;
const connectTimeoutMs = 5_000;
const fetchTimeoutMs = 60_000;

/** The Electron executable, found by its file: requiring the package would download it unasked. */
export function electronBinary(env: NodeJS.ProcessEnv = process.env): string | null {
  const pathFile = join(electronPackage, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const binary = join(env.ELECTRON_OVERRIDE_DIST_PATH ?? join(electronPackage, 'dist'), name);
  return existsSync(binary) ? binary : null;
}

/** Whether a window could be shown here. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return [env.DISPLAY, env.WAYLAND_DISPLAY].some(Boolean);
}

/** A failed download is not retried for a day, so that a start without internet stays quick. */
export function fetchIsDue(nowMs: number, triedAtMs: number | null, env: NodeJS.ProcessEnv): boolean {
  if (env.CI) return false;
  return triedAtMs === null || nowMs - triedAtMs >= retryAfterMs;
}

export function lastFetchTry(): number | null {
  return existsSync(lastTry) ? statSync(lastTry).mtimeMs : null;
}

/**
 * Runs Electron's own installer in a child; 5 s to reach the download host, 60 s in all. Throws with a one-line reason.
 */
export async function fetchElectron(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  mkdirSync(dirname(lastTry), { recursive: true });
  writeFileSync(lastTry, '');
  const host = new URL(env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? 'https://github.com/');
  await reach(host);
  await runInstaller();
  const binary = electronBinary(env);
  if (!binary) throw new Error('its installer ended without a binary');
  return binary;
}

function reach(host: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const port = host.port ? Number(host.port) : host.protocol === 'http:' ? 80 : 443;
    const socket = connect({ host: host.hostname, port, timeout: connectTimeoutMs });
    const fail = (reason: string): void => {
      socket.destroy();
      reject(new Error(`${host.hostname} cannot be reached (${reason})`));
    };
    socket.once('timeout', () => fail('no answer in 5 s'));
    socket.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

function runInstaller(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(electronPackage, 'install.js')], { stdio: ['ignore', 2, 2] });
    const timer = setTimeout(() => child.kill('SIGKILL'), fetchTimeoutMs);
    const seconds = setInterval(() => process.stderr.write('.'), 1000);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      clearInterval(seconds);
      process.stderr.write('\n');
      if (code === 0) resolve();
      else reject(new Error(signal ? 'the download took longer than 60 s' : `its installer ended with ${code}`));
    });
  });
}
