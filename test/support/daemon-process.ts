import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DaemonMessage } from '../../server/daemon/ipc.ts';
import { keepSecretFile } from '../../server/db/secret-file.ts';
import { daemonArguments, type DaemonLaunch } from '../../server/supervision/launcher.ts';
import { DaemonControl } from '../../server/orangery_client.ts';
import { afterTest } from './cleanup.ts';
import { daemonProgram } from './programs.ts';

/** A real daemon process that the test controls; killed after the test. */
export interface DaemonUnderTest {
  child: ChildProcess;
  /** Resolves with the port when it serves. */
  ready: Promise<number>;
  /** Resolves with exit code and signal. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
  /** A client like the service's, once it serves. */
  service: () => Promise<DaemonControl>;
  /** Its log so far. */
  log: () => string;
}

export function startDaemon(launch: Partial<DaemonLaunch> & Pick<DaemonLaunch, 'dataDirectory'>): DaemonUnderTest {
  const args = daemonArguments({ port: 0, linger_s: 0, ...launch });
  const child = fork(daemonProgram, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  afterTest(() => child.kill('SIGKILL'));
  let logged = '';
  child.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const ready = new Promise<number>((resolve, reject) => {
    child.on('message', (message) => {
      const told = message as DaemonMessage; // the daemon sends nothing else
      if (told.kind === 'ready') resolve(told.port);
    });
    child.once('exit', () => reject(new Error(`the daemon ended early: ${logged}`)));
  });
  ready.catch(() => undefined);
  const ended = once(child, 'exit') as DaemonUnderTest['ended']; // the arguments of the event
  const service = async (): Promise<DaemonControl> =>
    controlOf(await ready, keepSecretFile(join(launch.dataDirectory, 'daemon.token')));
  return { child, ready, ended, service, log: () => logged };
}

/** A client of a daemon on a port, closed after the test; an outside program unless it presents the service's token. */
export function controlOf(port: number, pyro_handshake = 'hello'): DaemonControl {
  const control = new DaemonControl({ pyro_uri: `PYRO:orangery.pyro_server@127.0.0.1:${port}`, pyro_handshake });
  afterTest(() => control.close());
  return control;
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}

/** Each asking takes time from what is waited for, on a machine with few cores. */
const askAgainMs = 100;

/** Repeats a call until its answer is accepted; rejects after so many s with the last one. */
export async function until<T>(
  ask: () => Promise<T> | T,
  isWanted: (answer: T) => boolean,
  longest_s = 50,
): Promise<T> {
  const giveUpAt = performance.now() + longest_s * 1000;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (performance.now() > giveUpAt) throw new Error(`still ${JSON.stringify(answer)} after ${longest_s} s`);
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
  }
}
