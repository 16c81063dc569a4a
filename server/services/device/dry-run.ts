import type { Now } from '../../auth/now.ts';
import type { Condition, conditionalEndpoints } from '../../contract/conditional.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { OutputRef } from '../../contract/output.ts';
import { isoOf, epochOf } from '../../contract/time.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { StoredCondition } from '../../domain/control/dry-run.ts';
import { explained } from '../../domain/control/reason-text.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import { WorkerClient } from '../../worker/client.ts';
import { workerEntry } from '../../worker-entry.ts';
import { statementFaults } from './control-judges.ts';
import type { DryRunTasks } from './dry-run-tasks.ts';

interface DryRunOptions {
  reader: Pick<MeasurementReader, 'exportPage' | 'states'>;
  measured: Pick<MeasuredDevices, 'series'>;
  outputs: Pick<OutputRepository, 'get'>;
  clock: Now;
}

type Endpoint = typeof conditionalEndpoints.dryRun;
type Asked = BodyOf<Endpoint>;
interface Span {
  from_ms: number;
  to_ms: number;
}

const longestSpan_ms = 31 * 86_400_000;
const mostLooks = 50_000;
/** Of all conditions together. */
const mostSamples = 500_000;
const mostStates = 50_000;
const mostListed = 1_000;
/** Looks of one task of the worker: between them a caller who left is noticed. */
const sliceLooks = 2_000;
const timeoutMs = 30_000;
/** Callers at one time. */
const mostAtOnce = 4;

/** Tries conditional functions over stored days, in a worker: what each would have asked for, and where it could not go on. */
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
  async run(asked: Asked, signal: AbortSignal): Promise<AnswerOf<Endpoint>> {
    const [fault] = statementFaults(asked);
    if (fault !== undefined)
      throw refuseField('invalid_field', 'statement', `line ${fault.line}, column ${fault.column}: ${fault.message}`);
    const span = this.#spanOf(asked);
    if (this.#running >= mostAtOnce)
      throw new Refusal('rate_limited', 'others try theirs just now', { headers: { 'Retry-After': '5' } });
    this.#running += 1;
    try {
      return await this.#try(asked, span, signal);
    } finally {
      this.#running -= 1;
    }
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  async #try({ statement, conditions, actions, period_s }: Asked, span: Span, signal: AbortSignal) {
    const stored = await this.#read(conditions, span, signal);
    const rule = { statement, conditions, actions };
    const period_ms = period_s * 1000;
    const looks = Math.floor((span.to_ms - span.from_ms) / period_ms) + 1;
    const found: AnswerOf<Endpoint> = {
      looks,
      runs: [],
      run_count: 0,
      stops: [],
      unknown: unknownOf(conditions, stored),
    };
    for (let done = 0; done < looks; done += sliceLooks) {
      signal.throwIfAborted();
      const slice = { from_ms: span.from_ms + done * period_ms, looks: Math.min(sliceLooks, looks - done) };
      const given = { rule, stored, period_ms, mostListed: mostListed - found.runs.length, ...slice };
      const part = await this.#worker.run('dryRun', given);
      found.run_count += part.run_count;
      found.runs.push(
        ...part.runs.map(({ at_ms, reason, ...one }) => ({ at: isoOf(at_ms), ...one, ...explained(reason) })),
      );
      for (const stop of part.stops) addStop(found.stops, stop);
    }
    return found;
  }

  async #read(conditions: readonly Condition[], span: Span, signal: AbortSignal): Promise<StoredCondition[]> {
    const stored: StoredCondition[] = [];
    let left = mostSamples;
    for (const one of conditions) {
      const read = await this.#readOne(one, { ...span, left }, signal);
      if (read !== null && 'samples' in read) left -= read.samples.times.length;
      stored.push(read);
    }
    return stored;
  }

  async #readOne(one: Condition, span: Span & { left: number }, signal: AbortSignal): Promise<StoredCondition> {
    if (one.kind === 'controller') return null;
    if ('output_id' in one) return { states: await this.#states(one, span, signal) };
    const back_s = one.kind === 'measurement' ? one.max_age_s : one.over_s;
    const name = { device_id: one.device_id, measurement_id: one.measurement_id };
    const samples = await this.#samples(name, { ...span, from_ms: span.from_ms - back_s * 1000 }, signal);
    return { samples, unit: this.#options.measured.series(name)?.unit ?? null };
  }

  async #states({ output_id: device_id, channel: named }: OutputRef, { from_ms, to_ms }: Span, signal: AbortSignal) {
    const { outputs, reader, clock } = this.#options;
    const channels = outputs.get(device_id)?.channels ?? [];
    const channel = named ?? Math.min(...channels.map((one) => one.channel));
    if (!Number.isFinite(channel)) return [];
    const span = { from_ms, to_ms: to_ms + 1, now_ms: clock(), limit: mostStates };
    return reader.states({ device_id, channel, ...span }, signal);
  }

  async #samples(
    name: { device_id: string; measurement_id: string },
    { from_ms, to_ms, left }: Span & { left: number },
    signal: AbortSignal,
  ) {
    const [times, values]: [number[], number[]] = [[], []];
    for (let next: number | null = from_ms; next !== null;) {
      const page = await this.#options.reader.exportPage({ series: [name], from_ms: next, to_ms: to_ms + 1 }, signal);
      const [column = []] = page.values;
      page.times.forEach((time, index) => {
        const value = column[index] ?? null;
        if (value === null) return;
        times.push(time);
        values.push(value);
      });
      if (times.length > left)
        throw refuseField('invalid_field', 'from', 'has too much stored since: try a shorter time');
      next = page.next_ms;
    }
    return { times: Float64Array.from(times), values: Float64Array.from(values) };
  }

  #spanOf({ from, to, period_s }: Asked): Span {
    const from_ms = epochOf(from);
    const to_ms = Math.min(epochOf(to), this.#options.clock());
    if (to_ms <= from_ms) throw refuseField('invalid_field', 'to', 'must be after from, which must be past');
    if (to_ms - from_ms > longestSpan_ms) throw refuseField('invalid_field', 'from', 'must lie within 31 days of to');
    if ((to_ms - from_ms) / (period_s * 1000) > mostLooks)
      throw refuseField(
        'invalid_field',
        'period_s',
        `is more than ${mostLooks} looks: choose a shorter time or a longer period`,
      );
    return { from_ms, to_ms };
  }
}

/** Of these nothing is stored: whether a controller ran, and series of which there is nothing in that time. */
function unknownOf(conditions: readonly Condition[], stored: readonly StoredCondition[]): string[] {
  const isEmpty = (one: StoredCondition | undefined): boolean =>
    one == null || ('samples' in one ? one.samples.times.length === 0 : one.states.length === 0);
  return conditions.filter((_, index) => isEmpty(stored[index])).map(({ name }) => name);
}

type Stops = AnswerOf<Endpoint>['stops'];

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
