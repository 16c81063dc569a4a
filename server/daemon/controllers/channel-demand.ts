import type { CommandSource, OutputChannel, OutputState } from '../../contract/output.ts';
import type { OutputValue } from '../drivers/driver.ts';
import { blocked } from '../outcomes.ts';
import type { Result } from '../outcomes.ts';
import { canonical, isOn } from '../output-value.ts';
import { Register } from '../register.ts';
import type { Claim } from '../register.ts';
import type { Objection } from '../safety/gate.ts';
import { OnTime } from './on-time.ts';
import type { ChannelHost } from './channel-host.ts';

export interface ChannelCommand {
  source: CommandSource;
  actor: string;
  value: OutputValue;
  hold: Claim['hold'];
  /** Off by itself after this time, s. */
  duration_s?: number | undefined;
  /** Least time that it stays off after this command's on time, s; the channel's own when that is longer. */
  min_off_s?: number | undefined;
  reason?: string | undefined;
}

/** What a channel should be. */
export interface Desired {
  /** null: nobody asks for anything and the state is known. */
  value: OutputValue | null;
  objection?: Objection | undefined;
}

/** What one channel should be: who asks for what, as far as its times and the gate let it. Knows no device; `state` is what it is. */
export class ChannelDemand {
  settings: OutputChannel;
  readonly register = new Register();
  onTime = new OnTime();
  readonly #host: Pick<ChannelHost, 'output_id' | 'clock' | 'gate' | 'emergency' | 'site'>;

  constructor(settings: OutputChannel, host: ChannelHost) {
    this.settings = settings;
    this.#host = host;
    this.onTime.min_off_s = settings.min_off_s;
  }

  /** Why a command is not even taken; undefined where it is. */
  refusal(command: ChannelCommand): Result | undefined {
    const stopped = this.#host.emergency.held;
    if (stopped) return blocked('emergency_stop', `the emergency stop of ${stopped.actor} is active`);
    const restS = this.onTime.remainingOffS(this.#host.clock.elapsed());
    if (!isOn(command.value) || restS === 0) return undefined;
    return blocked('min_off', `it must stay off for ${Math.ceil(restS)} s more`);
  }

  /** A command as the register takes it. */
  claimOf({ source, actor, value, hold, duration_s, reason }: ChannelCommand): Claim {
    const ends_at = duration_s === undefined ? null : this.#host.clock.elapsed() + duration_s * 1000;
    return { source, actor, value, hold, ends_at, reason };
  }

  /** The value that should go out now: the strongest claim as far as the gate lets it, or safe when nobody knows the state. */
  desired(state: OutputState): Desired {
    const claim = this.register.effective();
    const value = claim ? claim.value : this.#unclaimed(state);
    const resting = claim && this.#resting(claim);
    const standing = resting?.value ?? value ?? state ?? this.safe;
    const objection = this.judge(standing, claim?.source ?? null, state) ?? resting;
    return { value: objection?.value ?? value, objection };
  }

  /** What the gate has against a value that somebody asks for, or that merely stands. */
  judge(value: OutputValue, source: CommandSource | null, state: OutputState): Objection | undefined {
    const { gate, output_id, site } = this.#host;
    const { channel, current_a } = this.settings;
    const request = { output_id, channel, value, source, current_a, safe_state: this.safe, is_on: isOn(state) };
    return gate.judge(request, site);
  }

  /** In the form that states have, so that they compare. */
  get safe(): OutputValue {
    const { safe_state, kind } = this.settings;
    return canonical(safe_state, kind) ?? safe_state;
  }

  isTowardsSafety(value: OutputValue): boolean {
    return value === this.safe || !isOn(value);
  }

  #unclaimed(state: OutputState): OutputValue | null {
    if (state === null) return this.safe;
    return this.#host.clock.elapsed() >= this.#maxOnEnd(state) && !isOn(this.safe) ? 'off' : null;
  }

  #resting(claim: Claim): Objection | undefined {
    if (!isOn(claim.value) || this.onTime.remainingOffS(this.#host.clock.elapsed()) === 0) return undefined;
    return { rule: 'min_off', message: 'it must stay off for a while', value: 'off' };
  }

  /** Lets time pass: durations and holds end, and so does the longest on time. */
  expire(state: OutputState): void {
    const now = this.#host.clock.elapsed();
    this.register.expire(now);
    if (now >= this.#maxOnEnd(state)) this.register.cut();
  }

  /** When it may change by itself, elapsed ms; Infinity where nothing is timed. */
  moments(state: OutputState): number[] {
    const claim = this.register.effective();
    const restEnd = claim !== undefined && isOn(claim.value) ? this.onTime.min_off_until : Infinity;
    return [this.register.nextChange(), this.#maxOnEnd(state), restEnd];
  }

  #maxOnEnd(state: OutputState): number {
    const { max_on_s: maxOnS } = this.settings;
    const { on_since: onSince } = this.onTime;
    return maxOnS === null || onSince === null || !isOn(state) ? Infinity : onSince + maxOnS * 1000;
  }
}
