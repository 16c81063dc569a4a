import { deviceSays } from '../../../contract/device-words.ts';
import type { ControlCause } from '../../../contract/cause.ts';
import type { Reason } from '../../../contract/reason.ts';
import type { ControllerStatus } from '../../../contract/daemon.ts';
import { pidChannels, pidStored_s, type Pid, type PidLive, type PidState } from '../../../contract/pid.ts';
import type { Method } from '../../../contract/method.ts';
import type { PidAutotune, PidAutotuneStart } from '../../../contract/pid-autotune.ts';
import type { Curve } from '../../../domain/control/methods/knots.ts';
import type { Demand } from '../../../domain/control/pid-demand.ts';
import { lawReason, shareOfControl } from '../../../domain/control/pid-reasons.ts';
import { explained } from '../../../domain/control/reason-text.ts';
import type { Clock } from '../../clock.ts';
import { Grid, spreadMs } from '../../grid.ts';
import type { MeasuredChannel } from '../../../contract/measured.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { Watchdog, Watched } from '../../alarms/watchdog.ts';
import type { SampleSink } from '../../../measurement/store.ts';
import type { Controller } from '../controller.ts';
import { OwnSeries } from '../own-series.ts';
import type { Outputs } from '../output/outputs.ts';
import { PidDrive } from './pid-drive.ts';
import { noTrial, PidTrial } from './pid-trial.ts';
import { PidLoop, type PidMemory } from './pid-loop.ts';
import { isMeantAnew, PidSenses, type Reading } from './pid-senses.ts';
import { pidTransitions, type PidTold } from './pid-states.ts';

/** Silence beyond its period after which it counts as stalled, s. */
const stalled_s = 60;
/** How often its accumulated state is stored while nothing else happens, ms. */
const rememberMs = 10_000;

export interface PidHost {
  clock: Clock;
  live: LiveValues;
  outputs: Outputs;
  watchdog: Pick<Watchdog, 'watch'>;
  writer: SampleSink;
  /** The series that it stores, by its settings. */
  channelsOf: (settings: Pid) => readonly MeasuredChannel[];
  /** The setpoint of a method over time; undefined when there is no such method. */
  curve: (methodId: string) => Curve | undefined;
  method: (methodId: string) => Pick<Method, 'name' | 'unit'> | undefined;
  /** Offset of its grid within its period, 0 to 1. */
  phase: number;
  remember: (memory: PidMemory) => void;
  told: (live: PidLive) => void;
  statusChanged: (status: ControllerStatus) => void;
}

/** A running PID: on each tick of its grid it reads its measurement and commands its outputs. */
export class PidController implements Controller {
  readonly #host: PidHost;
  readonly #loop: PidLoop;
  readonly #senses: PidSenses;
  readonly #drive: PidDrive;
  readonly #series: OwnSeries;
  #state: PidState = 'inactive';
  #grid: Grid;
  #watched: Watched | undefined;
  #failure: string | null = null;
  #reading: Reading | null = null;
  #demand: Demand | null = null;
  #cause: ControlCause | null = null;
  /** When it last made a step, and when it was last stored, elapsed ms. */
  #steppedAt: number | undefined;
  #rememberedAt = -Infinity;
  #startedAt = 0;
  #hasRead = false;
  #trial: PidTrial | undefined;

  constructor(settings: Pid, host: PidHost) {
    this.#host = host;
    this.#loop = new PidLoop(settings);
    this.#senses = new PidSenses(host);
    this.#drive = new PidDrive(settings.unique_id, host.outputs);
    const channels = (): readonly MeasuredChannel[] => host.channelsOf(this.#loop.settings);
    const spared = { least_s: pidStored_s, isTold: false };
    this.#series = new OwnSeries(settings.unique_id, { ...host, channels }, spared);
    this.#grid = this.#newGrid();
  }

  get id(): string {
    return this.#loop.settings.unique_id;
  }

  get state(): PidState {
    return this.#state;
  }

  get loop(): PidLoop {
    return this.#loop;
  }

  /** Starts from what the last daemon left: in the same state, with the same control. */
  start(left: PidMemory | undefined): void {
    if (left !== undefined) this.#loop.recall(left);
    this.#senses.meantIn(left?.unit ?? null);
    const kept = left?.state ?? 'inactive';
    this.#state = kept === 'inactive' ? 'running' : kept;
    this.#startedAt = this.#host.clock.elapsed();
    this.#grid.start();
    this.#watch();
  }

  /** Called at the end of the daemon: its outputs end by their own settings. */
  async stop(): Promise<void> {
    this.#watched?.end();
    this.#watched = undefined;
    this.#remember();
    await this.#grid.stop();
  }

  /** Ends it for good: its outputs are safe and released. */
  async end(): Promise<void> {
    this.#state = 'inactive';
    this.#watched?.end();
    this.#watched = undefined;
    await this.#grid.stop();
    this.#series.end();
    await this.#drive.letGo();
  }

  /** Takes changed settings without a jump; outputs that it no longer drives go safe. */
  async reconfigure(settings: Pid): Promise<void> {
    const before = this.#loop.settings;
    this.#loop.reconfigure(settings);
    if (isMeantAnew(before, settings)) this.#senses.meantIn(null);
    this.#series.refresh();
    if (this.#drive.isDriving && drivenBy(settings) !== drivenBy(before)) await this.#drive.letGo();
    this.#watch();
    if (settings.period_s === before.period_s) return;
    await this.#grid.stop();
    this.#grid = this.#newGrid();
    this.#grid.start();
  }

  /** Holds, pauses or resumes; resolves once its outputs are commanded. */
  async tell(event: Exclude<PidTold, 'activate' | 'deactivate'>): Promise<void> {
    const next = pidTransitions[this.#state][event];
    if (next === 'not_active') return;
    if (next === 'running' && this.#state !== 'running') this.#loop.continue();
    if (next !== 'running') this.#trial?.abort();
    this.#state = next;
    this.#remember();
    if (next === 'paused') await this.#drive.letGo();
    await this.#step();
  }

  /** Starts a trial about the present setpoint; false unless it runs with a reading. */
  async tryOut(asked: PidAutotuneStart): Promise<boolean> {
    if (this.#state !== 'running' || this.#reading === null) return false;
    this.#trial = new PidTrial(asked, { setpoint: this.#reading.setpoint, ...this.#loop.limits }, this.#host.clock);
    await this.#step();
    return true;
  }

  /** Goes on as before; the findings stay readable. */
  async endTrial(): Promise<void> {
    if (this.#trial?.isRunning !== true) return;
    this.#trial.abort();
    await this.#step();
  }

  trial(): PidAutotune {
    return { pid_id: this.id, ...(this.#trial?.view() ?? noTrial) };
  }

  /**
   * Changes it while it runs. Throws RemoteFailure `invalid_argument` for a method whose unit is not its measurement's.
   */
  async tune(change: Parameters<PidLoop['tune']>[0]): Promise<void> {
    if (change.method_id !== undefined) this.#senses.refuseOther(change.method_id);
    if (change.setpoint !== undefined) this.#senses.meantIn(null);
    this.#loop.tune(change);
    await this.changed();
  }

  /** Unit of its measurement; empty before the first reading. */
  get unit(): string {
    return this.#senses.unit ?? '';
  }

  /** Called after a change while it runs. */
  async changed(): Promise<void> {
    this.#remember();
    await this.#step();
  }

  status(): ControllerStatus {
    const state = this.#failure === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'PID', state, reason: this.#failure };
  }

  live(): PidLive {
    const { control, gains, setpoint, terms } = this.#loop;
    const { p = null, i = null, d = null, error = null } = terms ?? {};
    const isDriven = this.#state === 'running' || this.#state === 'held';
    return {
      pid_id: this.id,
      state: this.#state,
      setpoint: this.#reading?.setpoint ?? setpoint,
      measurement: this.#reading?.measurement ?? null,
      measured_at: this.#reading === null ? null : new Date(this.#reading.measured_ms).toISOString(),
      error,
      p,
      i,
      d,
      control: terms === null || !isDriven ? null : control,
      raise: this.#demand?.raise ?? null,
      lower: this.#demand?.lower ?? null,
      ...gains,
      cause: this.#cause,
    };
  }

  #newGrid(): Grid {
    const { clock, phase } = this.#host;
    const periodMs = this.#loop.settings.period_s * 1000;
    const ticked = (): void => this.#watched?.beat();
    return new Grid({ clock, periodMs, offsetMs: spreadMs(phase, periodMs), tick: () => this.#step(), ticked });
  }

  #watch(): void {
    const { unique_id: source_id, name: source_name, period_s } = this.#loop.settings;
    this.#watched?.end();
    this.#watched = this.#host.watchdog.watch({
      source_kind: 'controller',
      source_id,
      source_name,
      outputs: [],
      limit_s: stalled_s + period_s,
      beginAnew: () => this.#beginAnew(),
    });
  }

  /** Does not wait for calls that hang. Its outputs go safe and are claimed anew with the next step. */
  #beginAnew(): void {
    void this.#grid.stop();
    void this.#drive.letGo();
    this.#grid = this.#newGrid();
    this.#grid.start();
  }

  async #step(): Promise<void> {
    if (this.#state === 'inactive') return;
    try {
      const read = this.#senses.read(this.#loop);
      this.#reading = 'code' in read ? null : read;
      if (this.#state === 'paused') this.#rest();
      else if ('code' in read) await this.#miss(read);
      else this.#report(await this.#act(read));
    } catch (error) {
      this.#report(error instanceof Error ? error.message : String(error));
    }
    this.#tell();
    if (this.#host.clock.elapsed() - this.#rememberedAt >= rememberMs) this.#remember();
  }

  /** Publishes its live values and stores its numbers. */
  #tell(): void {
    const live = this.live();
    this.#host.told(live);
    const { setpoint, measurement, control, raise, lower, ...terms } = live;
    const { p, i, d } = control === null ? { p: null, i: null, d: null } : terms; // what it does not go by is none
    const known = { setpoint, measurement, p, i, d, control, raise, lower };
    this.#series.keep(({ channel }) => known[pidChannels[channel] ?? 'control']);
  }

  /** Paused: others have its outputs, and its accumulated state stands still. */
  #rest(): void {
    this.#demand = null;
    this.#cause = null;
    this.#steppedAt = undefined;
    this.#report(null);
  }

  async #miss(why: Reason): Promise<void> {
    this.#trial?.step(this.#host.clock.elapsed() / 1000, null);
    this.#loop.miss();
    this.#demand = null;
    this.#cause = this.#because(why);
    this.#steppedAt = undefined;
    const isMissing = why.code === 'pid_no_reading';
    if (!isMissing) this.#report(this.#cause.because);
    else if (!this.#isAwaiting()) this.#report(deviceSays('pid_blind'));
    if (this.#drive.isDriving) await this.#drive.makeSafe(this.#loop.settings.name);
  }

  /** After a start the first reading may take as long as any other. */
  #isAwaiting(): boolean {
    const { max_age_s } = this.#loop.settings.measurement;
    return !this.#hasRead && this.#host.clock.elapsed() - this.#startedAt < max_age_s * 1000;
  }

  /** Returns the failure, null when there was none. */
  async #act({ setpoint, measurement, unit }: Reading): Promise<string | null> {
    if (!this.#drive.isDriving) this.#drive.claim(this.#loop.settings);
    this.#hasRead = true;
    const nowMs = this.#host.clock.elapsed();
    const dt_s = this.#steppedAt === undefined ? 0 : (nowMs - this.#steppedAt) / 1000;
    this.#steppedAt = nowMs;
    const isFrozen = this.#drive.isOverruled();
    const tried = this.#trial?.isRunning === true ? this.#trial.step(nowMs / 1000, measurement) : null;
    if (tried !== null)
      return this.#ask(this.#loop.force(tried, { setpoint, measurement }), this.#standing('pid_trial', tried));
    if (this.#state === 'held') {
      return this.#ask(this.#loop.hold({ setpoint, measurement }), this.#standing('pid_held', this.#loop.control));
    }
    const demand = this.#loop.step({ setpoint, measurement, dt_s, isFrozen });
    return this.#ask(demand, this.#sum({ setpoint, measurement, unit }));
  }

  #ask(demand: Demand, reason: Reason): Promise<string | null> {
    this.#demand = demand;
    this.#cause = this.#because(reason);
    return this.#drive.ask(demand, this.#cause);
  }

  /** The reason for the control: the law with its numbers. */
  #sum(reading: Pick<Reading, 'setpoint' | 'measurement' | 'unit'>): Reason {
    const { control, isIdle, settings, terms } = this.#loop;
    const step = terms ?? { error: 0, p: 0, i: 0, d: 0, control };
    return lawReason(settings, { ...reading, terms: step, isIdle });
  }

  #standing(code: 'pid_trial' | 'pid_held', control: number): Reason {
    return { code, facts: { control: shareOfControl(this.#loop.settings, control) } };
  }

  #because(reason: Reason): ControlCause {
    return { kind: 'pid', unique_id: this.id, name: this.#loop.settings.name, ...explained(reason) };
  }

  #remember(): void {
    this.#rememberedAt = this.#host.clock.elapsed();
    this.#host.remember({ state: this.#state, unit: this.#senses.unit, ...this.#loop.remember() });
  }

  #report(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}

/** Which outputs its settings drive, for telling whether that changed. */
function drivenBy({ direction, raise, lower }: Pid): string {
  return JSON.stringify([direction, raise, lower]);
}
