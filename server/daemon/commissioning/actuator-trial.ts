import type { CheckItem, ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import type { ActuatorBinding, ActuatorRole } from '../../contract/facility.ts';
import {
  judgeTrial,
  isAnswered,
  isAstray,
  isContrary,
  type Judgement,
  type Swapped,
  type Trial,
} from '../../domain/commissioning/actuator-judgement.ts';
import { actuatorTests, houseLimits, type Medium } from '../../domain/commissioning/actuator-test.ts';
import { expectationsOf, responseOf, supportsOf, type Expectation } from '../../domain/commissioning/expectation.ts';
import { quantityFacts } from '../../domain/commissioning/quantity.ts';
import { baselinePoints, type Series } from '../../domain/commissioning/series.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import type { Clock } from '../clock.ts';
import type { ControlledChannel } from '../controllers/output-channel.ts';
import type { Outputs } from '../controllers/outputs.ts';
import type { OutputValue } from '../drivers/driver.ts';
import type { Result } from '../outcomes.ts';
import { isOn } from '../output-value.ts';
import { RemoteFailure } from '../remote-failure.ts';
import { bringBack, formerState } from './former-state.ts';
import { evidenceOf } from './trial-evidence.ts';

export interface TrialHost {
  clock: Clock;
  outputs: Outputs;
  actor: string;
  series: () => readonly Series[];
  others: readonly { name: string; role: ActuatorRole }[];
  /** Keeps on disk what is driven, before it is driven and after it was brought back. */
  keep: (under: UnderTest, isDriven: boolean) => Promise<void>;
  /** What it moved is left alone from now on; what a wrong wire may have moved too. */
  released: (isAstray: boolean) => void;
  /** When this check last moved something of the medium, elapsed s. */
  quietSince_s: (medium: Medium) => number;
  /** Whether another of its trials drives something of a medium. */
  isBusy: (medium: Medium) => boolean;
  /** Who else moved something of the medium since then, null when nobody did. */
  disturber: (since_s: number) => string | null;
  swapped: (pair: Swapped) => void;
  /** Whether another may be driven now: what a wrong wire does must show before the next command. */
  mayDrive: () => boolean;
  /** Puts this trial behind the others of its medium, which may make it possible; false when there is none. */
  postpone: () => boolean;
  log: (line: string) => void;
}

/** Longest time for a baseline to settle, s, and for what moves slowly. */
const longestSettling_s = 60;
/** A drift over this time that stays below what counts is steady enough, s. */
const steadyOver_s = 60;
/** Beyond its window the drive ends by itself, should this process hang, s. */
const deadMan_s = 60;
const longestRestore_s = 20;

type Phase = 'new' | 'settling' | 'driving' | 'restoring' | 'done';

/** One actuator tried: baseline, drive, watch, bring back. Moved on by `tick`, which never waits. */
export class ActuatorTrial {
  readonly item: CheckItem;
  readonly medium: Medium;
  readonly #binding: ActuatorBinding;
  readonly #host: TrialHost;
  readonly #checks: ItemCheck[] = [];
  #phase: Phase = 'new';
  #begun_s = 0;
  #wasPostponed = false;
  #limits: typeof houseLimits = [];
  #under: UnderTest | undefined;
  #trial: Trial | undefined;
  #feedback: Result | undefined;
  #ended: { result: ItemResult; message: string } | undefined;
  #judgement: Judgement | undefined;
  #restored_s: number | null = null;
  #restoring: Promise<void> | undefined;

  constructor(item: CheckItem, binding: ActuatorBinding, host: TrialHost) {
    this.item = item;
    this.medium = actuatorTests[binding.role].medium;
    this.#binding = binding;
    this.#host = host;
  }

  /** When its command was given, elapsed s; null before it, and when it is back. */
  get drivenAt_s(): number | null {
    const isOut = this.#phase === 'driving' || this.#phase === 'restoring';
    return isOut ? (this.#trial?.drivenAt_s ?? null) : null;
  }

  get isDone(): boolean {
    return this.#phase === 'done';
  }

  /** What it awaited and where. */
  get awaited(): readonly Expectation[] {
    return this.#trial?.expectations.expected ?? [];
  }

  /** What it rests its result on. */
  get judgement(): Judgement | undefined {
    return this.#judgement;
  }

  /** A device that goes away meanwhile ends the trial, not the check. */
  tick(): void {
    try {
      this.#advance();
    } catch (error) {
      this.#host.log(`commissioning of ${this.#binding.name}: ${String(error)}`);
      const isGone = error instanceof RemoteFailure;
      this.#end('error', isGone ? `The device went away: ${error.message}.` : 'It could not be tried, see the log.');
    }
    this.#show();
  }

  /** Ends it at once and brings the channel back; resolves when that was done or could not be. */
  async abort(): Promise<void> {
    if (this.#phase === 'done') return;
    if (this.#phase === 'new' || this.#phase === 'settling')
      return this.#finish('skipped', 'The check was aborted before.');
    this.#end('inconclusive', 'The check was aborted.');
    await this.#restoring;
    this.#show();
  }

  #advance(): void {
    switch (this.#phase) {
      case 'new':
        return this.#begin();
      case 'settling':
        return this.#settle();
      case 'driving':
        return this.#watch();
      case 'restoring':
      case 'done':
        return;
    }
  }

  get #now_s(): number {
    return this.#host.clock.elapsed() / 1000;
  }

  #channel(): ControlledChannel {
    return this.#host.outputs.channel(this.#binding.device_id, this.#binding.channel);
  }

  #begin(): void {
    const channel = this.#channel();
    const { source, until, actor, state } = channel.state();
    this.item.result = 'running';
    this.#begun_s = this.#now_s;
    if (source === 'emergency_stop' || source === 'safety' || (source === 'manual' && until !== null)) {
      this.#addCheck('available', false, `${source} (${actor ?? ''})`, 'free');
      return this.#finish('inconclusive', `It is held by ${actor ?? source}.`);
    }
    if (isOn(state) && channel.settings.min_off_s > 0) {
      this.#addCheck('available', false, 'on', 'off');
      return this.#finish('skipped', 'It runs and would have to rest after being turned off: try it when it is off.');
    }
    this.#phase = 'settling';
  }

  /** Waits for a baseline that is long and steady enough. */
  #settle(): void {
    const quietSince_s = this.#host.quietSince_s(this.medium);
    const disturber = this.#host.disturber(quietSince_s);
    if (disturber !== null) return this.#disturbed(disturber);
    const isOff = !isOn(this.#channel().state().state);
    const moved = { role: this.#binding.role, step: isOff ? 1 : -1, quietSince_s, drivenAt_s: this.#now_s } as const;
    const waited_s = this.#now_s - Math.max(this.#begun_s, quietSince_s);
    const all = this.#host.series();
    const expectations = expectationsOf(moved, all);
    const isReady = this.#isUnseen() || (expectations.unseen === null && expectations.expected.some(isSteady));
    if (!isReady && waited_s < longestSettling_s + baselinePoints) return;
    const limit = this.#limitCrossed();
    if ((limit !== null || expectations.unseen === 'no_gradient') && this.#postpone()) return;
    if (!this.#host.mayDrive()) return;
    if (limit !== null) {
      this.#addCheck('limit', false, limit, 'within its limits');
      return this.#finish('skipped', `Not driven: ${limit}.`);
    }
    const { name } = this.#binding;
    const { others, series, quietSince_s: quietOf_s, isBusy } = this.#host;
    const supports = supportsOf(moved, all);
    this.#trial = { ...moved, name, expectations, supports, others, series: series(), quietOf_s, isBusy };
    this.#drive(moved.step);
  }

  /** Once: the others of its medium may bring what it lacks. */
  #postpone(): boolean {
    if (this.#wasPostponed || !this.#host.postpone()) return false;
    this.#wasPostponed = true;
    this.#phase = 'new';
    this.item.result = 'pending';
    return true;
  }

  /** No sensor of the house could see it: there is nothing to wait for. */
  #isUnseen(): boolean {
    const quantities = actuatorTests[this.#binding.role].expects.map(({ quantity }) => quantity);
    return !this.#host.series().some(({ quantity }) => quantity !== null && quantities.includes(quantity));
  }

  #drive(step: 1 | -1): void {
    const channel = this.#channel();
    const { window_s, drive_pct } = actuatorTests[this.#binding.role];
    const fullyOn: OutputValue = channel.settings.kind === 'dimmer' ? drive_pct : 'on';
    const under = formerState(this.#binding.device_id, channel);
    // What is beyond a limit of the house already is not its doing.
    this.#limits = houseLimits.filter((limit) => this.#limitCrossed([limit]) === null);
    this.#under = under;
    this.#phase = 'driving';
    void this.#host.keep(under, true).then(async () => {
      if (this.#phase !== 'driving') return;
      if (this.#trial !== undefined) this.#trial.drivenAt_s = this.#now_s;
      this.#feedback = await channel.command({
        ...{ source: 'commissioning', actor: this.#host.actor, hold: 'released', reason: 'commissioning' },
        value: step > 0 ? fullyOn : 'off',
        ...(step > 0 && { duration_s: window_s + deadMan_s }),
      });
    });
  }

  #watch(): void {
    const trial = this.#trial;
    if (trial === undefined || this.#feedback === undefined) return;
    const { source, actor } = this.#channel().state();
    if (!this.#isObeyed(this.#feedback)) return;
    if (source !== 'commissioning') {
      this.#addCheck('undisturbed', false, `${source ?? 'nobody'} (${actor ?? ''})`, 'nobody else');
      return this.#end('inconclusive', `${actor ?? 'Somebody'} commanded it meanwhile.`);
    }
    const disturber = this.#host.disturber(trial.quietSince_s);
    if (disturber !== null && !isAnswered(trial)) return this.#disturbed(disturber);
    const limit = this.#limitCrossed(this.#limits);
    const isOver = this.#now_s - trial.drivenAt_s >= actuatorTests[trial.role].window_s;
    const isBlind = trial.expectations.expected.length === 0;
    const isDecided = isOver || isBlind || limit !== null || isAnswered(trial);
    if (!isDecided && !isContrary(trial) && !isAstray(trial)) return;
    if (limit !== null) this.#addCheck('limit', false, limit, 'within its limits');
    this.#judge(trial, limit);
  }

  /** Stopped at a limit, silence says nothing; what was seen counts. */
  #judge(trial: Trial, limit: string | null): void {
    const judgement = judgeTrial(trial);
    this.#judgement = judgement;
    this.#checks.push(...judgement.checks);
    if (judgement.swapped !== null) this.#host.swapped(judgement.swapped);
    const isBlind = judgement.seen === null && judgement.result === 'ok' && this.#feedback?.outcome !== 'confirmed';
    if (isBlind) return this.#end('inconclusive', 'The device cannot say whether it moved, and no sensor can see it.');
    const isSilent = judgement.result === 'fail' && !judgement.checks.some(({ code }) => code !== 'response');
    if (limit !== null && isSilent) return this.#end('inconclusive', `Stopped: ${limit}.`);
    this.#end(judgement.result, judgement.message);
  }

  /** Ends the trial where the device did not take the command; true when it did. */
  #isObeyed({ outcome, code, message }: Result): boolean {
    if (this.#checks.some((check) => check.code === 'feedback')) return true;
    const isDumb = code === 'cannot_answer' || outcome === 'pending';
    this.#addCheck('feedback', outcome === 'confirmed' ? true : isDumb ? null : false, outcome, 'confirmed');
    if (outcome === 'confirmed' || isDumb) return true;
    if (outcome === 'blocked') this.#end('inconclusive', `Not moved: ${message}.`);
    else if (outcome === 'unknown') this.#end('timeout', `The device did not answer: ${message}.`);
    else if (code === 'refused') this.#end('fail', `The device refused: ${message}.`);
    else this.#end('error', `The device cannot be reached: ${message}.`);
    return false;
  }

  #disturbed(who: string): void {
    this.#addCheck('undisturbed', false, who, 'nobody else');
    this.#end('inconclusive', `${who} was moved meanwhile and changes the same.`);
  }

  /** While it is driven also the limits of everything else: a wrong wire may move anything. */
  #limitCrossed(limits = actuatorTests[this.#binding.role].limits): string | null {
    for (const { quantity, above = Infinity, below = -Infinity } of limits) {
      const of = this.#host.series().filter((series) => series.quantity === quantity);
      const value = of
        .map(({ points }) => points.at(-1)?.value)
        .find((one) => one !== undefined && (one > above || one < below));
      if (value !== undefined) return `${quantity} ${Number(value.toPrecision(3))} ${quantityFacts[quantity].unit}`;
    }
    return null;
  }

  /** The result is told only when the channel is back in its former state. */
  #end(result: ItemResult, message: string): void {
    if (this.#phase === 'restoring' || this.#phase === 'done') return;
    if (this.#phase !== 'driving' || this.#under === undefined) return this.#finish(result, message);
    this.#phase = 'restoring';
    this.#ended = { result, message };
    this.#restoring = this.#restore(this.#under);
  }

  async #restore(under: UnderTest): Promise<void> {
    const { outputs, clock, keep, log } = this.#host;
    let isBack = false;
    try {
      isBack = await Promise.race([
        bringBack(outputs, under),
        new Promise<false>((resolve) => void clock.after(longestRestore_s * 1000, () => resolve(false))),
      ]);
    } catch (error) {
      log(`commissioning could not bring ${this.#binding.name} back: ${String(error)}`);
    }
    this.#restored_s = this.#now_s;
    await keep(under, false);
    this.#host.released(this.#checks.some(({ code, passed }) => code === 'wiring' && passed === false));
    this.#addCheck('restored', isBack, isBack ? String(under.former) : 'unknown', String(under.former));
    const { result, message } = this.#ended ?? { result: 'error', message: '' };
    if (isBack) this.#finish(result, message);
    else
      this.#finish(
        result === 'timeout' ? result : 'error',
        `${message} It could not be brought back to ${under.former}.`,
      );
  }

  #finish(result: ItemResult, message: string): void {
    this.#phase = 'done';
    this.item.result = result;
    this.item.message = message;
    this.#show();
  }

  #addCheck(code: ItemCheck['code'], passed: boolean | null, measured: string, expected: string): void {
    this.#checks.push({ code, passed, measured, expected, unit: '' });
  }

  /** Brings the item up to date, so that what is under way can be watched. */
  #show(): void {
    this.item.checks = [...this.#checks];
    const trial = this.#trial;
    const shownOf = this.#judgement?.seen ?? trial?.expectations.expected[0];
    if (trial === undefined || shownOf === undefined) return;
    const { series, baseline } = shownOf;
    const answer = this.#judgement?.seen?.answer ?? responseOf(shownOf, trial.drivenAt_s);
    const shown = { series, baseline, answer, driven_s: trial.drivenAt_s, restored_s: this.#restored_s };
    this.item.evidence = evidenceOf(shown, this.#host.clock);
  }
}

function isSteady({ baseline, quantity }: Expectation): boolean {
  return Math.abs(baseline.slope_per_s) * steadyOver_s <= quantityFacts[quantity].least;
}
