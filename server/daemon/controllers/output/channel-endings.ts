import type { OutputChannelState } from '../../../contract/output.ts';
import { blocked, type Result } from '../../drivers/outcomes.ts';
import type { Claim, PriorityArray, Snapshot } from './priority-array.ts';
import type { ChannelHost, Ended, EndedOverride } from './channel-host.ts';
import { holdEnd } from './output-record.ts';

type How = Pick<EndedOverride, 'ended_by' | 'released_by'>;

interface EndingsHost {
  channel: number;
  priorities: PriorityArray;
  host: Pick<ChannelHost, 'clock' | 'emergency' | 'overrideEnded'>;
  /** Publishes the state with the end of a command. */
  publish: (ended: Ended) => void;
}

/** Reports commands that end without another command of their source: overrides, and kept commands that never acted. */
export class ChannelEndings {
  readonly #options: EndingsHost;
  #last: OutputChannelState['override_ended'];

  constructor(options: EndingsHost) {
    this.#options = options;
  }

  /** How the last manual command ended; undefined once there is a new one. */
  get last(): OutputChannelState['override_ended'] {
    return this.#last;
  }

  /** Reports claims that ran out. */
  expired(claims: readonly Claim[]): void {
    for (const claim of claims) {
      if (claim.kept !== undefined) this.#dropped(claim, blocked('expired', 'it could not act in time'));
      else if (claim.source === 'manual') this.#ended(claim, { ended_by: 'expired', released_by: null });
    }
  }

  /** Reports a manual claim that was released. */
  released(claim: Claim, actor: string): void {
    if (claim.kept === undefined) this.#ended(claim, { ended_by: 'released', released_by: actor });
    else this.#dropped(claim, blocked('superseded', `taken back by ${actor}`));
  }

  /** Reports all claims, ended by an emergency stop or by a fresh start of the output. */
  stopped(former: Snapshot): void {
    const { held } = this.#options.host.emergency;
    const code = held === null ? 'stopping' : 'emergency_stop';
    const result = blocked(code, held === null ? 'dropped' : `dropped by the emergency stop of ${held.actor}`);
    for (const claim of former.values()) if (claim.kept !== undefined) this.#dropped(claim, result);
    const manual = former.get('manual');
    if (manual === undefined || manual.kept !== undefined || typeof manual.hold !== 'number') return;
    this.#ended(manual, { ended_by: held === null ? 'watchdog' : 'emergency_stop', released_by: held?.actor ?? null });
  }

  /** Reports a command that the last daemon kept: it does not outlive that daemon. */
  forgotten(claim: Claim): void {
    if (claim.source === 'manual') this.#ended(claim, { ended_by: 'restart', released_by: null });
    this.#dropped(claim, blocked('stopping', 'dropped: the daemon began anew before it could act'));
  }

  /** Reports the claims that a new command replaced. */
  replaced(former: Snapshot, { source, actor }: Pick<Claim, 'source' | 'actor'>): void {
    const { priorities } = this.#options;
    if (source === 'manual') this.#last = undefined;
    for (const claim of former.values()) {
      const isThere = claim.source !== source && priorities.of(claim.source) !== undefined;
      if (claim.kept !== undefined && !isThere) this.#dropped(claim, blocked('superseded', `replaced by ${actor}`));
    }
  }

  #ended(claim: Claim, how: How): void {
    const { channel, priorities, host } = this.#options;
    const { actor, value, reason } = claim;
    const until_ms = holdEnd(claim, host.clock);
    const override_until = until_ms === null ? null : new Date(until_ms).toISOString();
    const ended = { ...how, actor, value, override_until };
    const ended_at = new Date(host.clock.now()).toISOString();
    this.#last = { ...ended, ...(reason !== undefined && { reason }), ended_at };
    const next = priorities.effective();
    host.overrideEnded({
      channel,
      ...ended,
      next: next === undefined ? null : { source: next.source, actor: next.actor, value: next.value },
    });
  }

  /** A controller's standing demand is not a command whose end anyone waits for. */
  #dropped({ actor, value, kept }: Claim, result: Result): void {
    if (kept === undefined || kept.untilMs === null) return;
    this.#options.publish({ ...result, commanded_by: actor, requested: value });
  }
}
