import type { DaemonView } from '../../contract/daemon.ts';
import type { LiveCache } from './live.ts';

/** The part that restarts the daemon when it dies. */
export interface Supervisor {
  /** Restarts since the service started. */
  restarts: number;
  last_restart: { at: string; reason: string } | null;
  crash_loop: boolean;
  /** It ended in order, and is not restarted automatically. */
  is_stopped: boolean;
  /** Resident memory of the daemon in MB; null or absent when unknown. */
  memory_mb?: number | null;
}

/** State of the daemon for those who look after the machine. */
export function viewDaemon(
  live: Pick<LiveCache, 'daemonState' | 'daemonStatus' | 'controllers' | 'endedBy'>,
  supervisor: Supervisor,
): DaemonView {
  const status = live.daemonState === 'up' ? live.daemonStatus : null;
  return {
    state: live.daemonState,
    version: status?.version ?? null,
    started_at: status?.started_at ?? null,
    restarts: supervisor.restarts,
    last_restart: supervisor.last_restart,
    is_stopped: supervisor.is_stopped,
    stopped_by: live.endedBy,
    crash_loop: supervisor.crash_loop,
    memory_mb: supervisor.memory_mb ?? null,
    controllers: live.controllers(),
  };
}
