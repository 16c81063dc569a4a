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
  /** Tells the state, with the end of a command. */
  publish: (ended: Ended) => void;
}

/** Tells of commands that end without another command of their source: overrides, and what was kept and never acted. */
export class ChannelEndings {
  readonly #options: EndingsHost;
  #last: OutputChannelState['override_ended'];

  constructor(options: EndingsHost) {
    this.#options = options;
  }

  /** How the last manual command ended; undefined from the next one on. */
  get last(): OutputChannelState['override_ended'] {
    return this.#last;
  }

  /** Claims whose time was over. */
  expired(claims: readonly Claim[]): void {
    for (const claim of claims) {
      if (claim.kept !== undefined) this.#dropped(claim, blocked('expired', 'it could not act in time'));
      else if (claim.source === 'manual') this.#ended(claim, { ended_by: 'expired', released_by: null });
    }
  }

  /** The manual claim that somebody released. */
  released(claim: Claim, actor: string): void {
    if (claim.kept === undefined) this.#ended(claim, { ended_by: 'released', released_by: actor });
    else this.#dropped(claim, blocked('superseded', `taken back by ${actor}`));
  }

  /** All that was asked for, by an emergency stop or because the output begins anew. */
  stopped(former: Snapshot): void {
    const { held } = this.#options.host.emergency;
    const code = held === null ? 'stopping' : 'emergency_stop';
    const result = blocked(code, held === null ? 'dropped' : `dropped by the emergency stop of ${held.actor}`);
    for (const claim of former.values()) if (claim.kept !== undefined) this.#dropped(claim, result);
    const manual = former.get('manual');
    if (manual === undefined || manual.kept !== undefined || typeof manual.hold !== 'number') return;
    this.#ended(manual, { ended_by: held === null ? 'watchdog' : 'emergency_stop', released_by: held?.actor ?? null });
  }

  /** A command that the last daemon kept: it does not outlive that one. */
  forgotten(claim: Claim): void {
    if (claim.source === 'manual') this.#ended(claim, { ended_by: 'restart', released_by: null });
    this.#dropped(claim, blocked('stopping', 'dropped: the daemon began anew before it could act'));
  }

  /** What a new command replaced of what stood before it. */
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
    const { actor, value } = claim;
    const until_ms = holdEnd(claim, host.clock);
    const override_until = until_ms === null ? null : new Date(until_ms).toISOString();
    const ended = { ...how, actor, value, override_until };
    this.#last = { ...ended, ended_at: new Date(host.clock.now()).toISOString() };
    const next = priorities.effective();
    host.overrideEnded({
      channel,
      ...ended,
      next: next === undefined ? null : { source: next.source, actor: next.actor, value: next.value },
    });
  }

  /** The standing demand of a controller is no command that somebody waits for. */
  #dropped({ actor, value, kept }: Claim, result: Result): void {
    if (kept === undefined || kept.untilMs === null) return;
    this.#options.publish({ ...result, commanded_by: actor, requested: value });
  }
}
