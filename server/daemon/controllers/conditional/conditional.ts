import { deviceSays } from '../../../contract/device-words.ts';
import { isWell, type Action, type ActionOutcome, type ActionRun } from '../../../contract/action.ts';
import type { Condition, Conditional, ConditionalLive } from '../../../contract/conditional.ts';
import type { ControllerStatus } from '../../../contract/daemon.ts';
import { compileRule } from '../../../domain/control/conditional.ts';
import type { Value } from '../../../domain/expression/operations.ts';
import type { CompiledStatement, StatementResult } from '../../../domain/expression/statement.ts';
import { within, type Clock } from '../../clock.ts';
import { Grid, spreadMs } from '../../grid.ts';
import type { Watched, Watchdog } from '../../alarms/watchdog.ts';
import { Acting, type ActingHost } from '../actions/acting.ts';
import type { Controller } from '../controller.ts';
import { conditionUnit, conditionValue, type ConditionSite } from './condition-value.ts';

/** How long reading a condition may take before it counts as missing, ms. */
const readingMs = 2_000;

export interface ConditionalHost extends ActingHost {
  clock: Clock;
  watchdog: Pick<Watchdog, 'watch'>;
  conditions: ConditionSite;
  told: (live: ConditionalLive) => void;
  /** Offset of its grid within its period, 0 to 1; default 0. */
  phase?: number;
  statusChanged: (status: ControllerStatus) => void;
}

/** Runs the statement of a conditional function on a grid, and the actions that it asks for. */
export class ConditionalController implements Controller {
  readonly acting: Acting;
  readonly #host: ConditionalHost;
  #settings: Conditional;
  #rule: CompiledStatement | undefined;
  #failure: string | null = null;
  #lastRun: ActionRun | null = null;
  #grid: Grid | undefined;
  #watched: Watched | undefined;

  constructor(settings: Conditional, host: ConditionalHost) {
    this.#settings = settings;
    this.#host = host;
    this.acting = new Acting({ word: 'conditional', ...settings }, host);
  }

  get id(): string {
    return this.#settings.unique_id;
  }

  start(): void {
    this.#compile();
    this.#run(this.#settings.start_offset_s);
  }

  /** After this no statement runs. */
  async stop(): Promise<void> {
    this.#watched?.end();
    await this.#grid?.stop();
  }

  /** What it switched on goes safe. */
  letGo(): Promise<boolean> {
    return this.acting.letGo();
  }

  /**
   * Another statement runs from the next tick on, and outputs that it can no longer switch go safe; another period
   * starts another grid.
   */
  async reconfigure(settings: Conditional): Promise<void> {
    const isAnotherGrid = settings.period_s !== this.#settings.period_s;
    this.#settings = settings;
    this.acting.name = settings.name;
    this.#compile();
    await this.acting.letGo(this.#rule === undefined ? [] : settings.actions);
    if (!isAnotherGrid) return;
    await this.stop();
    this.#run(0);
  }

  status(): ControllerStatus {
    const state = this.#failure === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'Conditional', state, reason: this.#failure };
  }

  /** The current value of one condition; undefined when it has no such condition. */
  valueOf(conditionId: string): Promise<Value> | undefined {
    const one = this.#settings.conditions.find(({ unique_id }) => unique_id === conditionId);
    return one && this.#read(one);
  }

  /**
   * The readings behind one condition, with times in s; null when it has none, undefined when there is no such
   * condition.
   */
  async readingsOf(conditionId: string): Promise<[time_s: number, value: number][] | null | undefined> {
    const one = this.#settings.conditions.find(({ unique_id }) => unique_id === conditionId);
    if (one === undefined) return undefined;
    if (one.kind !== 'past' && one.kind !== 'dict') return null;
    const readings = await this.#host.conditions.past(one, one.over_s);
    return readings === null || readings.length === 0
      ? null
      : readings.map(([time_ms, value]) => [time_ms / 1000, value]);
  }

  live(): ConditionalLive {
    return { conditional_id: this.id, last_run: this.#lastRun };
  }

  actions(): readonly Action[] {
    return this.#settings.actions;
  }

  #compile(): void {
    const rule = compileRule(this.#settings);
    this.#rule = 'evaluate' in rule ? rule : undefined;
    const [fault] = 'evaluate' in rule ? [] : rule;
    if (fault === undefined) return this.#say(null);
    const { line, column, message: said } = fault;
    this.#say(deviceSays('statement_fault', { line, column, said }));
  }

  #run(offset_s: number): void {
    const { clock, watchdog, phase = 0 } = this.#host;
    const { period_s, name } = this.#settings;
    this.#watched = watchdog.watch({
      source_kind: 'controller',
      source_id: this.id,
      source_name: name,
      outputs: [],
      limit_s: offset_s + 3 * period_s + 60,
      beginAnew: () => void this.#beginAnew(),
    });
    this.#grid = new Grid({
      clock,
      periodMs: period_s * 1000,
      offsetMs: offset_s * 1000 + spreadMs(phase, period_s * 1000),
      tick: () => this.#tick(),
      ticked: () => this.#watched?.beat(),
    });
    this.#grid.start();
  }

  async #beginAnew(): Promise<void> {
    this.#watched?.end();
    void this.#grid?.stop(); // its tick may never end
    this.#run(0);
  }

  async #tick(): Promise<void> {
    const [rule, { conditions, actions }] = [this.#rule, this.#settings];
    if (rule === undefined) return;
    const values = await Promise.all(conditions.map((one) => this.#read(one)));
    const result = rule.evaluate(
      values,
      conditions.map((one) => conditionUnit(one, this.#host.conditions)),
    );
    const at = new Date(this.#host.clock.now()).toISOString();
    const results: ActionOutcome[] = [];
    const ran: Action[] = [];
    for (const { action, value, reason } of result.runs) {
      const found = actions.find(({ name }) => name === action);
      if (found === undefined) continue;
      ran.push(found);
      results.push(await this.acting.act(found, reason, value));
    }
    const [first] = result.runs;
    if (first !== undefined) this.#tell({ at, ...this.acting.explained(first.reason), results });
    // A statement that broke off will not switch off again what it switched on before.
    if (result.stopped !== undefined) await this.acting.letGo(ran);
    const failed = results.find((one) => !isWell(one));
    this.#say(stopOf(result) ?? (failed === undefined ? null : `${failed.name}: ${failed.message}`));
  }

  #tell(run: ActionRun): void {
    this.#lastRun = run;
    this.#host.told(this.live());
  }

  #read(one: Condition): Promise<Value> {
    const read = conditionValue(one, this.#host.conditions).catch(() => null);
    return within(read, { clock: this.#host.clock, timeoutMs: readingMs, late: () => null });
  }

  #say(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}

function stopOf({ stopped }: StatementResult): string | null {
  if (stopped === undefined) return null;
  const { line, column, reason } = stopped;
  return deviceSays(reason === 'missing' ? 'value_missing' : 'too_many_steps', { line, column });
}
