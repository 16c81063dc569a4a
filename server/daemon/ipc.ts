/** What the daemon tells the process that started it. */
export type DaemonMessage = { kind: 'ready'; port: number } | { kind: 'heartbeat' };

/** The line to the process that started this one. */
export interface ParentLink {
  send(message: DaemonMessage): void;
  /** Calls once when the other side is gone. */
  onGone(run: () => void): void;
}

/** What Electron gives a utility process instead of `process.send`. */
interface ParentPort {
  postMessage(message: unknown): void;
}

/** undefined for a daemon that was started by hand: it has nobody to lose. */
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
  // A utility process ends with Electron's main process: there is no moment to hear of.
  return port && { send: (message) => port.postMessage(message), onGone: () => undefined };
}

function parentPort(): ParentPort | undefined {
  const { parentPort: port } = process as typeof process & { parentPort?: ParentPort }; // there only under Electron
  return port;
}
