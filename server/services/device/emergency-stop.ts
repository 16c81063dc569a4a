import type { Actor, AuditSink } from '../../auth/actor.ts';
import { Refusal } from '../../contract/errors.ts';
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
 * daemon that hung is started again and would take up what it did before. The next daemon is started with it, and it is
 * repeated until the daemon answers or it is released.
 */
export class EmergencyStopService {
  readonly #options: EmergencyStopOptions;
  /** Calls under way, shared by those who ask for the same: a flood of them is one call. */
  #reading: Promise<EmergencyStop> | undefined;
  #stopping: Promise<EmergencyStop> | undefined;
  #owed: OwedStop | undefined;
  /** So many releases were asked for: a stop from before the last one is not owed. */
  #releases = 0;

  constructor(options: EmergencyStopOptions) {
    this.#options = options;
  }

  /** The stop that no daemon has answered yet: the next one is started with it. */
  get owed(): { actor: string; reason: string | null } | undefined {
    return this.#owed && { actor: actorName(this.#owed.actor), reason: this.#owed.reason ?? null };
  }

  /** Throws `daemon_unreachable` and the like, as do the calls below. */
  get(): Promise<EmergencyStop> {
    this.#reading ??= answered(this.#options.daemon.emergency_stop_get()).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Drives every output to its safe state; resolves with the result of each within 2 s. */
  async stop(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    this.#stopping ??= this.#shared(this.#options.stopping.emergency_stop(reason, actorName(actor)));
    const shared = this.#stopping;
    const releases = this.#releases;
    return this.#recorded(() => shared, { actor, asked: { reason: reason ?? null } }).catch((error: unknown) => {
      if (isUnanswered(error) && releases === this.#releases) this.#owe({ actor, reason });
      throw error;
    });
  }

  /** Ends the repetition of a stop that is owed; the service ends. */
  close(): void {
    this.#owed = undefined;
  }

  /** Outputs stay as they are until a new command. */
  async release(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { daemon, audit } = this.#options;
    this.#releases += 1;
    this.#owed = undefined;
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
    if (this.#owed !== undefined) return;
    this.#owed = owed;
    void this.#repeat(owed);
  }

  /** One call at a time. Only the one that is answered is recorded: a daemon may be away for hours. */
  async #repeat(owed: OwedStop): Promise<void> {
    const { actor, reason } = owed;
    const asked = { reason: reason ?? null, is_repeated: true };
    const call = () => this.#options.stopping.emergency_stop(reason, actorName(actor));
    for (;;) {
      await new Promise<void>((resolve) => void setTimeout(resolve, repeatMs).unref());
      if (this.#owed !== owed) return;
      const isAnswered = await this.#recorded(call, { actor, asked, refused: unansweredOf }).then(
        () => true,
        (error: unknown) => !isUnanswered(error),
      );
      if (isAnswered && this.#owed === owed) this.#owed = undefined;
    }
  }

  #recorded(
    call: () => Promise<EmergencyStop>,
    deed: { actor: Actor; asked: object; refused?: (error: unknown) => Refusal | undefined },
  ): Promise<EmergencyStop> {
    const { audit } = this.#options;
    return audited(call, { audit, kind: 'emergency_stop.begin', ...deed, after: (told) => told });
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

/** The refusal of a call without an answer; undefined of any other. */
function unansweredOf(error: unknown): Refusal | undefined {
  const refusal = commandFailure(error);
  return isUnanswered(refusal) ? refusal : undefined;
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    throw commandFailure(error);
  });
}
