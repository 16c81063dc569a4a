import type { Actor, AuditSink } from '../../auth/actor.ts';
import { Refusal } from '../../contract/errors.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { EmergencyStop } from '../../contract/safety.ts';
import { commandFailure, type EmergencyStopPort } from '../live/daemon-port.ts';
import { audited } from './audited.ts';
import { actorName } from './output-command.ts';

/** Between two attempts of a stop without an answer, ms. */
const repeatMs = 500;
/** The daemon cannot be reached, or did not say whether it stopped. */
const unanswered: ReadonlySet<string> = new Set(['daemon_unreachable', 'command_unknown']);

interface EmergencyStopOptions {
  /** A connection of its own: a stop waits for no other call. */
  stopping: Pick<EmergencyStopPort, 'emergency_stop'>;
  /** Another one, for reading and releasing. */
  daemon: Pick<EmergencyStopPort, 'emergency_stop_get' | 'emergency_stop_release'>;
  audit: AuditSink;
}

interface OwedStop {
  actor: Actor;
  reason: string | undefined;
}

/**
 * Stops everything through the daemon, which alone knows whether the stop holds. A stop without an answer is owed: a
 * daemon that hung is started again and would take up what it did before. It is repeated until the daemon answers or
 * somebody releases it.
 */
export class EmergencyStopService {
  readonly #options: EmergencyStopOptions;
  /** Calls under way, shared by those who ask for the same: a flood of them is one call. */
  #reading: Promise<EmergencyStop> | undefined;
  #stopping: Promise<EmergencyStop> | undefined;
  #owed: OwedStop | undefined;
  #repeating: NodeJS.Timeout | undefined;

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
    const told = audited(() => shared, { audit, kind: 'emergency_stop.begin', actor, asked, after: (after) => after });
    return told.catch((error: unknown) => {
      if (isUnanswered(error)) this.#owe({ actor, reason });
      throw error;
    });
  }

  /** Ends the repetition of a stop that is owed; the service ends. */
  close(): void {
    this.#settle();
  }

  /** Outputs stay as they are until a new command. */
  async release(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { daemon, audit } = this.#options;
    this.#settle();
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

  #owe(owed: OwedStop): void {
    this.#owed ??= owed;
    this.#repeating ??= setTimeout(() => void this.#repeat(), repeatMs).unref();
  }

  #settle(): void {
    this.#owed = undefined;
    clearTimeout(this.#repeating);
    this.#repeating = undefined;
  }

  async #repeat(): Promise<void> {
    const owed = this.#owed;
    if (owed === undefined) return;
    const { actor, reason } = owed;
    const { stopping, audit } = this.#options;
    this.#repeating = undefined;
    const entry = { kind: 'emergency_stop.begin', actor };
    const asked = { reason: reason ?? null, is_repeated: true };
    try {
      const told = await answered(stopping.emergency_stop(reason, actorName(actor)));
      audit.record({ ...entry, after: { ...asked, ...told } });
    } catch (error) {
      if (this.#owed === owed && isUnanswered(error)) return this.#owe(owed);
      audit.record({ ...entry, after: { ...asked, outcome: 'failed', message: messageOf(error) } });
    }
    if (this.#owed === owed) this.#settle();
  }

  #shared(call: Promise<EmergencyStop>): Promise<EmergencyStop> {
    const shared = call.finally(() => {
      if (this.#stopping === shared) this.#stopping = undefined;
    });
    return shared;
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Refusal && unanswered.has(error.code);
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    throw commandFailure(error);
  });
}
