import type { KeptCommand, OutputChannelState } from '../../../contract/output.ts';
import type { Clock } from '../../clock.ts';
import type { EmergencyStop } from '../../safety/emergency-stop.ts';
import type { ChannelDemand } from './channel-demand.ts';
import { holdEnd, isOverride, epochOf_ms } from './output-record.ts';

/** The known state of a channel, as its device confirmed or reported it. */
export interface KnownState extends Pick<OutputChannelState, 'state' | 'quality' | 'moves_to' | 'drift_pct'> {
  /** When the state last changed, epoch ms; null before the first change. */
  changedAtMs: number | null;
  /** The device has confirmed a step of the current duty cycle. */
  isDutyKept: boolean;
}

/** What is known of a channel, as opposed to what it should be. */
interface Known extends KnownState, Pick<OutputChannelState, 'pending' | 'override_ended'> {
  clock: Clock;
  /** The emergency stop that holds it; null when there is none. */
  stopped: EmergencyStop['held'];
}

/** The state of a channel as clients and events receive it. */
export function channelState(demand: ChannelDemand, known: Known): OutputChannelState {
  const { clock, quality, stopped, changedAtMs, pending, override_ended } = known;
  const iso = (...timesMs: (number | null)[]): string | null => {
    const first = Math.min(...timesMs.filter((time) => time !== null));
    return Number.isFinite(first) ? new Date(first).toISOString() : null;
  };
  const claim = demand.priorities.effective();
  const heldMs = claim ? holdEnd(claim, clock) : null;
  const { objection, ...desired } = demand.desired(known.state);
  // A contact that does not do its part keeps no duty cycle.
  const isKept = known.state === desired.value || (pending && known.isDutyKept && known.state !== null);
  const duty_pct = isKept ? desired.duty_pct : undefined;
  const contact = duty_pct === undefined || typeof known.state === 'number' ? null : known.state;
  const [kept] = demand.priorities.kept();
  const keptCommand: KeptCommand | undefined = kept && {
    value: kept.value,
    source: kept.source,
    actor: kept.actor,
    reason: kept.reason ?? null,
    until: iso(epochOf_ms(kept.kept?.untilMs ?? null, clock)),
  };
  const wanted = objection ? claim?.value : demand.priorities.waiting()?.value;
  return {
    channel: demand.settings.channel,
    state: duty_pct ?? known.state,
    contact,
    quality,
    ...(known.moves_to !== undefined && { moves_to: known.moves_to }),
    ...(known.drift_pct !== undefined && { drift_pct: known.drift_pct }),
    pending,
    source: stopped ? 'emergency_stop' : objection ? 'safety' : (claim?.source ?? null),
    actor: stopped?.actor ?? claim?.actor ?? null,
    reason: stopped?.reason ?? objection?.message ?? claim?.reason ?? null,
    ...(!stopped && !objection && claim?.cause && { cause: claim.cause }),
    rule: stopped ? 'emergency_stop' : (objection?.rule ?? null),
    ...(!stopped && objection?.held_by && { held_by: objection.held_by }),
    wanted: wanted ?? null,
    ...(keptCommand && { kept: keptCommand }),
    ...(override_ended && { override_ended }),
    until: claim?.kept ? null : iso(heldMs, epochOf_ms(claim?.ends_at ?? null, clock)),
    override_until: isOverride(claim) ? iso(heldMs) : null,
    off_until: iso(epochOf_ms(demand.onTime.offUntil(clock.elapsed()), clock)),
    on_seconds: demand.onTime.onSeconds(known.state, clock.elapsed()),
    changed_at: changedAtMs === null ? null : new Date(changedAtMs).toISOString(),
  };
}
