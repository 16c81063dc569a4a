import type { Cause } from '../../../contract/cause.ts';
import type { CommandSource, OutputChannel, OutputState } from '../../../contract/output.ts';
import { relayCycle, type RelayCycle } from '../../../domain/control/relay-cycle.ts';
import type { OutputValue } from '../../drivers/driver.ts';
import { blocked, type Result } from '../../drivers/outcomes.ts';
import { isOn } from '../../../contract/output-state.ts';
import { canonical } from '../../drivers/output-value.ts';
import { PriorityArray, type Claim, type Snapshot } from './priority-array.ts';
import type { Objection } from '../../safety/gate.ts';
import { DutyCycle } from './duty-cycle.ts';
import { OnTime } from './on-time.ts';
import type { ChannelHost } from './channel-host.ts';

export interface ChannelCommand {
  source: CommandSource;
  actor: string;
  value: OutputValue;
  hold: Claim['hold'];
  /** The end of the hold as it was asked for, epoch ms. */
  hold_until_ms?: number | undefined;
  /** Off by itself after this time, s. */
  duration_s?: number | undefined;
  /** Least time that it stays off after this command's on time, s; the channel's own when that is longer. */
  min_off_s?: number | undefined;
  reason?: string | undefined;
  /** Of the controller that gives it. */
  cause?: Cause | undefined;
  /** Waits where something holds it back: so long, or as the standing demand of a controller. Without it, it is refused and dropped. */
  keep?: 'for_a_while' | 'standing' | undefined;
}

/** The longest that a kept command waits, s: what nobody thinks of any more must not act. */
const longestKept_s = 3_600;

/** What a channel should be. */
export interface Desired {
  /** null: nobody asks for anything and the state is known. */
  value: OutputValue | null;
  objection?: Objection | undefined;
  /** The duty cycle in effect that a relay keeps by going on and off, %; value is what its contact should do now. */
  duty_pct?: number | undefined;
}

/** A claim for a duty cycle that the relay can keep. */
interface Duty extends RelayCycle {
  claim: Claim;
}

/** What one channel should be: who asks for what, as far as its times and the gate let it. Knows no device; `state` is what it is. */
export class ChannelDemand {
  settings: OutputChannel;
  readonly priorities = new PriorityArray();
  onTime = new OnTime();
  readonly #cycle = new DutyCycle();
  #isCycling = false;
  #isLeft = false;
  /** What stood before the last command, for the case that the device refuses it. */
  #undo: { claim: Claim | undefined; former: Snapshot } | undefined;
  readonly #host: Pick<ChannelHost, 'output_id' | 'clock' | 'gate' | 'emergency' | 'site'>;

  constructor(settings: OutputChannel, host: ChannelHost) {
    this.settings = settings;
    this.#host = host;
    this.onTime.min_off_s = settings.min_off_s;
  }

  /** What keeps a command from acting now; undefined when nothing does. */
  hindrance({ source, value }: ChannelCommand, state: OutputState): Result | undefined {
    const stopped = this.#host.emergency.held;
    if (stopped) return blocked('emergency_stop', `the emergency stop of ${stopped.actor} is active`);
    const objection = this.#objection({ source, value }, state);
    const restS = Math.ceil(this.onTime.remainingOffS(this.#host.clock.elapsed()));
    if (objection?.rule === 'min_off') return blocked('min_off', `it must stay off for ${restS} s more`);
    const holder = this.priorities.above(source);
    if (holder) return blocked('overridden', `the command of ${holder.actor} (${holder.source}) holds`);
    return objection && blocked(objection.rule, objection.message);
  }

  /** Takes a command: at once, or to wait for what holds it back. Returns what stood before it. */
  submit(command: ChannelCommand, isHeldBack: boolean): Snapshot {
    const former = this.priorities.snapshot();
    if (isHeldBack) this.#submitKept(command);
    else this.priorities.submit(this.claimOf(command));
    this.#undo = { claim: this.priorities.of(command.source), former };
    return former;
  }

  #submitKept(command: ChannelCommand): void {
    const claim = this.claimOf(command);
    const { duration_s, keep } = command;
    const latest = this.#host.clock.elapsed() + longestKept_s * 1000;
    const untilMs = Math.min(latest, typeof claim.hold === 'number' ? claim.hold : Infinity);
    this.priorities.submit({
      ...claim,
      ends_at: null,
      kept: { untilMs: keep === 'standing' ? null : untilMs, duration_s },
    });
  }

  /** Takes back a claim that the device refused; where it is the last command's, what stood before it comes back. */
  takeBack(claim: Claim): void {
    if (this.priorities.of(claim.source) !== claim) return;
    if (this.#undo?.claim === claim) this.priorities.revert(this.#undo.former);
    else this.priorities.release(claim.source);
  }

  /** Drops a command that was refused. Of an earlier one of its source that waits, the wish for safety takes the place: it acts no more. */
  refuse({ source, value }: ChannelCommand): void {
    if (this.priorities.above(source) !== undefined && this.isTowardsSafety(value)) this.priorities.release(source);
  }

  /** The command in effect begins to act where it was kept and nothing holds it back any longer. */
  begin(state: OutputState): Claim | undefined {
    const claim = this.priorities.effective();
    if (claim?.kept === undefined || this.#objection(claim, state) !== undefined) return undefined;
    const { duration_s } = claim.kept;
    claim.kept = undefined;
    claim.ends_at = duration_s === undefined ? null : this.#host.clock.elapsed() + duration_s * 1000;
    return claim;
  }

  /** A manual command ended: with nobody else asking for anything it goes safe. False where somebody does. */
  leave(): boolean {
    this.#isLeft = this.priorities.effective() === undefined;
    return this.#isLeft;
  }

  /** How long it stays off after what it is told now: as its settings say, or the command where that is longer. */
  keepOff(asked: Pick<ChannelCommand, 'min_off_s'> | undefined): void {
    this.onTime.min_off_s = Math.max(this.settings.min_off_s, asked?.min_off_s ?? 0);
  }

  /** A command as the priority array takes it. */
  claimOf({ duration_s, keep: _keep, ...asked }: ChannelCommand): Claim {
    const { source, value } = asked;
    const ends_at =
      duration_s === undefined ? this.#standingEnd(source, value) : this.#host.clock.elapsed() + duration_s * 1000;
    return { ...asked, ends_at };
  }

  /** A program that says no duration takes none from what is on already until some time; a person who says none means for good. */
  #standingEnd(source: CommandSource, value: OutputValue): number | null {
    const standing = source === 'automatic' ? this.priorities.of(source) : undefined;
    return standing !== undefined && isOn(value) && standing.value === value ? standing.ends_at : null;
  }

  /** The value that should go out now: the strongest claim as far as the gate lets it, or safe when nobody knows the state. */
  desired(state: OutputState): Desired {
    const duty = this.#duty();
    if (duty !== undefined) return this.#desiredOf(duty, state);
    const claim = this.priorities.effective();
    const value = claim ? this.#whole(claim.value) : this.#unclaimed(state);
    const objection = claim
      ? this.#objection({ ...claim, value: value ?? claim.value }, state)
      : this.judge(value ?? state ?? this.safe, null, state);
    return { value: objection?.value ?? value, objection };
  }

  #desiredOf({ claim }: Duty, state: OutputState): Desired {
    const objection = this.#objection(claim, state);
    if (objection !== undefined) return { value: objection.value, objection };
    return { value: this.#cycle.isOn ? 'on' : 'off', duty_pct: Number(claim.value) };
  }

  /** What the gate or the least time off has against what a source asks for. */
  #objection({ source, value }: Pick<Claim, 'source' | 'value'>, state: OutputState): Objection | undefined {
    const isPausing = this.#isPausing(value);
    const resting = isPausing ? undefined : this.#resting(value);
    const sent = this.#isDuty(value) ? value : (resting?.value ?? value);
    return this.judge(sent, source, isPausing ? 'on' : state) ?? resting;
  }

  /** In its time off the contact of a duty cycle draws nothing and stands in nobody's way: for that it is asked when it goes on. */
  #isPausing(value: OutputValue): boolean {
    const cycle = this.#isDuty(value) ? this.#cycleOf(value) : undefined;
    return cycle !== undefined && !this.#cycle.isOn && !this.#cycle.isDue(this.#host.clock.elapsed(), cycle);
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

  /** A duty cycle is kept, or nothing has followed it: what the contact does just now must not stay. */
  get isCycling(): boolean {
    return this.#isCycling;
  }

  isTowardsSafety(value: OutputValue): boolean {
    return value === this.safe || !isOn(value);
  }

  /** A relay keeps a duty cycle by going on and off. */
  #isDuty(value: OutputValue): boolean {
    return this.settings.kind === 'switch' && typeof value === 'number';
  }

  #duty(): Duty | undefined {
    const claim = this.priorities.effective();
    if (claim === undefined || !this.#isDuty(claim.value)) return undefined;
    const cycle = this.#cycleOf(claim.value);
    return cycle && { claim, ...cycle };
  }

  #cycleOf(value: OutputValue): RelayCycle | undefined {
    return relayCycle(Number(value), { ...this.settings, min_off_s: this.onTime.min_off_s });
  }

  /** A duty cycle that the settings allow no longer is none: then it is driven safe. */
  #whole(value: OutputValue): OutputValue {
    return this.#isDuty(value) ? this.safe : value;
  }

  #unclaimed(state: OutputState): OutputValue | null {
    if (state === null || this.#isCycling || this.#isLeft) return this.safe;
    return this.isOnTooLong(state) && !isOn(this.safe) ? 'off' : null;
  }

  #resting(value: OutputValue): Objection | undefined {
    if (!isOn(value) || this.onTime.remainingOffS(this.#host.clock.elapsed()) === 0) return undefined;
    return { rule: 'min_off', message: 'it must stay off for a while', value: 'off' };
  }

  /** Lets time pass: durations and the longest on time end. Returns the claims that are over with it. */
  expire(state: OutputState): Claim[] {
    const over = this.priorities.expire(this.#host.clock.elapsed());
    if (over.length > 0) this.leave();
    if (this.isOnTooLong(state) && this.#duty() === undefined) this.priorities.cut();
    this.pace(state);
    return over;
  }

  /** Takes the steps of a duty cycle that are due. */
  pace(state: OutputState): void {
    const duty = this.#duty();
    if (duty !== undefined) {
      this.#isCycling = true;
      return this.#cycle.advance(this.#host.clock.elapsed(), duty, this.#mayBeOn(duty.claim, state));
    }
    const claim = this.priorities.effective();
    if (claim !== undefined || state === this.safe) this.#isLeft = false;
    if (claim === undefined ? state === this.safe : !this.#isDuty(claim.value)) this.#isCycling = false;
    if (claim === undefined || !isOn(claim.value)) this.#cycle.end();
  }

  #mayBeOn({ value, source }: Claim, state: OutputState): boolean {
    if (this.isOnTooLong(state) || this.onTime.remainingOffS(this.#host.clock.elapsed()) > 0) return false;
    return this.judge(value, source, state) === undefined;
  }

  /** When it may change by itself, elapsed ms; Infinity where nothing is timed. */
  moments(state: OutputState): number[] {
    const claim = this.priorities.effective();
    const restEnd = claim !== undefined && isOn(claim.value) ? this.onTime.min_off_until : Infinity;
    const duty = this.#duty();
    const nextStep = duty === undefined ? Infinity : this.#cycle.nextStep(duty);
    return [this.priorities.nextChange(), this.#maxOnEnd(state), restEnd, nextStep];
  }

  /** Whether it has been on for as long as it may, or longer where the limit was lowered meanwhile. */
  isOnTooLong(state: OutputState): boolean {
    return this.#host.clock.elapsed() >= this.#maxOnEnd(state);
  }

  #maxOnEnd(state: OutputState): number {
    const { max_on_s: maxOnS } = this.settings;
    const { on_since: onSince } = this.onTime;
    return maxOnS === null || onSince === null || !isOn(state) ? Infinity : onSince + maxOnS * 1000;
  }
}
