import { deviceSays } from '../../../contract/device-words.ts';
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
  /** The requested end of the hold, epoch ms. */
  hold_until_ms?: number | undefined;
  /** Switches off by itself after this time, s. */
  duration_s?: number | undefined;
  /** Minimum time off after this command's time on, s; the channel's own when that is longer. */
  min_off_s?: number | undefined;
  reason?: string | undefined;
  /** Why the controller commands it. */
  cause?: Cause | undefined;
  /**
   * Lets the command wait while something holds it back: for a while, or as the standing demand of a controller.
   * Without it the command is refused and dropped.
   */
  keep?: 'for_a_while' | 'standing' | undefined;
}

/** The longest that a kept command waits, s: a forgotten command must not act. */
const longestKept_s = 3_600;

/** What a channel should be. */
export interface Desired {
  /** null: there is no claim and the state is known. */
  value: OutputValue | null;
  objection?: Objection | undefined;
  /** The effective duty cycle that a relay keeps by switching on and off, %; value is the contact's state for now. */
  duty_pct?: number | undefined;
}

/** A claim for a duty cycle that the relay can keep. */
interface Duty extends RelayCycle {
  claim: Claim;
}

/**
 * What one channel should be: its claims, within the limits of its times and the gate. Knows no device; `state` is what
 * it is.
 */
export class ChannelDemand {
  settings: OutputChannel;
  readonly priorities = new PriorityArray();
  onTime = new OnTime();
  readonly #cycle = new DutyCycle();
  #isCycling = false;
  #isLeft = false;
  /** The claims before the last command, restored when the device refuses it. */
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

  /** Takes a command to act at once, or to wait until nothing holds it back. Returns the claims before it. */
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

  /** Takes back a claim that the device refused; if the last command made it, the claims before it come back. */
  takeBack(claim: Claim): void {
    if (this.priorities.of(claim.source) !== claim) return;
    if (this.#undo?.claim === claim) this.priorities.revert(this.#undo.former);
    else this.priorities.release(claim.source);
  }

  /** Drops a refused command. If it leads to safety, it also ends an earlier waiting claim of its source. */
  refuse({ source, value }: ChannelCommand): void {
    if (this.priorities.above(source) !== undefined && this.isTowardsSafety(value)) this.priorities.release(source);
  }

  /** Lets the effective command act if it was kept and nothing holds it back any longer. */
  begin(state: OutputState): Claim | undefined {
    const claim = this.priorities.effective();
    if (claim?.kept === undefined || this.#objection(claim, state) !== undefined) return undefined;
    const { duration_s } = claim.kept;
    claim.kept = undefined;
    claim.ends_at = duration_s === undefined ? null : this.#host.clock.elapsed() + duration_s * 1000;
    return claim;
  }

  /** A manual command ended: without another claim the channel goes safe. False when there is another. */
  leave(): boolean {
    this.#isLeft = this.priorities.effective() === undefined;
    return this.#isLeft;
  }

  /** Sets the time off that follows the next time on: the longer of the settings' and the command's. */
  keepOff(asked: Pick<ChannelCommand, 'min_off_s'> | undefined): void {
    this.onTime.min_off_s = Math.max(this.settings.min_off_s, asked?.min_off_s ?? 0);
  }

  /** The claim that a command makes. */
  claimOf({ duration_s, keep: _keep, ...asked }: ChannelCommand): Claim {
    const { source, value } = asked;
    const ends_at =
      duration_s === undefined ? this.#standingEnd(source, value) : this.#host.clock.elapsed() + duration_s * 1000;
    return { ...asked, ends_at };
  }

  /**
   * A program that states no duration leaves the end of a claim that is already on as it was; a person who states none
   * means for good.
   */
  #standingEnd(source: CommandSource, value: OutputValue): number | null {
    const standing = source === 'automatic' ? this.priorities.of(source) : undefined;
    return standing !== undefined && isOn(value) && standing.value === value ? standing.ends_at : null;
  }

  /** The value to send now: the strongest claim within what the gate allows, or safe when the state is unknown. */
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

  /** Why the gate or the minimum time off objects to what a source asks for. */
  #objection({ source, value }: Pick<Claim, 'source' | 'value'>, state: OutputState): Objection | undefined {
    const isPausing = this.#isPausing(value);
    const resting = isPausing ? undefined : this.#resting(value);
    const sent = this.#isDuty(value) ? value : (resting?.value ?? value);
    return this.judge(sent, source, isPausing ? 'on' : state) ?? resting;
  }

  /**
   * While a duty cycle pauses, its contact draws nothing and blocks no other channel, so the gate is asked only when it
   * switches on.
   */
  #isPausing(value: OutputValue): boolean {
    const cycle = this.#isDuty(value) ? this.#cycleOf(value) : undefined;
    return cycle !== undefined && !this.#cycle.isOn && !this.#cycle.isDue(this.#host.clock.elapsed(), cycle);
  }

  /** The gate's objection to a value, claimed or merely present. */
  judge(value: OutputValue, source: CommandSource | null, state: OutputState): Objection | undefined {
    const { gate, output_id, site } = this.#host;
    const { channel, current_a } = this.settings;
    const request = { output_id, channel, value, source, current_a, safe_state: this.safe, is_on: isOn(state) };
    return gate.judge(request, site);
  }

  /** The safe state in the form of states, so that the two compare. */
  get safe(): OutputValue {
    const { safe_state, kind } = this.settings;
    return canonical(safe_state, kind) ?? safe_state;
  }

  /** A duty cycle is kept, or has just ended: the present state of the contact must not stay. */
  get isCycling(): boolean {
    return this.#isCycling;
  }

  isTowardsSafety(value: OutputValue): boolean {
    return value === this.safe || !isOn(value);
  }

  /** A relay keeps a duty cycle by switching on and off. */
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

  /** A duty cycle that the settings no longer allow counts as the safe state. */
  #whole(value: OutputValue): OutputValue {
    return this.#isDuty(value) ? this.safe : value;
  }

  #unclaimed(state: OutputState): OutputValue | null {
    if (state === null || this.#isCycling || this.#isLeft) return this.safe;
    return this.isOnTooLong(state) && !isOn(this.safe) ? 'off' : null;
  }

  #resting(value: OutputValue): Objection | undefined {
    if (!isOn(value) || this.onTime.remainingOffS(this.#host.clock.elapsed()) === 0) return undefined;
    return { rule: 'min_off', message: deviceSays('resting'), value: 'off' };
  }

  /** Ends durations and the longest time on when they are over. Returns the claims that ended. */
  expire(state: OutputState): Claim[] {
    const over = this.priorities.expire(this.#host.clock.elapsed());
    if (over.length > 0) this.leave();
    if (this.isOnTooLong(state) && this.#duty() === undefined) this.priorities.cut();
    this.pace(state);
    return over;
  }

  /** Takes the due steps of a duty cycle. */
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

  /** When it may change by itself, elapsed ms; Infinity when nothing is timed. */
  moments(state: OutputState): number[] {
    const claim = this.priorities.effective();
    const restEnd = claim !== undefined && isOn(claim.value) ? this.onTime.min_off_until : Infinity;
    const duty = this.#duty();
    const nextStep = duty === undefined ? Infinity : this.#cycle.nextStep(duty);
    return [this.priorities.nextChange(), this.#maxOnEnd(state), restEnd, nextStep];
  }

  /** Whether it has been on for as long as it may, or for longer because the limit was lowered. */
  isOnTooLong(state: OutputState): boolean {
    return this.#host.clock.elapsed() >= this.#maxOnEnd(state);
  }

  #maxOnEnd(state: OutputState): number {
    const { max_on_s: maxOnS } = this.settings;
    const { on_since: onSince } = this.onTime;
    return maxOnS === null || onSince === null || !isOn(state) ? Infinity : onSince + maxOnS * 1000;
  }
}
