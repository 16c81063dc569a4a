import { deviceSays } from '../../../contract/device-words.ts';
import { isWell, type Action, type ActionOutcome, type ActionRun } from '../../../contract/action.ts';
import type { ControllerStatus } from '../../../contract/daemon.ts';
import { amount, type Reason } from '../../../contract/reason.ts';
import type { Trigger, TriggerLive, TriggerOf } from '../../../contract/trigger.ts';
import type { Curve } from '../../../domain/control/methods/knots.ts';
import { dutyOfMethod, scheduleReason } from '../../../domain/control/triggers/reasons.ts';
import type { Missed } from '../../../domain/control/triggers/schedule.ts';
import type { Place } from '../../../domain/solar/sun-day.ts';
import type { Watchdog } from '../../alarms/watchdog.ts';
import { Grid, spreadMs } from '../../grid.ts';
import { Acting, type ActingHost } from '../actions/acting.ts';
import type { Controller } from '../controller.ts';
import { isScheduled, ScheduleRun } from './scheduled.ts';
import { isWatching, lookOf, type Look, type WatchSite } from './watching.ts';

/** How often it checks what it watches, ms. */
const watchMs = 1_000;

export interface TriggerHost extends ActingHost {
  watch: WatchSite;
  watchdog: Pick<Watchdog, 'watch'>;
  place: () => Place;
  /** The setpoint of a method over time; undefined when there is no such method. */
  curve: (methodId: string) => Curve | undefined;
  methodName: (methodId: string) => string;
  /** When it was last due under the last daemon, epoch ms; null when it never was. */
  last_due_ms: number | null;
  /** Offset of its grid within its period, 0 to 1; default 0. */
  phase?: number;
  keepDue: (triggerId: string, lastMs: number) => void;
  told: (live: TriggerLive) => void;
  statusChanged: (status: ControllerStatus) => void;
  log: (line: string) => void;
}

/** What runs for an active trigger. */
interface Run {
  /** When it next acts by the clock, epoch ms; absent when no clock drives it. */
  next_ms?: number | null;
  start(): void;
  stop(): void | Promise<void>;
}

/** Acts when its schedule is due, or when what it watches happens. */
export class TriggerController implements Controller {
  readonly acting: Acting;
  readonly #host: TriggerHost;
  #settings: Trigger;
  #failure: string | null = null;
  #last_due_ms: number | null;
  #run: Run | undefined;
  #isBlind = false;
  #lastRun: ActionRun | null = null;
  #missedLast: TriggerLive['missed'] = null;

  constructor(settings: Trigger, host: TriggerHost) {
    this.#settings = settings;
    this.#host = host;
    this.#last_due_ms = host.last_due_ms;
    this.acting = new Acting({ word: 'trigger', ...settings }, host);
  }

  get id(): string {
    return this.#settings.unique_id;
  }

  start(): void {
    // From now on a due moment counts as missed while the daemon is down, even before the first.
    if (this.#last_due_ms === null && isScheduled(this.#settings)) this.#keepDue(this.#host.clock.now());
    this.#run = this.#runOf(this.#settings);
    this.#run.start();
    this.#host.told(this.live());
  }

  async stop(): Promise<void> {
    await this.#run?.stop();
    this.#run = undefined;
  }

  /** Drives safe what it switched on. */
  letGo(): Promise<boolean> {
    return this.acting.letGo();
  }

  /**
   * Other actions count from the next time on, and outputs that it can no longer switch go safe; another schedule or
   * watch starts afresh.
   */
  async reconfigure(settings: Trigger): Promise<void> {
    const before = this.#settings;
    this.#settings = settings;
    this.acting.name = settings.name;
    await this.acting.letGo(settings.actions);
    if (sameRun(before) === sameRun(settings)) return;
    await this.stop();
    this.#last_due_ms = null; // nothing of another schedule was missed
    this.start();
  }

  status(): ControllerStatus {
    const state = this.#failure === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'Trigger', state, reason: this.#failure };
  }

  live(): TriggerLive {
    const nextMs = this.#run?.next_ms ?? null;
    return {
      trigger_id: this.id,
      next_at: nextMs === null ? null : new Date(nextMs).toISOString(),
      last_run: this.#lastRun,
      missed: this.#missedLast,
    };
  }

  actions(): readonly Action[] {
    return this.#settings.actions;
  }

  /** Runs all its actions in order; resolves with the error message, null when all went well. */
  async act(reason: Reason): Promise<string | null> {
    const at = new Date(this.#host.clock.now()).toISOString();
    const results: ActionOutcome[] = [];
    for (const action of this.#settings.actions) results.push(await this.acting.act(action, reason));
    this.#lastRun = { at, ...this.acting.explained(reason), results };
    this.#host.told(this.live());
    const failed = results.find((result) => !isWell(result));
    const failure = failed === undefined ? null : `${failed.name}: ${failed.message}`;
    this.#say(failure);
    return failure;
  }

  #runOf(trigger: Trigger): Run {
    if (trigger.kind === 'pwm_method') return this.#following(trigger);
    if (isWatching(trigger)) return this.#watching(lookOf(trigger, this.#host.watch));
    const { clock, place, phase } = this.#host;
    return new ScheduleRun(trigger, {
      clock,
      place,
      phase,
      last_ms: this.#last_due_ms,
      due: (momentMs) => {
        this.#keepDue(momentMs);
        void this.act(scheduleReason(trigger, momentMs));
      },
      missed: (found) => this.#missed(found),
    });
  }

  #watching(look: Look): Run {
    return this.#grid(watchMs, async () => {
      const seen = look();
      if (seen === 'blind') return this.#rest(deviceSays('trigger_blind'));
      if (this.#isBlind) this.#say(null);
      this.#isBlind = false;
      if (seen !== null) await this.act(seen);
    });
  }

  /** Without its measurement it cannot switch off again what it switched on. */
  async #rest(why: string): Promise<void> {
    if (!this.#isBlind) await this.letGo();
    this.#isBlind = true;
    this.#say(why);
  }

  /** The duty cycle follows a method; without a setpoint the output goes safe. */
  #following(trigger: TriggerOf<'pwm_method'>): Run {
    const { method_id, output } = trigger;
    const action = { unique_id: trigger.unique_id, name: 'duty', kind: 'output', ...output, state: true } as const;
    return this.#grid(trigger.period_s * 1000, async () => {
      const duty = this.#host.curve(method_id)?.(this.#host.clock.now()) ?? null;
      if (duty === null) {
        await this.letGo();
        return this.#say(deviceSays('no_duty'));
      }
      const { duty_pct: duty_cycle_pct, reason } = dutyOfMethod(duty, this.#host.methodName(method_id));
      const result = await this.acting.act({ ...action, duty_cycle_pct }, reason);
      this.#say(isWell(result) ? null : result.message);
    });
  }

  #grid(periodMs: number, tick: () => Promise<void>): Run {
    const { clock, watchdog, phase = 0 } = this.#host;
    const grid = new Grid({
      clock,
      periodMs,
      offsetMs: spreadMs(phase, periodMs),
      tick,
      ticked: () => watched?.beat(),
    });
    let watched: ReturnType<Watchdog['watch']> | undefined;
    return {
      start: () => {
        watched = watchdog.watch({
          source_kind: 'controller',
          source_id: this.id,
          source_name: this.#settings.name,
          outputs: [],
          limit_s: 3 * (periodMs / 1000) + 120,
          beginAnew: () => {
            watched?.end();
            void grid.stop(); // its tick may never end
            this.start();
          },
        });
        grid.start();
      },
      stop: () => {
        watched?.end();
        return grid.stop();
      },
    };
  }

  /** It acts once for all that it missed, or only logs it. */
  #missed({ count, last_ms }: Missed): void {
    const { name, missed } = this.#settings;
    const when = new Date(last_ms ?? 0).toISOString();
    this.#host.log(`trigger ${name}: missed ${count} times, the last at ${when}: ${missed}`);
    if (last_ms !== null) this.#keepDue(last_ms);
    const noticed_at = new Date(this.#host.clock.now()).toISOString();
    this.#missedLast = { noticed_at, count, last_at: when, was_run: missed === 'run' };
    if (missed === 'run') void this.act({ code: 'missed', facts: { count: amount(count, ''), at: { at: when } } });
  }

  #keepDue(momentMs: number): void {
    this.#last_due_ms = momentMs;
    this.#host.keepDue(this.id, momentMs);
  }

  #say(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}

/** The settings of its run: all but name and actions. */
function sameRun({ name: _name, actions: _actions, is_activated: _is, ...run }: Trigger): string {
  return JSON.stringify(run);
}
