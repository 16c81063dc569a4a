import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeDeb } from '../../build/deb.ts';
import { buildIfNeeded } from '../support/built.ts';
import { spread, type Figure } from './figure.ts';

const runs = 5;
const root = join(import.meta.dirname, '../..');
const standIn = join(root, 'test/support/electron-stand-in.ts');

/** What is installed: how large it is, and how long it takes to be there. */
export async function benchPackage(): Promise<Figure[]> {
  buildIfNeeded();
  const folder = mkdtempSync(join(tmpdir(), 'orangery-package-'));
  try {
    return [...(await benchHeadless(folder)), ...(await benchWindow(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function benchHeadless(folder: string): Promise<Figure[]> {
  const deb = makeDeb({ output: folder });
  const installed = join(folder, 'installed');
  execFileSync('dpkg-deb', ['--extract', deb, installed]);
  const lib = join(installed, 'usr/lib/orangery');
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const ms = await untilLine([join(lib, 'build/orangery.js'), 'serve'], {
      node: join(lib, 'node'),
      directory: join(folder, 'data'),
      said: 'ready ',
    });
    if (run > 0) times.push(ms); // the first makes the data directory
  }
  return [
    { what: 'headless package of Debian, xz', value: megabytes(statSync(deb).size) },
    { what: '… installed, with its Node', value: megabytes(bytesIn(installed)) },
    { what: '… the program alone', value: megabytes(bytesIn(join(lib, 'dist')) + bytesIn(join(lib, 'node_modules'))) },
    { what: `… start to ready, median of ${runs}`, value: spread(times, 'ms') },
  ];
}

/** The built shell, whose Electron is the stand-in of the tests: what Electron itself takes before is not in it. */
async function benchWindow(folder: string): Promise<Figure[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const args = ['--import', standIn, join(root, 'dist/main/index.js')];
    const env = { STAND_IN_TELLS: '1' };
    const moments: number[] = [];
    await untilLine(args, {
      node: process.execPath,
      directory: join(folder, `shell-${run}`),
      said: 'ready ',
      env,
      heard: (line) => {
        const [, at] = /^stand-in: .+ at (\d+) ms$/.exec(line) ?? [];
        if (at !== undefined) moments.push(Number(at));
      },
    });
    const [loaded, window] = moments;
    if (loaded !== undefined && window !== undefined) times.push(window - loaded);
  }
  return [{ what: `shell, from Electron to its first window, median of ${runs}`, value: spread(times, 'ms') }];
}

interface Started {
  node: string;
  directory: string;
  /** How the line begins that is waited for. */
  said: string;
  env?: Record<string, string>;
  /** Told each line of standard error. */
  heard?: (line: string) => void;
}

/** ms from the command to a line on standard output; the program is ended then. */
async function untilLine(args: string[], { node, directory, said, env, heard }: Started): Promise<number> {
  const from = performance.now();
  const child = spawn(node, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ORANGERY_HEADLESS: '1',
      ORANGERY_DATA_DIR: directory,
      ORANGERY_HTTPS_PORT: '0',
      ORANGERY_DAEMON_PORT: '0',
      ORANGERY_LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const ended = once(child, 'exit');
  createInterface(child.stderr).on('line', (line) => heard?.(line));
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith(said)) continue;
    const ms = performance.now() - from;
    child.kill('SIGTERM');
    await ended;
    return ms;
  }
  throw new Error(`${args.join(' ')} ended before it was ready`);
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
