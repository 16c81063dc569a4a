import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const isRequired = process.env.REQUIRE_PEERS === '1';

/** Whether Debian's Python has a module. With REQUIRE_PEERS=1 a missing one is an error, else its tests are skipped and listed. */
export function hasPythonModule(name: string): boolean {
  const found = spawnSync('/usr/bin/python3', ['-c', `import ${name}`]).status === 0;
  if (!found && isRequired) throw new Error(`the test peer python3-${name} is not installed`);
  return found;
}

/** A program of somebody else's that a test talks to on loopback. */
export interface Peer {
  /** The next line of its output, parsed. */
  next(): Promise<unknown>;
  kill(): void;
}

/** Starts a Python program of test/peers and reads its lines of JSON. */
export function startPythonPeer(script: string, args: string[]): Peer {
  const file = join(import.meta.dirname, '../peers', script);
  const child: ChildProcess = spawn('/usr/bin/python3', [file, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  if (!child.stdout) throw new Error('no output of the peer');
  const lines = createInterface(child.stdout);
  const waiting: string[] = [];
  lines.on('line', (line) => waiting.push(line));
  return {
    next: async () => {
      while (waiting.length === 0) {
        if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`);
        await Promise.race([once(lines, 'line'), once(lines, 'close')]);
      }
      return JSON.parse(waiting.shift() ?? 'null') as unknown;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
