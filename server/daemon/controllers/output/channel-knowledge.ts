import type { OutputChannelState, OutputState } from '../../../contract/output.ts';
import type { OutputValue } from '../../drivers/driver.ts';
import { cannotAnswer, confirmed, failed, stillWaiting, type Result } from '../../drivers/outcomes.ts';
import { canonical, positionPct } from '../../drivers/output-value.ts';
import type { ChannelDemand } from './channel-demand.ts';
import type { ChannelHost } from './channel-host.ts';
import type { KnownState } from './channel-state.ts';

type Quality = OutputChannelState['quality'];

/** The estimate for a motor positioned by run time: where it stands and where it is going. */
interface Reckoned extends Pick<KnownState, 'moves_to' | 'drift_pct'> {
  stands: OutputState;
}

/** The known state of a channel: what its device confirmed or reported, or what the run time of its motor implies. */
export class ChannelKnowledge {
  readonly #demand: ChannelDemand;
  readonly #host: Pick<ChannelHost, 'clock' | 'device'>;
  #known: KnownState = { state: null, quality: 'unknown', changedAtMs: null, isDutyKept: false };

  constructor(demand: ChannelDemand, host: Pick<ChannelHost, 'clock' | 'device'>) {
    this.#demand = demand;
    this.#host = host;
  }

  get state(): OutputState {
    return this.#known.state;
  }

  get all(): Readonly<KnownState> {
    return this.#known;
  }

  /** Where it is, or where it is going; null when unknown. */
  get destination(): OutputState {
    return this.#known.moves_to ?? this.#known.state;
  }

  get isMoving(): boolean {
    return this.#known.moves_to !== undefined;
  }

  /** The run-time estimate; undefined for a channel that switches at once, and without a device. */
  reckoned(): Reckoned | undefined {
    const { kind, channel, motor_close_channel } = this.#demand.settings;
    if (motor_close_channel === null) return undefined;
    const formOf = (value: OutputValue): OutputValue => canonical(value, kind) ?? value;
    try {
      const known = this.#host.device().reckoned?.(channel);
      if (known === undefined) return undefined;
      const { stands, drift_pct, moves_to } = known;
      const to = moves_to === undefined ? {} : { moves_to: formOf(moves_to) };
      return { stands: stands === null ? null : formOf(stands), drift_pct, ...to };
    } catch {
      return undefined; // not connected
    }
  }

  /** Whether this is already known. */
  is(state: OutputState, quality: Quality, reckoned: Reckoned | undefined): boolean {
    const { state: before, quality: qualityBefore, moves_to, drift_pct } = this.#known;
    const isSame = state === before && quality === qualityBefore;
    return isSame && reckoned?.moves_to === moves_to && reckoned?.drift_pct === drift_pct;
  }

  become(state: OutputState, quality: Quality): void {
    const { clock } = this.#host;
    const changedAtMs = state === this.#known.state ? this.#known.changedAtMs : clock.now();
    const { isDutyKept } = this.#known;
    const { moves_to, drift_pct } = this.reckoned() ?? {};
    this.#known = { state, quality, changedAtMs, isDutyKept, moves_to, drift_pct }; // the gate asks for it, too
    this.#demand.onTime.observe(state, clock.elapsed());
    const { duty_pct } = this.#demand.desired(state);
    this.#known = { ...this.#known, isDutyKept: state !== null && duty_pct !== undefined };
  }

  /** Its device did not do its part of a duty cycle. */
  missDuty(): void {
    this.#known = { ...this.#known, isDutyKept: false };
  }

  /** The furthest that it may be open or on, %, of where it is and where it is going; Infinity when unknown. */
  exposurePct(): number {
    const { state, moves_to } = this.#known;
    return Math.max(positionPct(state), moves_to === undefined ? 0 : positionPct(moves_to));
  }

  /** Whether it stands at its safe state, or moves there and a limit switch will stop it. */
  isSafe(): boolean {
    const { safe } = this.#demand;
    const isAtEnd = positionPct(safe) === 0 || positionPct(safe) === 100;
    return this.destination === safe && (isAtEnd || !this.isMoving);
  }

  /** How far it is known to be in its safe state. */
  safeOutcome(): Result {
    const { safe } = this.#demand;
    if (this.state === null) return failed('unreachable', 'its state is unknown');
    if (this.#known.moves_to === safe) return stillWaiting;
    if (this.isMoving || this.state !== safe) return failed('refused', 'it is not in its safe state');
    return this.#known.quality === 'good' ? confirmed : cannotAnswer;
  }
}
