/** Messages from the daemon to the process that started it. */
export type DaemonMessage = { kind: 'ready'; port: number } | { kind: 'heartbeat' };

/** The exit code of a daemon that was asked to end and could not bring every output to its state in time. */
export const unfinishedExit = 3;

/** The connection to the process that started this one. */
export interface ParentLink {
  send(message: DaemonMessage): void;
  /** Calls back once when the other side is gone. */
  onGone(run: () => void): void;
}

/** What Electron offers a utility process instead of `process.send`. */
interface ParentPort {
  postMessage(message: unknown): void;
}

/** undefined for a daemon started by hand, which has no parent. */
export function parentLink(): ParentLink | undefined {
  if (process.send) {
    return {
      send: (message) => {
        if (process.connected) process.send?.(message, () => undefined); // a parent that just went is noticed by onGone
      },
      onGone: (run) => {
        if (process.connected) process.once('disconnect', run);
        else run();
      },
    };
  }
  const port = parentPort();
  // A utility process ends with Electron's main process, so it can never notice that end.
  return port && { send: (message) => port.postMessage(message), onGone: () => undefined };
}

function parentPort(): ParentPort | undefined {
  const { parentPort: port } = process as typeof process & { parentPort?: ParentPort }; // there only under Electron
  return port;
}
