import type { Actor, AuditSink } from '../../auth/actor.ts';
import { isRefusal, Refusal } from '../../contract/errors.ts';
import type { EmergencyStop } from '../../contract/safety.ts';
import { commandFailure, type EmergencyStopPort } from '../live/daemon-port.ts';
import { audited } from './audited.ts';
import { actorName } from './output-command.ts';
import type { OwedStop } from './owed-stop.ts';

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
  owed: OwedStop;
}

/**
 * Stops everything through the daemon, which alone knows whether the stop holds. A stop without an answer is owed: a
 * daemon that hung is started again and would take up what it did before. The next daemon is started with it, and it is
 * repeated until the daemon answers or a later release is confirmed, by the next start of the service if need be.
 */
export class EmergencyStopService {
  readonly #options: EmergencyStopOptions;
  /** Calls under way, shared by those who ask for the same: a flood of them is one call. */
  #reading: Promise<EmergencyStop> | undefined;
  #stopping: Promise<EmergencyStop> | undefined;
  /** Stops and releases in the order in which they were asked for. */
  #asked = 0;
  /** The last release that was confirmed. */
  #released = 0;
  #owedSince = 0;
  #isClosed = false;

  constructor(options: EmergencyStopOptions) {
    this.#options = options;
    if (options.owed.value !== undefined) void this.#repeat();
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
    const mine = (this.#asked += 1);
    return this.#recorded(() => shared, { actor, asked: { reason: reason ?? null } }).catch((error: unknown) => {
      if (isUnanswered(error) && mine > this.#released) this.#owe(mine, { actor, reason });
      throw error;
    });
  }

  /** Ends the repetition of a stop that is owed; the service ends. */
  close(): void {
    this.#isClosed = true;
  }

  /** Outputs stay as they are until a new command. Until it is confirmed, a stop that is owed stays owed. */
  async release(actor: Actor, reason: string | undefined): Promise<EmergencyStop> {
    const { daemon, audit, owed } = this.#options;
    const mine = (this.#asked += 1);
    const looked = await daemon.emergency_stop_get().then(
      (before) => ({ before }),
      (error: unknown) => ({ error }),
    );
    this.#stopping = undefined; // a stop that comes after the release is one of its own
    const confirmed = (): void => {
      this.#released = Math.max(this.#released, mine);
      if (this.#owedSince < mine) owed.keep(undefined);
    };
    const released = await audited(
      () => ('error' in looked ? throwing(looked.error) : daemon.emergency_stop_release(actorName(actor))),
      {
        audit,
        kind: 'emergency_stop.release',
        actor,
        ...('before' in looked && looked),
        asked: { reason: reason ?? null },
        after: (told) => ({ ...told, reason: reason ?? null }),
      },
    ).catch((error: unknown) => {
      if (isRefusal(error) && error.code === 'not_active') confirmed(); // nothing is stopped any more
      throw error;
    });
    confirmed();
    return released;
  }

  #owe(since: number, stop: { actor: Actor; reason: string | undefined }): void {
    const { owed } = this.#options;
    this.#owedSince = since;
    if (owed.value !== undefined) return;
    owed.keep(stop);
    void this.#repeat();
  }

  /** One call at a time. Only the one that is answered is recorded: a daemon may be away for hours. */
  async #repeat(): Promise<void> {
    const { owed, stopping } = this.#options;
    const { value } = owed;
    if (value === undefined) return;
    const { actor, reason } = value;
    const asked = { reason: reason ?? null, is_repeated: true };
    const call = () => stopping.emergency_stop(reason, actorName(actor));
    for (;;) {
      await new Promise<void>((resolve) => void setTimeout(resolve, repeatMs).unref());
      if (this.#isClosed || owed.value !== value) return;
      const isAnswered = await this.#recorded(call, { actor, asked, refused: unansweredOf }).then(
        () => true,
        (error: unknown) => !isUnanswered(error),
      );
      if (isAnswered && owed.value === value) owed.keep(undefined);
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

async function throwing(error: unknown): Promise<never> {
  throw error;
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    throw commandFailure(error);
  });
}
