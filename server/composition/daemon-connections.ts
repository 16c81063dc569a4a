import { CommandPool } from '../services/live/command-pool.ts';
import { DaemonSettings } from '../services/live/daemon-settings.ts';
import { LiveCache } from '../services/live/live.ts';
import type { ServiceParts } from './parts.ts';

/** Opens the connections to the daemon: on a single one, a long call would delay all others. */
export function connectToDaemon({ connectDaemon, clock, elapsed, log, begun }: ServiceParts) {
  const connect = () => {
    const connection = connectDaemon();
    begun.defer(() => connection.close());
    return connection;
  };
  const daemon = connect();
  const commands = new CommandPool(connectDaemon);
  begun.defer(() => commands.close());
  return {
    daemon,
    /** One more, for services with slow calls. */
    connect,
    commands,
    daemonSettings: new DaemonSettings({ daemon, log }),
    live: new LiveCache({ daemon: connectDaemon(), clock, elapsed, log }),
  };
}

export type DaemonConnections = ReturnType<typeof connectToDaemon>;
