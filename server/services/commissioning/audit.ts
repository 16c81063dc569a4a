import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { CheckOverview } from '../../contract/commissioning.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import { chainOf } from './chain.ts';
import type { CommissioningControl } from '../live/daemon-port.ts';
import type { LiveCache, LiveEvent } from '../live/live.ts';
import { outsideActor } from '../device/outside-command.ts';

interface AuditOptions {
  live: Pick<LiveCache, 'subscribe'>;
  daemon: Pick<CommissioningControl, 'commissioning_get' | 'commissioning_list'>;
  facilities: Pick<FacilityRepository, 'names'>;
  audit: AuditSink;
  /** Ids of checks whose end is already in the audit. */
  known: () => readonly string[];
  clock: Now;
  log: { warn(message: string): void };
}

/** Ends that occurred while the service was down are recorded when it is back, unless they are older. */
const lookBackMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Records in the audit what did not come through the REST interface: a check fully tested; one ended by an emergency
 * stop, a restart or a deletion; and what programs start and abort through the remote object. The end includes the seal
 * of that moment.
 */
export class CommissioningAudit {
  readonly #options: AuditOptions;
  #known: Set<string> | undefined;
  #work: Promise<void> = Promise.resolve();
  #unsubscribe: (() => void) | undefined;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  start(): void {
    this.#unsubscribe = this.#options.live.subscribe((event) => this.#hear(event));
  }

  /** Before the connection to the daemon closes. */
  async stop(): Promise<void> {
    this.#unsubscribe?.();
    await this.#work;
  }

  #hear(event: LiveEvent): void {
    if (event.kind === 'reset') this.#then(() => this.#catchUp());
    if (event.kind !== 'commissioning' || event.item !== null) return;
    if (event.status === 'running' && event.phase === 'sensors') this.#begun(event);
    else this.#then(() => this.#ended(event));
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#options.log.warn(`the end of a check was not written to the audit: ${messageOf(error)}`);
    });
  }

  #begun({ check_id, facility_uuid, started_by }: CheckOverview): void {
    if (started_by !== outsideActor.username) return;
    const after = { facility_uuid };
    this.#options.audit.record({ kind: 'commissioning.start', actor: outsideActor, target: check_id, after });
  }

  async #catchUp(): Promise<void> {
    const { facilities, daemon, clock } = this.#options;
    const sinceMs = clock() - lookBackMs;
    for (const { unique_id } of facilities.names()) {
      const checks = await daemon.commissioning_list(unique_id);
      for (const check of checks) if (Date.parse(check.started_at) >= sinceMs) await this.#ended(check);
    }
  }

  async #ended({ check_id, status, cause }: CheckOverview): Promise<void> {
    const { audit, daemon, known } = this.#options;
    this.#known ??= new Set(known());
    if (status === 'running' || this.#known.has(check_id)) return;
    const isAborted = cause?.code === 'aborted';
    const actor: Actor = isAborted && cause.by === outsideActor.username ? outsideActor : systemActor;
    // An abort through the REST interface is already in the audit.
    if (!isAborted || actor === outsideActor) {
      const check = await daemon.commissioning_get(check_id);
      const { facility_uuid, reason, progress, summary } = check;
      const after = {
        facility_uuid,
        status,
        reason,
        progress,
        results: summary.results,
        sha256: chainOf(check).sha256,
      };
      audit.record({ kind: 'commissioning.end', actor, target: check_id, after });
    }
    this.#known.add(check_id);
  }
}
