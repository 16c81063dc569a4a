import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const isRequired = process.env.REQUIRE_PEERS === '1';

/**
 * Whether Debian's Python has a module. With REQUIRE_PEERS=1 a missing one is an error, else its tests are skipped and
 * listed.
 */
export function hasPythonModule(name: string): boolean {
  const found = spawnSync('/usr/bin/python3', ['-c', `import ${name}`]).status === 0;
  if (!found && isRequired) throw new Error(`the test peer python3-${name} is not installed`);
  return found;
}

/** Another project's program that a test talks to on loopback. */
export interface Peer {
  /** The next line of its output, parsed. */
  next(): Promise<unknown>;
  /** Writes a line to its input. */
  say(value: unknown): void;
  kill(): void;
}

/** Starts a Python program of test/peers and reads its lines of JSON. */
export function startPythonPeer(script: string, args: string[]): Peer {
  const file = join(import.meta.dirname, '../peers', script);
  const child: ChildProcess = spawn('/usr/bin/python3', [file, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  if (!child.stdout || !child.stdin) throw new Error('no input and output of the peer');
  const { stdin } = child;
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    next: async () => {
      const line = await lines.next();
      if (line.done === true) throw new Error(`${script} ended`);
      return JSON.parse(line.value) as unknown;
    },
    say: (value) => void stdin.write(`${JSON.stringify(value)}\n`),
    kill: () => void child.kill('SIGKILL'),
  };
}
