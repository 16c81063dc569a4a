import type { Cause } from '../../../contract/cause.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type {
  CommandSource,
  HeldBy,
  HoldingRule,
  OutputChannel,
  OutputChannelState,
  OutputState,
} from '../../../contract/output.ts';
import { within, type Timer } from '../../clock.ts';
import type { OutputValue } from '../../drivers/driver.ts';
import type { OutputStateRow } from '../../../db/repositories/output-state.ts';
import { failed, keptUntil, stillWaiting, type Result } from '../../drivers/outcomes.ts';
import { isDone, isOn } from '../../../contract/output-state.ts';
import { positionPct } from '../../drivers/output-value.ts';
import type { Claim } from './priority-array.ts';
import { ChannelAttempt } from './channel-attempt.ts';
import { ChannelDemand, type ChannelCommand } from './channel-demand.ts';
import { ChannelEndings } from './channel-endings.ts';
import type { ChannelHost, Commanded, Ended } from './channel-host.ts';
import { ChannelKnowledge } from './channel-knowledge.ts';
import { ChannelLife } from './channel-life.ts';
import { channelState } from './channel-state.ts';
import { toRow } from './output-record.ts';
import { WriteQueue } from './write-queue.ts';

/** The time within which a command is answered, ms; one that takes longer ends as an event. */
const answerMs = 1_800;

/** A value that was sent, its claim, and whether a command waits for the result. */
interface Sent {
  value: OutputValue;
  claim: Claim | undefined;
  isCommanded: boolean;
}

const notInControl = failed('stopping', 'the output is not under control');

/**
 * One channel of an output: who commands it, what was sent to it, its known state, and every timer that ends in a
 * command.
 */
export class ControlledChannel {
  readonly #demand: ChannelDemand;
  readonly #host: ChannelHost;
  readonly #queue: WriteQueue;
  readonly #endings: ChannelEndings;
  readonly #attempt = new ChannelAttempt();
  readonly #life: ChannelLife;
  readonly #known: ChannelKnowledge;
  #toldHold = '';
  #timer: Timer | undefined;
  /** When time was last advanced, elapsed ms: whatever came due since is still to be done. */
  #lookedAtMs = -Infinity;

  constructor(settings: OutputChannel, host: ChannelHost) {
    this.#demand = new ChannelDemand(settings, host);
    this.#host = host;
    this.#known = new ChannelKnowledge(this.#demand, host);
    this.#queue = new WriteQueue({
      channel: settings.channel,
      clock: host.clock,
      device: () => host.device(),
      cameLate: () => this.doubt(),
    });
    this.#endings = new ChannelEndings({
      channel: settings.channel,
      priorities: this.#demand.priorities,
      host,
      publish: (ended) => this.#publish(ended),
    });
    this.#life = new ChannelLife({
      demand: this.#demand,
      host,
      expired: (over) => this.#endings.expired(over),
    });
  }

  get settings(): OutputChannel {
    return this.#demand.settings;
  }

  /** Why a controller commands it, in effect or waiting; undefined when none does. */
  get automaticCause(): Cause | undefined {
    return this.#demand.priorities.of('automatic')?.cause;
  }

  /**
   * Takes changed settings. Moves nothing, except that a duty cycle follows them at once and a channel that they find
   * on for too long switches off.
   */
  reconfigure(settings: OutputChannel): void {
    this.#demand.settings = settings;
    this.#demand.onTime.min_off_s = Math.max(this.#demand.onTime.min_off_s, settings.min_off_s);
    if (this.#demand.isCycling || this.#demand.isOnTooLong(this.#known.state)) this.reconsider();
    else this.#arm();
  }

  /**
   * Takes up control from what the last daemon left. After anything but an orderly stop the channel is driven safe
   * first; override and startup state come back only then or, when held back, at `comeBack`. Resolves with the first
   * attempt; retries go on behind it.
   */
  async start(row: OutputStateRow | undefined, isSafeFirst: boolean, isHeldBack = false): Promise<void> {
    const isSafe = isSafeFirst || isHeldBack || this.#host.emergency.held !== null;
    this.#life.begin(row, isHeldBack ? 'take_up_held' : isSafe ? 'take_up_safe' : 'take_up');
    if (isSafe) await this.#drive(this.#demand.safe);
    this.#tellForgotten();
    await this.#reconcile();
  }

  /** Reports to its sender that a command kept by the last daemon no longer acts. */
  #tellForgotten(): void {
    const claim = this.#life.takeForgotten();
    if (claim === undefined) return;
    this.#endings.forgotten(claim);
    void this.#save();
  }

  /** Takes what the last daemon left when the disk returns it late. */
  recall(row: OutputStateRow): void {
    if (this.#life.recall(row, this.#known.state !== null)) void this.#reconcile();
  }

  /** Stops holding back what the last daemon left. */
  comeBack(): void {
    if (this.#life.comeBack(this.#known.state !== null)) void this.#reconcile();
  }

  /** Carries out a command. Resolves within 2 s; stored before it is confirmed. */
  async command(command: ChannelCommand): Promise<Result> {
    if (!this.#life.isInControl) return notInControl;
    this.#expire();
    const commanded = this.#commanded(command);
    const hindrance = this.#demand.hindrance(command, this.#known.state);
    const isKept = command.keep !== undefined && hindrance?.code !== 'emergency_stop';
    if (hindrance !== undefined && !isKept) return this.#refuse(command, { hindrance, commanded });
    this.#life.replace();
    const former = this.#demand.submit(command, hindrance !== undefined);
    this.#endings.replaced(former, command);
    const done = hindrance === undefined ? this.#carryOut(command, commanded) : this.#keep(hindrance, commanded);
    return within(done, { clock: this.#host.clock, timeoutMs: answerMs, late: () => stillWaiting });
  }

  /** Ends every claim and drives the channel safe at once, whatever is under way. Resolves within 2 s. */
  async stopNow(): Promise<Result> {
    if (!this.#life.isInControl) return notInControl;
    const former = this.#demand.priorities.snapshot();
    this.#forgetAll();
    this.#endings.stopped(former);
    this.#queue.preempt();
    return within(this.#drive(this.#demand.safe), {
      clock: this.#host.clock,
      timeoutMs: answerMs,
      late: () => stillWaiting,
    });
  }

  /** Called before the emergency stop ends: the channel stays as it is until a new command. */
  async stayStopped(): Promise<void> {
    this.#forgetAll();
    await this.#save();
  }

  /** Publishes that the emergency stop no longer holds it, although nothing moves. */
  stopEnded(): void {
    this.#publish();
    void this.#reconcile();
  }

  #forgetAll(): void {
    this.#demand.priorities.clear();
    this.#life.forget();
  }

  /** Releases a source's claim; the next one takes effect. False when there was no claim. */
  async release(source: CommandSource): Promise<boolean> {
    const wasHeld = this.#demand.priorities.release(source);
    if (wasHeld) await this.#follow();
    return wasHeld;
  }

  /**
   * Ends the manual command, in effect or kept; the next claim takes effect, else the safe state. False when there was
   * none.
   */
  async releaseManual(actor: string): Promise<boolean> {
    this.#expire();
    const claim = this.#demand.priorities.of('manual');
    if (claim === undefined) return false;
    this.#demand.priorities.release('manual');
    this.#demand.leave();
    this.#forgetLast();
    this.#endings.released(claim, actor);
    await this.#follow();
    return true;
  }

  async #follow(): Promise<void> {
    await this.#reconcile();
    await this.#save();
    this.#publish();
  }

  /** Decides anew what the channel should be, after a time ran out or another channel changed. */
  reconsider(): void {
    void this.#reconcile();
  }

  /**
   * Takes the state that the device reports; null when it can no longer be read. Ignored while a command is under way.
   * A device that comes back is brought to where it should be, and so is one that was moved by hand against the gate;
   * any other change is only recorded.
   */
  observe(state: OutputState): void {
    if (this.#queue.isBusy || !this.#life.isInControl) return;
    const reckoned = this.#known.reckoned();
    const quality = state === null ? 'unknown' : reckoned === undefined ? 'good' : 'commanded';
    if (this.#known.is(state, quality, reckoned)) return;
    const isBack = this.#known.state === null;
    const isUnclaimed = this.#demand.priorities.effective() === undefined;
    this.#become(state, quality);
    void this.#save();
    this.#publish();
    const isForbidden = state !== null && this.#demand.judge(state, null, state) !== undefined;
    if (!isBack && !isForbidden && (state !== null || !isUnclaimed)) return;
    const isUnderWay = reckoned?.moves_to !== undefined && reckoned.moves_to === this.#attempt.target;
    if (!isUnderWay) this.#attempt.standsAt(state);
    void this.#reconcile();
  }

  /** The device's state has become doubtful: the value is sent again. */
  doubt(): void {
    if (!this.#life.isInControl) return;
    this.#become(null, 'unknown');
    this.#attempt.standsAt(null);
    this.#publish();
    void this.#reconcile();
  }

  /**
   * Ends control: timers stop, commands are refused. Drives it safe when asked to or configured so, else leaves it;
   * false if that failed.
   */
  async shutDown(isSafeForced: boolean): Promise<boolean> {
    this.#life.end();
    this.#timer?.cancel();
    const isSafeWanted = isSafeForced || this.#demand.isCycling || this.#demand.settings.shutdown_state === 'safe';
    const isThere = (): boolean => !isSafeWanted || this.#known.isSafe();
    if (!isThere() || this.#queue.isBusy)
      await this.#drive(isSafeWanted ? this.#demand.safe : (this.#attempt.target ?? this.#demand.safe));
    await this.#save();
    return isThere();
  }

  state(): OutputChannelState {
    const { clock, emergency } = this.#host;
    return channelState(this.#demand, {
      clock,
      stopped: emergency.held,
      pending: this.#queue.isBusy,
      ...this.#known.all,
      override_ended: this.#endings.last,
    });
  }

  /**
   * The furthest that it may be open or on, %, of its state, what was sent to it and where it is going; Infinity when
   * unknown.
   */
  exposurePct(): number {
    const told = [this.#queue.isBusy ? this.#attempt.target : null, this.#queue.sending];
    return Math.max(this.#known.exposurePct(), ...told.map((value) => (value === null ? 0 : positionPct(value))));
  }

  /** How far it is known to be in its safe state. */
  safeOutcome(): Result {
    return this.#queue.isBusy ? stillWaiting : this.#known.safeOutcome();
  }

  /** The current that it may draw at present, A. */
  drawA(): number {
    return this.exposurePct() > 0 ? (this.#demand.settings.current_a ?? 0) : 0;
  }

  #commanded({ actor, value }: Pick<ChannelCommand, 'actor' | 'value'>): Commanded {
    const { state, quality, source, actor: former } = this.state();
    return { commanded_by: actor, requested: value, before: { state, quality, source, actor: former } };
  }

  async #refuse(command: ChannelCommand, told: { hindrance: Result; commanded: Commanded }): Promise<Result> {
    this.#demand.refuse(command);
    return this.#told(told.hindrance, told.commanded);
  }

  async #keep(hindrance: Result, commanded: Commanded): Promise<Result> {
    await this.#reconcile();
    await this.#save();
    return this.#told(keptUntil(hindrance), commanded);
  }

  async #carryOut(command: ChannelCommand, commanded: Commanded): Promise<Result> {
    if (isOn(command.value)) this.#demand.keepOff(command);
    this.#demand.pace(this.#known.state);
    return this.#drive(this.#demand.desired(this.#known.state).value ?? command.value, commanded);
  }

  /** Ends what time has ended and reports it; false when nothing ended. */
  #expire(nowMs = this.#host.clock.elapsed()): boolean {
    this.#lookedAtMs = nowMs;
    const over = this.#demand.expire(this.#known.state);
    if (over.length === 0) return false;
    this.#forgetLast();
    this.#endings.expired(over);
    return true;
  }

  /** A value that is no longer claimed must not come back at a start. */
  #forgetLast(): void {
    if (this.#demand.priorities.effective() === undefined) this.#life.forgetLast();
  }

  /** Publishes the result of a command that moves nothing, too. */
  #told(result: Result, commanded: Commanded): Result {
    this.#publish({ ...result, ...commanded });
    return result;
  }

  async #reconcile(): Promise<void> {
    if (!this.#life.isInControl) return;
    const nowMs = this.#host.clock.elapsed();
    const isOver = this.#expire(nowMs);
    const begun = this.#demand.begin(this.#known.state);
    if (begun !== undefined) this.#demand.pace(this.#known.state);
    const { value, objection } = this.#demand.desired(this.#known.state);
    if (begun !== undefined && value !== null) return void (await this.#drive(value, this.#commanded(begun)));
    if (value !== null && this.#attempt.isDue(value, nowMs)) return void (await this.#drive(value));
    this.#arm();
    if (isOver) void this.#save();
    // An unchanged channel may now be held by another rule or limit, or by none.
    const isHeldOtherwise = this.#host.emergency.held === null && holdOf(objection) !== this.#toldHold;
    if (isOver || isHeldOtherwise) this.#publish();
  }

  async #drive(value: OutputValue, commanded?: Commanded): Promise<Result> {
    const claim = this.#demand.priorities.effective();
    if (isOn(value)) this.#demand.keepOff(claim);
    this.#attempt.begin(value);
    const answer = this.#queue.write(value);
    this.#arm();
    void this.#save();
    this.#publish();
    const result = await answer;
    if (result.code === 'superseded') {
      if (commanded !== undefined) this.#publish({ ...result, ...commanded });
      return result;
    }
    this.#settle({ value, claim, isCommanded: commanded !== undefined }, result);
    await this.#save();
    this.#publish({ ...result, requested: value, ...commanded });
    void this.#reconcile();
    return result;
  }

  #settle(sent: Sent, result: Result): void {
    if (isDone(result)) {
      this.#attempt.succeeded();
      const reckoned = this.#known.reckoned();
      const stands = reckoned === undefined ? sent.value : reckoned.stands;
      this.#become(stands, stands === null ? 'unknown' : result.outcome === 'confirmed' ? 'good' : 'commanded');
      return;
    }
    this.#known.missDuty();
    if (result.outcome === 'unknown' || result.code === 'unreachable') this.#become(null, 'unknown');
    this.#recover(sent, result);
  }

  /**
   * After a failure, retries what leads to safety and what an earlier command still asks for. A refused command is
   * forgotten, so that it cannot act later.
   */
  #recover({ value, claim, isCommanded }: Sent, result: Result): void {
    const isStanding =
      claim !== undefined && (this.#life.isRestored(claim) || (this.#demand.isCycling && !isCommanded));
    if (this.#demand.isTowardsSafety(value) || isStanding) {
      this.#attempt.tryAgain(value, this.#host.clock.elapsed());
      return;
    }
    if (result.outcome !== 'failed') return;
    this.#attempt.standsAt(this.#known.state);
    if (claim !== undefined) this.#demand.takeBack(claim);
  }

  #become(state: OutputState, quality: OutputChannelState['quality']): void {
    this.#known.become(state, quality);
    if (state === null || !this.#life.isInControl) return;
    const claim = this.#demand.priorities.effective();
    // A value that a commissioning check drove must not come back as the last state, nor a value that was to end
    // without its end.
    const isLasting = claim !== undefined && claim.source !== 'commissioning';
    const lasts = this.#demand.desired(state).duty_pct ?? this.#known.destination ?? state;
    this.#life.learnState(isLasting ? (claim.ends_at === null ? lasts : 'off') : undefined);
  }

  #arm(): void {
    this.#timer?.cancel();
    if (!this.#life.isInControl) return;
    const { clock } = this.#host;
    const nowMs = clock.elapsed();
    const moments = [...this.#demand.moments(this.#known.state), this.#attempt.retryAt];
    const next = Math.min(...moments.filter((moment) => moment > this.#lookedAtMs));
    if (Number.isFinite(next)) this.#timer = clock.after(Math.max(0, next - nowMs), () => this.reconsider());
  }

  /** Never rejects: control goes on when the disk fails. */
  async #save(): Promise<void> {
    const { output_id, clock, store, log } = this.#host;
    try {
      await store.save(toRow({ output_id, channel: this.#demand.settings.channel }, this.#life.remembered(), clock));
    } catch (error) {
      const reason = messageOf(error);
      log(`the state of output ${output_id} was not kept: ${reason}`);
    }
  }

  #publish(ended?: Ended): void {
    const state = this.state();
    this.#toldHold = holdOf(state);
    this.#host.changed(state, ended);
  }
}

/** Identifies what holds a channel: the rule and its limit. */
function holdOf(held: { rule: HoldingRule | null; held_by?: HeldBy | undefined } | undefined): string {
  return `${held?.rule ?? ''} ${held?.held_by?.limit ?? ''}`;
}
