import type { LastValue } from '../../contract/measurement.ts';
import type { StateInterval } from '../../domain/analytics/state-time.ts';
import { workerEntry } from '../../worker-entry.ts';
import { WorkerClient } from '../../worker/client.ts';
import type {
  AggregateRequest,
  AmountsRequest,
  BandTimesRequest,
  ExportPage,
  ExportRequest,
  MeansRequest,
  MeasurementReader,
  MeteredRequest,
  SeriesMeans,
  SeriesName,
  StatesRequest,
  StateTimesRequest,
  StateSwitch,
  TrendRequest,
} from '../reader.ts';
import { flagOf } from './cancelling.ts';
import type { FollowedFile } from './followed-file.ts';
import type { readTasks } from './read-tasks.ts';
import type { sumTasks } from './sum-tasks.ts';

/** The largest query takes seconds behind a few others; one that takes longer hangs. */
const taskTimeoutMs = 60_000;

/** Reads a measurements.db in a worker thread, on a read-only connection. */
class SqliteMeasurementReader implements MeasurementReader {
  readonly #worker: WorkerClient<FollowedFile, typeof readTasks & typeof sumTasks>;

  constructor(file: string) {
    const entry = workerEntry('measurement-reader-worker', import.meta.url);
    this.#worker = new WorkerClient({ entry, data: file, timeoutMs: taskTimeoutMs });
  }

  last(series: SeriesName): Promise<LastValue | null> {
    return this.#worker.run('last', series);
  }

  trend(request: TrendRequest, signal: AbortSignal): Promise<Buffer> {
    return this.#worker.run('trend', request, flagOf(signal));
  }

  aggregate(request: AggregateRequest, signal: AbortSignal): Promise<Buffer> {
    return this.#worker.run('aggregate', request, flagOf(signal));
  }

  exportPage(request: ExportRequest, signal: AbortSignal): Promise<ExportPage> {
    return this.#worker.run('exportPage', request, flagOf(signal));
  }

  means(request: MeansRequest, signal: AbortSignal): Promise<SeriesMeans | null> {
    return this.#worker.run('means', request, flagOf(signal));
  }

  states(request: StatesRequest, signal: AbortSignal): Promise<StateInterval[]> {
    return this.#worker.run('states', request, flagOf(signal));
  }

  switches(request: Omit<StatesRequest, 'now_ms'>, signal: AbortSignal): Promise<StateSwitch[]> {
    return this.#worker.run('switches', request, flagOf(signal));
  }

  amounts(request: AmountsRequest, signal: AbortSignal): ReturnType<MeasurementReader['amounts']> {
    return this.#worker.run('amounts', request, flagOf(signal));
  }

  metered(request: MeteredRequest, signal: AbortSignal): ReturnType<MeasurementReader['metered']> {
    return this.#worker.run('metered', request, flagOf(signal));
  }

  bandTimes(request: BandTimesRequest, signal: AbortSignal): ReturnType<MeasurementReader['bandTimes']> {
    return this.#worker.run('bandTimes', request, flagOf(signal));
  }

  stateTimes(request: StateTimesRequest, signal: AbortSignal): ReturnType<MeasurementReader['stateTimes']> {
    return this.#worker.run('stateTimesByDay', request, flagOf(signal));
  }

  close(): Promise<void> {
    return this.#worker.end();
  }
}

/** Opens the reader of a migrated measurements.db; the file is opened with the first query. */
export function openMeasurementReader(file: string): MeasurementReader {
  return new SqliteMeasurementReader(file);
}
