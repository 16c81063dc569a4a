import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');

export interface RunningService {
  url: string;
  setupToken: string | null;
  dataDirectory: string;
  process: ChildProcess;
  /** Its standard error so far. */
  log(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, like a power cut. */
  kill(): Promise<void>;
}

interface StartOptions {
  /** A folder from an earlier start; default a fresh one. */
  dataDirectory?: string;
  env?: Record<string, string>;
  /** The program, from the root of the project; default that of `npm start`. */
  entry?: string;
}

/** With this environment the service reaches only its own machine while that file exists (`cut-network.ts`). */
export function cutNetworkBy(file: string): Record<string, string> {
  const cutting = pathToFileURL(join(import.meta.dirname, 'cut-network.ts')).href;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${cutting}`, CUT_NETWORK: file };
}

export function freshDataDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'orangery-data-'));
}

export function removeDataDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Starts the service like `npm start` does, on ports that the system chooses, and waits until it is ready. */
export async function startService({
  dataDirectory = freshDataDirectory(),
  env = {},
  entry = 'build/start.ts',
}: StartOptions = {}): Promise<RunningService> {
  const child = spawn(process.execPath, [entry], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ORANGERY_HEADLESS: '1',
      ORANGERY_DATA_DIR: dataDirectory,
      ORANGERY_HTTPS_PORT: '0',
      ORANGERY_DAEMON_PORT: '0',
      ...env,
    },
  });
  let log = '';
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>; // the event's first argument
  let setupToken: string | null = null;
  for await (const line of createInterface(child.stdout)) {
    setupToken = /^setup token: (.+)$/.exec(line)?.[1] ?? setupToken;
    const url = /^ready (https:.+)$/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return {
      url,
      setupToken,
      dataDirectory,
      process: child,
      log: () => log,
      stop: async () => {
        child.kill('SIGTERM');
        return (await exited)[0];
      },
      kill: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }
  const [code] = await exited;
  throw new Error(`the service ended with ${code} before it was ready:\n${log}`);
}
