import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DaemonMessage } from '../daemon/ipc.ts';

/** An emergency stop that no daemon has answered yet. */
export interface StopAsked {
  actor: string;
  reason: string | null;
}

/** The parameters of a daemon's start. */
export interface DaemonLaunch {
  dataDirectory: string;
  /** 0 takes a free port. */
  port: number;
  /** How long it goes on without this process, s; null for ever. */
  linger_s: number | null;
  /** Where other machines reach its remote object; without it only this one does. */
  daemonNetwork?: { host: string; port: number } | undefined;
  /** Why the last one ended, if daemons end again and again. */
  crash_loop?: string | undefined;
  /** How long it only keeps its outputs safe, s, before it goes on to what may have ended the last one. */
  safe_s?: number | undefined;
  /** Holds from its start, before anything is driven. */
  stop?: StopAsked | undefined;
  /** Makes it only drive its outputs safe, and end with 0, or with 1 if they are not safe after this time, s. */
  until_safe_s?: number | undefined;
}

/** A daemon process as its launcher sees it. */
export interface DaemonProcess {
  readonly pid: number | undefined;
  onMessage(run: (message: DaemonMessage) => void): void;
  /** Called once, even if it could not be started; null after a signal. */
  onExit(run: (code: number | null) => void): void;
  /** Asks for an orderly stop. */
  terminate(): void;
  /** Kills it at once. */
  kill(): void;
  /** Lets it live on without keeping this process alive. */
  detach(): void;
}

/** Starts daemon processes: `child_process.fork` here, `utilityProcess.fork` under Electron. */
export interface DaemonLauncher {
  launch(launch: DaemonLaunch): DaemonProcess;
}

/** The daemon's entry point: `daemon/main.ts` when the sources run, `daemon.js` beside the bundle. */
export function daemonEntry(): string {
  const isSource = new URL(import.meta.url).pathname.endsWith('.ts');
  return fileURLToPath(new URL(isSource ? '../daemon/main.ts' : './daemon.js', import.meta.url));
}

/**
 * A young generation of 2 MB instead of 32: the daemon allocates little and short-lived memory, and each of its threads
 * has one.
 */
const daemonFlags = ['--max-semi-space-size=2', '--optimize-for-size'];

/**
 * One heap for all threads where glibc would give each its own, so that freed memory is shared. Other C libraries
 * ignore the variable.
 */
const daemonEnvironment = { MALLOC_ARENA_MAX: '1' };

/** No process starts with a NUL in an argument, and a stop must not keep the daemon from starting. */
const argument = (text: string): string => text.replaceAll('\0', ' ');

/** The command-line arguments of a launch. */
export function daemonArguments(launch: DaemonLaunch): string[] {
  const { dataDirectory, port, linger_s, daemonNetwork, crash_loop, safe_s, stop, until_safe_s } = launch;
  const network = daemonNetwork && ['--network-host', daemonNetwork.host, '--network-port', String(daemonNetwork.port)];
  return [
    '--data',
    dataDirectory,
    '--port',
    String(port),
    '--linger',
    linger_s === null ? 'forever' : String(linger_s),
    ...(network ?? []),
    ...(crash_loop === undefined ? [] : [`--crash-loop=${crash_loop}`]),
    ...(safe_s === undefined ? [] : ['--safe-s', String(safe_s)]),
    ...(stop === undefined ? [] : [`--stopped-by=${argument(stop.actor)}`]),
    ...(stop?.reason == null ? [] : [`--stop-reason=${argument(stop.reason)}`]),
    ...(until_safe_s === undefined ? [] : ['--until-safe-s', String(until_safe_s)]),
  ];
}

/** Starts daemons as children of this process; their logs go to its standard error. */
export class ForkLauncher implements DaemonLauncher {
  readonly #entry: string;

  constructor(entry: string = daemonEntry()) {
    this.#entry = entry;
  }

  /** The child is detached: a signal that kills this process's terminal or group does not reach it. */
  launch(launch: DaemonLaunch): DaemonProcess {
    const child = fork(this.#entry, daemonArguments(launch), {
      detached: true,
      execArgv: [...process.execArgv, ...daemonFlags],
      env: { ...process.env, ...daemonEnvironment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return {
      pid: child.pid,
      onMessage: (run) => void child.on('message', (message) => run(message as DaemonMessage)), // the daemon sends nothing else
      onExit: (run) => {
        let isTold = false;
        const tell = (code: number | null): void => {
          if (!isTold) run(code);
          isTold = true;
        };
        child.once('exit', tell);
        child.once('error', () => tell(null));
      },
      terminate: () => void child.kill('SIGTERM'),
      kill: () => void child.kill('SIGKILL'),
      detach: () => {
        child.unref();
        child.channel?.unref();
      },
    };
  }
}
