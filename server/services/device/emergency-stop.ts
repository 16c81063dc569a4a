import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { EmergencyStop } from '../../contract/safety.ts';
import { commandFailure, type EmergencyStopPort } from '../live/daemon-port.ts';
import { actorName } from './output-command.ts';

interface EmergencyStopOptions {
  /** A connection that nothing else uses: a stop waits for no other call. */
  daemon: EmergencyStopPort;
  audit: AuditSink;
}

/** Stops everything through the daemon, which alone knows whether it holds. */
export class EmergencyStopService {
  readonly #options: EmergencyStopOptions;

  constructor(options: EmergencyStopOptions) {
    this.#options = options;
  }

  /** Throws `daemon_unreachable` and the like, as the calls below do. */
  get(): Promise<EmergencyStop> {
    return answered(this.#options.daemon.emergency_stop_get());
  }

  /** Drives every output to its safe state; resolves with what came of each within 2 s. */
  async stop(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { daemon, audit } = this.#options;
    const after = await answered(daemon.emergency_stop(reason, actorName(actor)));
    audit.record({ kind: 'emergency_stop.begin', actor, after });
    return after;
  }

  /** Outputs stay as they are until somebody commands them anew. */
  async release(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { daemon, audit } = this.#options;
    const before = await this.get();
    const after = await answered(daemon.emergency_stop_release(actorName(actor)));
    audit.record({ kind: 'emergency_stop.release', actor, before, after: { ...after, reason: reason ?? null } });
    return after;
  }
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    throw commandFailure(error);
  });
}
