import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DaemonControl } from '../../server/orangery_client.ts';
import { afterTest } from './cleanup.ts';
import { controlOf } from './daemon-process.ts';
import type { Death, FromHeld, ToHeld } from './held-daemon-words.ts';

const program = join(import.meta.dirname, 'held-daemon.ts');
const token = 'the service itself';

/** The parent's time, which passes only while a daemon is idle. */
export interface World {
  now_ms: number;
  /** Called with each new moment, before anything happens in it. */
  moved?: (now_ms: number) => void;
}

/** One life of a daemon process on the data directory of the test. */
interface HeldLife {
  control: DaemonControl;
  /** Advances time; resolves when the daemon has done everything due until then. */
  pass(until_ms: number): Promise<void>;
  /** Advances time until it kills itself by SIGKILL; resolves when it is gone. */
  die(death: Death): Promise<void>;
}

export async function beginHeldLife(dataDirectory: string, world: World): Promise<HeldLife> {
  const args = [dataDirectory, String(world.now_ms), token];
  const child = fork(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  afterTest(() => child.kill('SIGKILL'));
  const say = (word: ToHeld): void => void child.send(word, () => undefined); // it may die meanwhile
  let logged = '';
  child.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const ready = Promise.withResolvers<number>();
  let there = Promise.withResolvers<void>();
  const ended = once(child, 'exit');
  void ended.then(() => {
    ready.reject(new Error(`the daemon ended early: ${logged}`));
    there.reject(new Error(`the daemon ended: ${logged}`));
  });
  there.promise.catch(() => undefined);
  child.on('message', (word: FromHeld) => {
    if (word.kind === 'ready') ready.resolve(word.port);
    else if (word.kind === 'there') there.resolve();
    else {
      world.now_ms = word.now_ms;
      world.moved?.(word.now_ms);
      say({ kind: 'noted' });
    }
  });
  const control = controlOf(await ready.promise, token);
  return {
    control,
    pass: async (until_ms) => {
      there = Promise.withResolvers();
      say({ kind: 'pass', until_ms });
      await there.promise;
    },
    die: async (death) => {
      control.close();
      say({ kind: 'pass', death });
      await ended;
    },
  };
}
