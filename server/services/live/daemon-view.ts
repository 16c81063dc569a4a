import type { DaemonView } from '../../contract/daemon.ts';
import type { LiveCache } from './live.ts';

/** Whoever starts the daemon again when it dies. */
export interface Supervisor {
  /** Since the service started. */
  restarts: number;
  last_restart: { at: string; reason: string } | null;
  crash_loop: boolean;
  /** Resident memory of the daemon in MB; null or absent where nobody can tell. */
  memory_mb?: number | null;
}

/** State of the daemon for those who look after the machine. */
export function viewDaemon(
  live: Pick<LiveCache, 'daemonState' | 'daemonStatus' | 'controllers'>,
  supervisor: Supervisor,
): DaemonView {
  const status = live.daemonState === 'up' ? live.daemonStatus : null;
  return {
    state: live.daemonState,
    version: status?.version ?? null,
    started_at: status?.started_at ?? null,
    restarts: supervisor.restarts,
    last_restart: supervisor.last_restart,
    crash_loop: supervisor.crash_loop,
    memory_mb: supervisor.memory_mb ?? null,
    controllers: live.controllers(),
  };
}
