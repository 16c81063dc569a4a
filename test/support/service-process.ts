import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterTest } from './cleanup.ts';
import { serviceProgram } from './programs.ts';

const root = join(import.meta.dirname, '../..');
/** Long, for a machine with other work; a test that measures checks its time itself. */
const readyMs = 30_000;

/** A folder for the running test; after it every process started on the folder is ended and the folder removed. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-service-'));
  afterTest(() => endIn(folder));
  return folder;
}

/** Ends every process that was started on a folder, and removes the folder. */
export function endIn(folder: string): void {
  for (const pid of processesOf(folder)) killHard(pid);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Processes with a folder on their command line: daemons too, even those that linger. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(folder))
    .map(Number);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it has just ended
  }
}

export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended already
  }
}

/** A service as its user started it: its output, and how it ends. */
export interface ServiceProcess {
  child: ChildProcess;
  dataDirectory: string;
  /** Lines of standard output so far. */
  lines: string[];
  /** Lines of standard error so far. */
  errors: () => string[];
  /** Address, once it is ready; rejects with its output if it ends before. */
  ready: () => Promise<string>;
  /** Exit code, once it has ended; null after a signal. */
  ended: Promise<number | null>;
}

interface Launch {
  dataDirectory: string;
  /** In addition to ORANGERY_HEADLESS and ports that the system chooses. */
  env?: Record<string, string>;
  /** Default `serviceProgram`. */
  entry?: string;
  /** Options of Node itself. */
  options?: readonly string[];
}

/** Starts the service in its own process, which is ended after the test. */
export function launchService({
  dataDirectory,
  env = {},
  entry = serviceProgram,
  options = [],
}: Launch): ServiceProcess {
  const child = spawn(process.execPath, [...options, entry], {
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
  afterTest(() => child.kill('SIGKILL'));
  let written = '';
  child.stderr.on('data', (text: Buffer) => (written += text.toString()));
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit').then(([code]) => code as number | null); // the event's first argument
  const errors = (): string[] => written.split('\n').filter(Boolean);
  const ready = async (): Promise<string> => {
    const giveUp = AbortSignal.timeout(readyMs);
    for (;;) {
      const url = lines.map((line) => /^ready (https:.+)$/.exec(line)?.[1]).find((found) => found !== undefined);
      if (url !== undefined) return url;
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`ended with ${end}: ${written}`);
      await Promise.race([once(reader, 'line', { signal: giveUp }), ended]);
    }
  };
  return { child, dataDirectory, lines, errors, ready, ended };
}

/** The setup token that a start printed. */
export function setupTokenOf({ lines }: ServiceProcess): string {
  return lines.map((line) => /^setup token: (.+)$/.exec(line)?.[1]).find((found) => found !== undefined) ?? '';
}
