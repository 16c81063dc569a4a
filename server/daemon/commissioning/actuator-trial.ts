import type { CheckWord, Finding } from '../../contract/commissioning-finding.ts';
import type { CheckItem, ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import type { ActuatorBinding } from '../../contract/facility.ts';
import type { Judgement } from '../../domain/commissioning/actuator-judgement.ts';
import { actuatorTests } from '../../domain/commissioning/actuator-test.ts';
import { messageOf } from '../../domain/commissioning/finding.ts';
import { crossingOf, type Crossing, type Limit } from '../../domain/commissioning/limit.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { Switch } from '../../domain/commissioning/switching.ts';
import type { Result } from '../drivers/outcomes.ts';
import { isOn } from '../../contract/output-state.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { ActuatorDrive, type DriveHost } from './actuator-drive.ts';
import { evidenceOfTrial } from './trial-evidence.ts';

export interface TrialHost extends DriveHost {
  series: () => readonly Series[];
  /** Name of what else has moved the same quantities since it was driven; null when nothing did. */
  disturber: () => string | null;
  /** Limits in place of those of its test, while it is on and while it is off. */
  limits?: (isOn: boolean) => readonly Limit[];
  /** A limit of the house that was crossed since the round began; nothing is driven until the limit is met again. */
  crossing: () => Crossing | null;
}

/** When it is on: by phases of one length from a moment on. */
export interface SwitchingPlan {
  from_s: number;
  phase_s: number;
  isOn: (phase: number) => boolean;
  /** How far a dimmer is opened, %; by default as its test says. */
  drive_pct?: number | undefined;
}

/** How much longer than its phases a drive lasts at most, in case nothing ends it, s. */
const deadMan_s = 60;
const mostPhasesOn = 11;

type Phase = 'new' | 'driving' | 'restoring' | 'rested' | 'done';

/** The trial of one actuator: switched by a plan, brought back, judged. Driven by `tick`, which never waits. */
export class ActuatorTrial {
  readonly item: CheckItem;
  readonly binding: ActuatorBinding;
  readonly #host: TrialHost;
  readonly #checks: ItemCheck[] = [];
  /** Switches of earlier rounds. */
  #earlier: readonly Switch[] = [];
  #drive: ActuatorDrive;
  #phase: Phase = 'new';
  #plan: SwitchingPlan | undefined;
  #crossing: Crossing | null = null;
  #wasEverOn = false;
  #judgement: Judgement | undefined;
  #restoring: Promise<void> | undefined;

  constructor(item: CheckItem, binding: ActuatorBinding, host: TrialHost) {
    this.item = item;
    this.binding = binding;
    this.#host = host;
    this.#drive = new ActuatorDrive(binding, host);
  }

  get isDone(): boolean {
    return this.#phase === 'done';
  }

  get isRested(): boolean {
    return this.#phase === 'rested' || this.#phase === 'done';
  }

  /** Whether this check drives it now. */
  get isDriving(): boolean {
    return this.#phase === 'driving' || this.#phase === 'restoring';
  }

  /** All its switches, oldest first. */
  get switches(): readonly Switch[] {
    const now = this.#drive.switches;
    return this.#earlier.length === 0
      ? now
      : [...this.#earlier, ...now.filter(({ time_s }) => Number.isFinite(time_s))];
  }

  get longestOn_s(): number {
    return this.#drive.longestOn_s;
  }

  get judgement(): Judgement | undefined {
    return this.#judgement;
  }

  /** Minimum time off after it was on, as its device requires, s; 0 of one that is gone, as it is not driven. */
  get rest_s(): number {
    try {
      return this.#drive.channel.settings.min_off_s;
    } catch (error) {
      if (error instanceof RemoteFailure) return 0;
      throw error;
    }
  }

  /** Starts to switch it by a plan, for the first time or again. */
  begin(planOf: (trial: ActuatorTrial) => SwitchingPlan): void {
    this.#guard(() => {
      if (this.#phase === 'new' && !this.#isAvailable()) return;
      if (this.#phase === 'rested') {
        this.#earlier = this.switches;
        this.#drive = new ActuatorDrive(this.binding, this.#host);
      }
      this.#plan = planOf(this);
      this.#phase = 'driving';
      this.item.result = 'running';
    });
  }

  /** A device that disappears meanwhile ends the trial, not the check. */
  tick(): void {
    this.#guard(() => {
      if (this.#phase === 'driving') this.#switch();
    });
    this.#show();
  }

  /** Brings it back to its former state; `isRested` reports the end. */
  rest(): void {
    if (this.#phase === 'driving') this.#end(null);
  }

  /** Takes the findings; a limit that held it back explains missing ones. */
  conclude(judgement: Judgement): void {
    if (this.#phase === 'done') return;
    this.#judgement = judgement;
    const isConfirmed = this.#drive.answer?.outcome === 'confirmed';
    const { result, finding, checks, seen } = judgement;
    this.#checks.push(...checks);
    if (this.#crossing !== null && (result === 'inconclusive' || !this.#wasEverOn)) return this.#held(this.#crossing);
    if (seen === null && result === 'ok' && !isConfirmed)
      return this.#finish('inconclusive', [{ code: 'cannot_tell' }]);
    this.#finish(result, [finding]);
  }

  /** Another actuator that may stand open explains why no effect of this one was seen. */
  doubt(name: string): void {
    this.#finish('warn', [{ code: 'either', name }]);
  }

  /** Concludes a trial that never switched on. */
  concludeUndriven(): void {
    if (this.#phase === 'done') return;
    if (this.#crossing !== null) return this.#held(this.#crossing);
    this.#finish('inconclusive', [{ code: 'cannot_tell' }]);
  }

  /** Ends it at once and brings the channel back; resolves when that succeeded or failed. */
  async abort(): Promise<void> {
    if (this.#phase === 'done') return;
    if (this.#phase === 'new') return this.#finish('skipped', [{ code: 'aborted_before' }]);
    if (this.#phase === 'rested') return this.#finish('inconclusive', [{ code: 'aborted_meanwhile' }]);
    this.#end({ result: 'inconclusive', finding: { code: 'aborted_meanwhile' } });
    await this.#restoring;
    if (!this.isDone) this.#finish('inconclusive', [{ code: 'aborted_meanwhile' }]);
  }

  get #now_s(): number {
    return this.#host.clock.elapsed() / 1000;
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#host.log(`commissioning of ${this.binding.name}: ${String(error)}`);
      const isGone = error instanceof RemoteFailure;
      const finding: Finding = isGone ? { code: 'device_gone', detail: error.message } : { code: 'fault' };
      this.#end({ result: 'error', finding });
    }
  }

  #isAvailable(): boolean {
    const { source, until, actor, state } = this.#drive.channel.state();
    if (source === 'emergency_stop' || source === 'safety' || (source === 'manual' && until !== null)) {
      const by = actor ?? source;
      this.#addCheck('available', false, by, 'free' satisfies CheckWord);
      this.#finish('inconclusive', [{ code: 'held', by }]);
      return false;
    }
    if (isOn(state) && this.rest_s > 0) {
      this.#addCheck('available', false, 'on' satisfies CheckWord, 'off' satisfies CheckWord);
      this.#finish('skipped', [{ code: 'must_rest' }]);
      return false;
    }
    return true;
  }

  #switch(): void {
    const plan = this.#plan;
    if (plan === undefined) return;
    const { answer } = this.#drive;
    if (answer !== undefined && !this.#isObeyed(answer)) return;
    if (this.#drive.drivenAt_s !== null && answer !== undefined && !this.#isUndisturbed()) return;
    const { limits: usual, drive_pct } = actuatorTests[this.binding.role];
    const { limits, series } = this.#host;
    const crossing = crossingOf(limits?.(this.#drive.isOn) ?? usual, series()) ?? this.#host.crossing();
    const phase = Math.floor((this.#now_s - plan.from_s) / plan.phase_s);
    const isDue = plan.isOn(phase);
    if (isDue && crossing !== null) this.#crossing ??= crossing;
    const isNowOn = isDue && crossing === null;
    this.#wasEverOn ||= isNowOn;
    this.#drive.switchTo({
      isOn: isNowOn,
      drive_pct: plan.drive_pct ?? drive_pct,
      atMost_s: mostPhasesOn * plan.phase_s + deadMan_s,
    });
  }

  /** Ends the trial if anything else drives it, or what it moves; false then. */
  #isUndisturbed(): boolean {
    const { source, actor } = this.#drive.channel.state();
    if (source !== 'commissioning') {
      const who = actor ?? source;
      this.#addCheck('undisturbed', false, who ?? ('nobody' satisfies CheckWord), 'nobody_else' satisfies CheckWord);
      const finding: Finding = { code: 'commanded', by: who ?? ('somebody' satisfies CheckWord) };
      this.#end({ result: 'inconclusive', finding });
      return false;
    }
    const disturber = this.#host.disturber();
    if (disturber === null) return true;
    this.#addCheck('undisturbed', false, disturber, 'nobody_else' satisfies CheckWord);
    this.#end({ result: 'inconclusive', finding: { code: 'disturbed', name: disturber } });
    return false;
  }

  /** Ends the trial if the device did not take a command; false then. */
  #isObeyed({ outcome, code, message: detail }: Result): boolean {
    const isDumb = code === 'cannot_answer' || outcome === 'pending';
    const passed = outcome === 'confirmed' ? true : isDumb ? null : false;
    if (!this.#checks.some((check) => check.code === 'feedback') || passed === false) {
      this.#addCheck('feedback', passed, outcome, 'confirmed' satisfies CheckWord);
    }
    if (passed !== false) return true;
    const end = (result: ItemResult, finding: Finding): void => this.#end({ result, finding });
    if (outcome === 'blocked') end('inconclusive', { code: 'not_moved', detail });
    else if (outcome === 'unknown') end('timeout', { code: 'no_reply', detail });
    else if (code === 'refused') end('fail', { code: 'refused', detail });
    else end('error', { code: 'unreachable', detail });
    return false;
  }

  #held(crossing: Crossing): void {
    const { value, expected, unit } = crossing;
    this.#checks.push({ code: 'limit', passed: false, measured: value, expected, unit });
    if (this.#wasEverOn) this.#finish('inconclusive', [{ code: 'stopped', ...crossing }]);
    else this.#finish('skipped', [{ code: 'not_driven', ...crossing }]);
  }

  /** Brings it back; an early end is reported once the channel is in its former state. */
  #end(early: { result: ItemResult; finding: Finding } | null): void {
    if (this.#phase === 'restoring' || this.#phase === 'done') return;
    if (this.#phase !== 'driving') {
      if (early !== null) this.#finish(early.result, [early.finding]);
      return;
    }
    this.#phase = 'restoring';
    this.#restoring = this.#restore(early);
  }

  async #restore(early: { result: ItemResult; finding: Finding } | null): Promise<void> {
    const { former } = this.#drive;
    const isBack = await this.#drive.end();
    const [state, unit] = [String(former), typeof former === 'number' ? '%' : ''];
    if (former !== undefined) {
      const measured = isBack ? former : ('unknown' satisfies CheckWord);
      this.#checks.push({ code: 'restored', passed: isBack, measured, expected: state, unit });
    }
    if (!isBack) {
      const findings: Finding[] = early === null ? [] : [early.finding];
      const result = early?.result === 'timeout' ? 'timeout' : 'error';
      return this.#finish(result, [...findings, { code: 'not_back', state, unit }]);
    }
    if (early !== null) return this.#finish(early.result, [early.finding]);
    this.#phase = 'rested';
  }

  #finish(result: ItemResult, findings: Finding[]): void {
    this.#phase = 'done';
    Object.assign(this.item, { result, findings, message: messageOf(findings) });
    this.#show();
  }

  #addCheck(code: ItemCheck['code'], passed: boolean | null, measured: string, expected: string): void {
    this.#checks.push({ code, passed, measured, expected, unit: '' });
  }

  /** Updates the item, so that a running trial can be watched. */
  #show(): void {
    this.item.checks = [...this.#checks];
    const first = actuatorTests[this.binding.role].affects[0];
    const series = this.#judgement?.seen?.column.series ?? this.#host.series().find((one) => one.quantity === first);
    const { drivenAt_s: driven_s, restoredAt_s: restored_s } = this.#drive;
    if (series === undefined || driven_s === null) return;
    const seen = this.#judgement?.seen ?? null;
    this.item.evidence = evidenceOfTrial({ series, seen, driven_s, restored_s }, this.#host.clock);
  }
}
