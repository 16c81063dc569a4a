import type { CheckWord, Finding } from '../../contract/commissioning-finding.ts';
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
import { actuatorTests, type Medium } from '../../domain/commissioning/actuator-test.ts';
import { expectationsOf, responseOf, supportsOf, type Expectation } from '../../domain/commissioning/expectation.ts';
import { messageOf } from '../../domain/commissioning/finding.ts';
import { crossingOf, houseLimits, type Crossing, type Limit } from '../../domain/commissioning/limit.ts';
import { quantityFacts } from '../../domain/commissioning/quantity.ts';
import { baselinePoints, type Series } from '../../domain/commissioning/series.ts';
import type { Result } from '../outcomes.ts';
import { isOn } from '../output-value.ts';
import { RemoteFailure } from '../remote/failure.ts';
import { ActuatorDrive, type DriveHost } from './actuator-drive.ts';
import { evidenceOf } from './trial-evidence.ts';

export interface TrialHost extends DriveHost {
  series: () => readonly Series[];
  others: readonly { name: string; role: ActuatorRole }[];
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
}

/** Longest time for a baseline to settle, s, and for what moves slowly. */
const longestSettling_s = 60;
/** A drift over this time that stays below what counts is steady enough, s. */
const steadyOver_s = 60;

type Phase = 'new' | 'settling' | 'driving' | 'restoring' | 'done';

/** One actuator tried: baseline, drive, watch, bring back. Moved on by `tick`, which never waits. */
export class ActuatorTrial {
  readonly item: CheckItem;
  readonly medium: Medium;
  readonly #binding: ActuatorBinding;
  readonly #host: TrialHost;
  readonly #drive: ActuatorDrive;
  readonly #checks: ItemCheck[] = [];
  #phase: Phase = 'new';
  #begun_s = 0;
  #wasPostponed = false;
  #limits: readonly Limit[] = [];
  #trial: Trial | undefined;
  #judgement: Judgement | undefined;
  #restoring: Promise<void> | undefined;

  constructor(item: CheckItem, binding: ActuatorBinding, host: TrialHost) {
    this.item = item;
    this.medium = actuatorTests[binding.role].medium;
    this.#binding = binding;
    this.#host = host;
    this.#drive = new ActuatorDrive(binding, host);
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
      this.#end('error', isGone ? { code: 'device_gone', detail: error.message } : { code: 'fault' });
    }
    this.#show();
  }

  /** Ends it at once and brings the channel back; resolves when that was done or could not be. */
  async abort(): Promise<void> {
    if (this.#phase === 'done') return;
    if (this.#phase === 'new' || this.#phase === 'settling')
      return this.#finish('skipped', [{ code: 'aborted_before' }]);
    this.#end('inconclusive', { code: 'aborted_meanwhile' });
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

  #begin(): void {
    const channel = this.#drive.channel;
    const { source, until, actor, state } = channel.state();
    this.item.result = 'running';
    this.#begun_s = this.#now_s;
    if (source === 'emergency_stop' || source === 'safety' || (source === 'manual' && until !== null)) {
      const by = actor ?? source;
      this.#addCheck('available', false, by, 'free' satisfies CheckWord);
      return this.#finish('inconclusive', [{ code: 'held', by }]);
    }
    if (isOn(state) && channel.settings.min_off_s > 0) {
      this.#addCheck('available', false, 'on' satisfies CheckWord, 'off' satisfies CheckWord);
      return this.#finish('skipped', [{ code: 'must_rest' }]);
    }
    this.#phase = 'settling';
  }

  /** Waits for a baseline that is long and steady enough. */
  #settle(): void {
    const { role, name } = this.#binding;
    const { others, quietSince_s: quietOf_s, isBusy, disturber } = this.#host;
    const quietSince_s = quietOf_s(this.medium);
    const who = disturber(quietSince_s);
    if (who !== null) return this.#disturbed(who);
    const isOff = !isOn(this.#drive.channel.state().state);
    const moved = { role, step: isOff ? 1 : -1, quietSince_s, drivenAt_s: this.#now_s } as const;
    const waited_s = this.#now_s - Math.max(this.#begun_s, quietSince_s);
    const series = this.#host.series();
    const expectations = expectationsOf(moved, series);
    const isReady = this.#isUnseen() || (expectations.unseen === null && expectations.expected.some(isSteady));
    if (!isReady && waited_s < longestSettling_s + baselinePoints) return;
    const crossing = crossingOf(actuatorTests[role].limits, series);
    if ((crossing !== null || expectations.unseen === 'no_gradient') && this.#postpone()) return;
    if (!this.#host.mayDrive()) return;
    if (crossing !== null) {
      this.#addCrossing(crossing);
      return this.#finish('skipped', [{ code: 'not_driven', ...crossing }]);
    }
    const supports = supportsOf(moved, series);
    this.#trial = { ...moved, name, expectations, supports, others, series, quietOf_s, isBusy };
    // What is beyond a limit of the house already is not its doing.
    this.#limits = houseLimits.filter((limit) => crossingOf([limit], series) === null);
    this.#phase = 'driving';
    this.#drive.begin({ ...actuatorTests[role], step: moved.step });
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

  #watch(): void {
    const [trial, { drivenAt_s, feedback }] = [this.#trial, this.#drive];
    if (trial === undefined || drivenAt_s === null) return;
    trial.drivenAt_s = drivenAt_s;
    if (feedback === undefined) return;
    const { source, actor } = this.#drive.channel.state();
    if (!this.#isObeyed(feedback)) return;
    if (source !== 'commissioning') {
      const who = actor ?? source;
      this.#addCheck('undisturbed', false, who ?? ('nobody' satisfies CheckWord), 'nobody_else' satisfies CheckWord);
      return this.#end('inconclusive', { code: 'commanded', by: who ?? ('somebody' satisfies CheckWord) });
    }
    const disturber = this.#host.disturber(trial.quietSince_s);
    if (disturber !== null && !isAnswered(trial)) return this.#disturbed(disturber);
    // While it is driven also the limits of everything else: a wrong wire may move anything.
    const crossing = crossingOf(this.#limits, this.#host.series());
    const isOver = this.#now_s - trial.drivenAt_s >= actuatorTests[trial.role].window_s;
    const isBlind = trial.expectations.expected.length === 0;
    const isDecided = isOver || isBlind || crossing !== null || isAnswered(trial);
    if (!isDecided && !isContrary(trial) && !isAstray(trial)) return;
    if (crossing !== null) this.#addCrossing(crossing);
    this.#judge(trial, crossing);
  }

  /** Stopped at a limit, silence says nothing; what was seen counts. */
  #judge(trial: Trial, crossing: Crossing | null): void {
    const judgement = judgeTrial(trial);
    this.#judgement = judgement;
    this.#checks.push(...judgement.checks);
    if (judgement.swapped !== null) this.#host.swapped(judgement.swapped);
    const isConfirmed = this.#drive.feedback?.outcome === 'confirmed';
    if (judgement.seen === null && judgement.result === 'ok' && !isConfirmed)
      return this.#end('inconclusive', { code: 'cannot_tell' });
    const isSilent = judgement.result === 'fail' && !judgement.checks.some(({ code }) => code !== 'response');
    if (crossing !== null && isSilent) return this.#end('inconclusive', { code: 'stopped', ...crossing });
    this.#end(judgement.result, judgement.finding);
  }

  /** Ends the trial where the device did not take the command; true when it did. */
  #isObeyed({ outcome, code, message: detail }: Result): boolean {
    if (this.#checks.some((check) => check.code === 'feedback')) return true;
    const isDumb = code === 'cannot_answer' || outcome === 'pending';
    const passed = outcome === 'confirmed' ? true : isDumb ? null : false;
    this.#addCheck('feedback', passed, outcome, 'confirmed' satisfies CheckWord);
    if (passed !== false) return true;
    if (outcome === 'blocked') this.#end('inconclusive', { code: 'not_moved', detail });
    else if (outcome === 'unknown') this.#end('timeout', { code: 'no_reply', detail });
    else if (code === 'refused') this.#end('fail', { code: 'refused', detail });
    else this.#end('error', { code: 'unreachable', detail });
    return false;
  }

  #disturbed(who: string): void {
    this.#addCheck('undisturbed', false, who, 'nobody_else' satisfies CheckWord);
    this.#end('inconclusive', { code: 'disturbed', name: who });
  }

  /** The result is told only when the channel is back in its former state. */
  #end(result: ItemResult, finding: Finding): void {
    if (this.#phase === 'restoring' || this.#phase === 'done') return;
    if (this.#phase !== 'driving') return this.#finish(result, [finding]);
    this.#phase = 'restoring';
    this.#restoring = this.#restore(result, finding);
  }

  async #restore(result: ItemResult, finding: Finding): Promise<void> {
    const isBack = await this.#drive.end();
    this.#host.released(this.#checks.some(({ code, passed }) => code === 'wiring' && passed === false));
    const state = this.#drive.former ?? ('unknown' satisfies CheckWord);
    this.#addCheck('restored', isBack, isBack ? state : ('unknown' satisfies CheckWord), state);
    if (isBack) return this.#finish(result, [finding]);
    this.#finish(result === 'timeout' ? result : 'error', [finding, { code: 'not_back', state }]);
  }

  #finish(result: ItemResult, findings: Finding[]): void {
    this.#phase = 'done';
    Object.assign(this.item, { result, findings, message: messageOf(findings) });
    this.#show();
  }

  #addCheck(code: ItemCheck['code'], passed: boolean | null, measured: string, expected: string): void {
    this.#checks.push({ code, passed, measured, expected, unit: '' });
  }

  #addCrossing({ value, expected, unit }: Crossing): void {
    this.#checks.push({ code: 'limit', passed: false, measured: value, expected, unit });
  }

  /** Brings the item up to date, so that what is under way can be watched. */
  #show(): void {
    this.item.checks = [...this.#checks];
    const trial = this.#trial;
    const shownOf = this.#judgement?.seen ?? trial?.expectations.expected[0];
    if (trial === undefined || shownOf === undefined) return;
    const { series, baseline } = shownOf;
    const answer = this.#judgement?.seen?.answer ?? responseOf(shownOf, trial.drivenAt_s);
    const { restoredAt_s: restored_s } = this.#drive;
    this.item.evidence = evidenceOf(
      { series, baseline, answer, driven_s: trial.drivenAt_s, restored_s },
      this.#host.clock,
    );
  }
}

function isSteady({ baseline, quantity }: Expectation): boolean {
  return Math.abs(baseline.slope_per_s) * steadyOver_s <= quantityFacts[quantity].least;
}
