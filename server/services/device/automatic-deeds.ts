import type { AuditEntry } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { DaemonEvent } from '../../contract/daemon.ts';
import type { OutputState } from '../../contract/output.ts';

/** Records of one channel, at once and an hour: a valve that a PID moves all day does not fill the audit. */
const mostAtOnce = 12;
const anHour = 6;
const hourMs = 3_600_000;

/** What was last seen of a channel. */
interface Seen {
  /** The controller that drives it; null when there is none. */
  by: string | null;
  state: OutputState;
  /** Records that may still be written, by the time of the events. */
  left: number;
  atMs: number;
  /** Changes since the last record. */
  untold: number;
}

/**
 * What controllers did to outputs, for the audit: each time that one takes over an output or changes it, with its rule
 * and numbers. When changes are frequent, only some get a record, with the number of changes since the last.
 */
export class AutomaticDeeds {
  readonly #seen = new Map<string, Seen>();

  /** Takes each event once, in order; undefined when there is nothing to record. */
  entryOf(event: DaemonEvent): AuditEntry | undefined {
    if (event.kind !== 'output' || event.pending) return undefined;
    const { output_id, channel, state, cause } = event;
    const key = `${output_id}/${channel}`;
    const before = this.#seen.get(key);
    const now = { by: cause?.unique_id ?? null, state };
    const isSame = before?.by === now.by && before.state === state;
    if (isSame || (cause === undefined && before === undefined)) return undefined;
    const atMs = Date.parse(event.at);
    const { left = mostAtOnce, untold = 0, atMs: beforeMs = atMs } = before ?? {};
    const mayTell = Math.min(mostAtOnce, left + (Math.max(0, atMs - beforeMs) * anHour) / hourMs);
    const isTold = cause !== undefined && mayTell >= 1;
    const count = cause === undefined ? untold : untold + 1;
    this.#seen.set(key, { ...now, atMs, left: isTold ? mayTell - 1 : mayTell, untold: isTold ? 0 : count });
    if (!isTold) return undefined;
    const { outcome } = event;
    const after = { channel, state, cause, ...(outcome && { outcome }), ...(count > 1 && { changes: count }) };
    return { kind: 'output.automatic', actor: systemActor, at: event.at, target: output_id, after };
  }

  /** The records could not be stored: the next change of each channel is recorded again. */
  forget(): void {
    this.#seen.clear();
  }
}
