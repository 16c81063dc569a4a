import type { Now } from '../../auth/now.ts';
import type { Condition, conditionalEndpoints } from '../../contract/conditional.ts';
import type { ControllerWord, SettingsOf } from '../../contract/controller-kinds.ts';
import type { dryRunEndpoints } from '../../contract/dry-run.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { functionReads } from '../../contract/function.ts';
import { epochOf, isoOf, type Moment } from '../../contract/time.ts';
import type { Trigger } from '../../contract/trigger.ts';
import { measuredDevices, type ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { StoredCondition } from '../../domain/control/dry-runs/conditional.ts';
import type { FunctionDryRunFound } from '../../domain/control/dry-runs/function.ts';
import type { StoredSeries, StoredStates } from '../../domain/control/dry-runs/stored.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import { methodCurve } from '../../domain/control/methods/method.ts';
import { explained } from '../../domain/control/reason-text.ts';
import { dutyOfMethod } from '../../domain/control/triggers/reasons.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import { WorkerClient } from '../../worker/client.ts';
import { workerEntry } from '../../worker-entry.ts';
import { statementFaults } from './control-judges.ts';
import type { DryRunTasks } from './dry-run-tasks.ts';
import { isEmpty, StoredReadings, type Span } from './stored-readings.ts';

interface DryRunOptions {
  reader: Pick<MeasurementReader, 'exportPage' | 'states'>;
  measured: Pick<MeasuredDevices, 'series'>;
  kinds: ControllerStores;
  /** Settings as they would be stored, in place of those with that id; throws if they would be refused. */
  drafted: <Word extends ControllerWord>(word: Word, sent: object, unique_id?: string) => SettingsOf<Word>;
  place: () => Place;
  clock: Now;
}

type ConditionalEndpoint = typeof conditionalEndpoints.dryRun;
type Endpoints = typeof dryRunEndpoints;

const longestSpanMs = 31 * 86_400_000;
const mostLooks = 50_000;
const mostListed = 1_000;
const mostDrawn = 289;
/** Ticks in one task of the worker: between tasks it notices a caller who left. */
const sliceLooks = 2_000;
const timeoutMs = 30_000;
/** Maximum callers at one time. */
const mostAtOnce = 4;

/** Tries controllers over stored days, in a worker: what they would have commanded, and where they could not go on. */
export class DryRunService {
  readonly #options: DryRunOptions;
  readonly #worker = new WorkerClient<null, DryRunTasks>({
    entry: workerEntry('dry-run-worker', import.meta.url),
    data: null,
    timeoutMs,
  });
  #running = 0;

  constructor(options: DryRunOptions) {
    this.#options = options;
  }

  /** Throws `invalid_field`, `rate_limited`; rejects when the signal aborts. */
  async conditional(asked: BodyOf<ConditionalEndpoint>, signal: AbortSignal): Promise<AnswerOf<ConditionalEndpoint>> {
    const [fault] = statementFaults(asked);
    if (fault !== undefined)
      throw refuseField(
        'invalid_field',
        'statement',
        why('statement', { line: fault.line, column: fault.column, said: fault.message }),
      );
    const span = this.#spanOf(asked, asked.period_s);
    return this.#inTurn(async () => {
      const readings = this.#readings(span, signal);
      const stored: StoredCondition[] = [];
      for (const one of asked.conditions) stored.push(await conditionOf(one, readings));
      return this.#looked({ asked, stored, span }, signal);
    });
  }

  /** Throws the errors of storing it, and `rate_limited`; rejects when the signal aborts. */
  async trigger(asked: BodyOf<Endpoints['trigger']>, signal: AbortSignal): Promise<AnswerOf<Endpoints['trigger']>> {
    const trigger = this.#options.drafted('trigger', asked.trigger, asked.unique_id);
    const span = this.#spanOf(asked);
    if (trigger.kind === 'pwm_method') {
      const duty_pct = this.#dutyOf(trigger.method_id);
      return { run_count: 0, runs: [], next: [], duty_pct, is_known: duty_pct !== null };
    }
    return this.#inTurn(async () => {
      const stored = await watchedBy(trigger, this.#readings(span, signal));
      const given = { trigger, stored, place: this.#options.place(), mostListed, ...span };
      const { runs, run_count, next_ms } = await this.#worker.run('trigger', given);
      return {
        run_count,
        runs: runs.map(({ at_ms, reason }) => ({ at: isoOf(at_ms), ...explained(reason) })),
        next: next_ms.map(isoOf),
        duty_pct: null,
        is_known: isByClock(trigger) || !isEmpty(stored),
      };
    });
  }

  /** Throws the errors of storing it, and `rate_limited`; rejects when the signal aborts. */
  async function(asked: BodyOf<Endpoints['function']>, signal: AbortSignal): Promise<AnswerOf<Endpoints['function']>> {
    const { kinds, drafted, place } = this.#options;
    const settings = drafted('function', asked.function, asked.unique_id);
    const { period_s } = settings.options;
    const span = this.#spanOf(asked, period_s);
    return this.#inTurn(async () => {
      const readings = this.#readings(span, signal);
      const stored: StoredSeries[] = [];
      for (const { series } of functionReads(settings)) stored.push(await readings.series(series, series.max_age_s));
      const looks = looksOf(span, period_s);
      const channels = measuredDevices(kinds).channelsOf('function', settings);
      const given = { settings, stored, channels, place: place(), mostListed, mostDrawn, looks };
      const found = await this.#worker.run('function', {
        ...given,
        from_ms: span.to_ms - (looks - 1) * period_s * 1000,
      });
      return functionAnswer(found, looks);
    });
  }

  close(): Promise<void> {
    return this.#worker.end();
  }

  async #looked(
    { asked, stored, span }: { asked: BodyOf<ConditionalEndpoint>; stored: readonly StoredCondition[]; span: Span },
    signal: AbortSignal,
  ): Promise<AnswerOf<ConditionalEndpoint>> {
    const { statement, conditions, actions, period_s } = asked;
    const rule = { statement, conditions, actions };
    const periodMs = period_s * 1000;
    const looks = looksOf(span, period_s);
    const unknown = conditions.filter((_, index) => isEmpty(stored[index] ?? null)).map(({ name }) => name);
    const found: AnswerOf<ConditionalEndpoint> = { looks, runs: [], run_count: 0, stops: [], unknown };
    for (let done = 0; done < looks; done += sliceLooks) {
      signal.throwIfAborted();
      const slice = { from_ms: span.from_ms + done * periodMs, looks: Math.min(sliceLooks, looks - done) };
      const given = { rule, stored, period_ms: periodMs, mostListed: mostListed - found.runs.length, ...slice };
      const part = await this.#worker.run('conditional', given);
      found.run_count += part.run_count;
      found.runs.push(
        ...part.runs.map(({ at_ms, reason, ...one }) => ({ at: isoOf(at_ms), ...one, ...explained(reason) })),
      );
      for (const stop of part.stops) addStop(found.stops, stop);
    }
    return found;
  }

  async #inTurn<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    if (this.#running >= mostAtOnce)
      throw new Refusal('rate_limited', 'others try theirs just now', { headers: { 'Retry-After': '5' } });
    this.#running += 1;
    try {
      return await run();
    } finally {
      this.#running -= 1;
    }
  }

  #readings(span: Span, signal: AbortSignal): StoredReadings {
    const { reader, measured, kinds, clock } = this.#options;
    return new StoredReadings({ reader, measured, outputs: kinds.output, clock }, span, signal);
  }

  #dutyOf(method_id: string): number | null {
    const { kinds, place, clock } = this.#options;
    const find = (id: string) => kinds.method.get(id);
    const method = find(method_id);
    const duty = method && methodCurve(method, { place: place(), find })(clock());
    return method === undefined || duty == null ? null : dutyOfMethod(duty, method.name).duty_pct;
  }

  /** Without a period there are no ticks. */
  #spanOf({ from, to }: { from: Moment; to: Moment }, period_s = Infinity): Span {
    const fromMs = epochOf(from);
    const toMs = Math.min(epochOf(to), this.#options.clock());
    if (toMs <= fromMs) throw refuseField('invalid_field', 'to', why('span_not_past'));
    if (toMs - fromMs > longestSpanMs) throw refuseField('invalid_field', 'from', why('span_over_days', { days: 31 }));
    if ((toMs - fromMs) / (period_s * 1000) > mostLooks)
      throw refuseField('invalid_field', 'period_s', why('too_many_looks', { most: mostLooks }));
    return { from_ms: fromMs, to_ms: toMs };
  }
}

function looksOf({ from_ms, to_ms }: Span, period_s: number): number {
  return Math.floor((to_ms - from_ms) / (period_s * 1000)) + 1;
}

async function conditionOf(one: Condition, readings: StoredReadings): Promise<StoredCondition> {
  if (one.kind === 'controller') return null;
  if ('output_id' in one) return readings.states(one);
  return readings.series(one, one.kind === 'measurement' ? one.max_age_s : one.over_s);
}

function isByClock({ kind }: Trigger): boolean {
  return kind !== 'edge' && kind !== 'output' && kind !== 'output_pwm';
}

/**
 * The stored values of what a trigger watches, from far enough back to know the initial state; null for a trigger by
 * the clock.
 */
async function watchedBy(trigger: Trigger, readings: StoredReadings): Promise<StoredSeries | StoredStates | null> {
  if (trigger.kind === 'edge') return readings.series(trigger.measurement, trigger.measurement.max_age_s);
  if (trigger.kind === 'output') return readings.states(trigger.output, trigger.for_s);
  return trigger.kind === 'output_pwm' ? readings.states(trigger.output) : null;
}

function functionAnswer({ last, runs, ...found }: FunctionDryRunFound, looks: number): AnswerOf<Endpoints['function']> {
  return {
    looks,
    ...found,
    last: last === null ? null : lastLook(last),
    runs: runs.map(({ at_ms, reason, ...one }) => ({ at: isoOf(at_ms), ...one, ...explained(reason) })),
  };
}

function lastLook({ at_ms, reason, ...last }: NonNullable<FunctionDryRunFound['last']>) {
  const why = reason === null ? { because: null, reason } : explained(reason);
  return { at: isoOf(at_ms), ...last, ...why };
}

type Stops = AnswerOf<ConditionalEndpoint>['stops'];

function addStop(
  stops: Stops,
  { first_ms, count, ...stop }: Omit<Stops[number], 'first_at'> & { first_ms: number },
): void {
  const known = stops.find(
    ({ line, column, reason }) => line === stop.line && column === stop.column && reason === stop.reason,
  );
  if (known === undefined) stops.push({ ...stop, count, first_at: isoOf(first_ms) });
  else known.count += count;
}
