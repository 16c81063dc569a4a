import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { EmergencyStop } from '../../contract/safety.ts';
import { commandFailure, type EmergencyStopPort } from '../live/daemon-port.ts';
import { audited } from './audited.ts';
import { actorName } from './output-command.ts';

interface EmergencyStopOptions {
  /** A connection of its own: a stop waits for no other call. */
  stopping: Pick<EmergencyStopPort, 'emergency_stop'>;
  /** Another one, for reading and releasing. */
  daemon: Pick<EmergencyStopPort, 'emergency_stop_get' | 'emergency_stop_release'>;
  audit: AuditSink;
}

/** Stops everything through the daemon, which alone knows whether the stop holds. */
export class EmergencyStopService {
  readonly #options: EmergencyStopOptions;
  /** Calls under way, shared by those who ask for the same: a flood of them is one call. */
  #reading: Promise<EmergencyStop> | undefined;
  #stopping: Promise<EmergencyStop> | undefined;

  constructor(options: EmergencyStopOptions) {
    this.#options = options;
  }

  /** Throws `daemon_unreachable` and the like, as do the calls below. */
  get(): Promise<EmergencyStop> {
    this.#reading ??= answered(this.#options.daemon.emergency_stop_get()).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Drives every output to its safe state; resolves with the result of each within 2 s. */
  async stop(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { stopping, audit } = this.#options;
    this.#stopping ??= this.#shared(stopping.emergency_stop(reason, actorName(actor)));
    const shared = this.#stopping;
    const asked = { reason: reason ?? null };
    return audited(() => shared, { audit, kind: 'emergency_stop.begin', actor, asked, after: (told) => told });
  }

  /** Outputs stay as they are until a new command. */
  async release(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { daemon, audit } = this.#options;
    const before = await this.get();
    this.#stopping = undefined; // a stop that comes after the release is one of its own
    return audited(() => daemon.emergency_stop_release(actorName(actor)), {
      audit,
      kind: 'emergency_stop.release',
      actor,
      before,
      asked: { reason: reason ?? null },
      after: (told) => ({ ...told, reason: reason ?? null }),
    });
  }

  #shared(call: Promise<EmergencyStop>): Promise<EmergencyStop> {
    const shared = call.finally(() => {
      if (this.#stopping === shared) this.#stopping = undefined;
    });
    return shared;
  }
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    throw commandFailure(error);
  });
}
