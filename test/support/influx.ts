import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMb } from '../bench/resident.ts';
import { freePort } from './daemon-process.ts';

/** Debian's InfluxDB 1.6 on loopback, with its own folder and database. */
export interface Influx {
  url: string;
  /** Lines of the line protocol with times in ms; resolves when they are durable. */
  write(lines: readonly string[]): Promise<void>;
  query(text: string): Promise<unknown>;
  residentMb(): number;
  /** Size of data and log of all databases on disk. */
  bytes(): number;
  stop(): void;
}

const startTries = 200;

/** Whether it is installed. With REQUIRE_PEERS=1 a missing one is an error, else its tests are skipped. */
export function hasInflux(): boolean {
  const found = spawnSync('influxd', ['version']).status === 0;
  if (!found && process.env.REQUIRE_PEERS === '1') throw new Error('the test peer influxdb is not installed');
  return found;
}

/** null if it is not installed. */
export async function startInflux(database = 'bench'): Promise<Influx | null> {
  if (!hasInflux()) return null;
  const directory = mkdtempSync(join(tmpdir(), 'orangery-influx-'));
  const [port, rpcPort] = [await freePort(), await freePort()];
  const file = join(directory, 'influxdb.conf');
  writeFileSync(file, configuration(directory, port, rpcPort));
  const child = spawn('influxd', ['run', '-config', file], { stdio: 'ignore' });
  const stop = (): void => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answering(url, child);
    await checked(
      await fetch(`${url}/query?q=${encodeURIComponent(`CREATE DATABASE ${database}`)}`, { method: 'POST' }),
    );
  } catch (error) {
    stop();
    throw error;
  }
  return {
    url,
    write: async (lines) => {
      await checked(
        await fetch(`${url}/write?db=${database}&precision=ms`, { method: 'POST', body: lines.join('\n') }),
      );
    },
    query: async (text) => {
      const answer = await checked(await fetch(`${url}/query?db=${database}&epoch=ms&q=${encodeURIComponent(text)}`));
      return (await answer.json()) as unknown;
    },
    residentMb: () => residentMb(child.pid),
    bytes: () => ['data', 'wal'].reduce((sum, name) => sum + bytesIn(join(directory, name)), 0),
    stop,
  };
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function configuration(directory: string, port: number, rpcPort: number): string {
  return `reporting-disabled = true
bind-address = "127.0.0.1:${rpcPort}"
[meta]
dir = "${directory}/meta"
[data]
dir = "${directory}/data"
wal-dir = "${directory}/wal"
query-log-enabled = false
[monitor]
store-enabled = false
[http]
bind-address = "127.0.0.1:${port}"
log-enabled = false
`;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < startTries; tries += 1) {
    if (child.exitCode !== null) throw new Error(`influxd ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/ping`).catch(() => null);
    if (answer?.ok) return;
    await delay(50);
  }
  throw new Error('influxd does not answer');
}

async function checked(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`influxd answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
