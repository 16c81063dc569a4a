import type { StudyRequest, StudyResult } from '../../contract/study.ts';
import { WorkerClient } from '../../worker/client.ts';
import { workerEntry } from '../../worker-entry.ts';
import type { FacilityCapacity } from './capacity.ts';
import type { StudyPlace, StudyTasks } from './study-tasks.ts';

/** A study takes tens of milliseconds; after this time it hangs. */
const timeoutMs = 20_000;

/** Calculates years of houses in a worker: 8,760 balances, several times over, would block the server. */
export class FacilityStudy {
  readonly #capacity: Pick<FacilityCapacity, 'contextOf'>;
  readonly #worker: WorkerClient<StudyPlace, StudyTasks>;

  constructor(capacity: Pick<FacilityCapacity, 'contextOf'>, dataDirectory: string) {
    this.#capacity = capacity;
    this.#worker = new WorkerClient({
      entry: workerEntry('study-worker', import.meta.url),
      data: dataDirectory,
      timeoutMs,
    });
  }

  /** Rejects with `unknown_material`, `unknown_reference`, `invalid_shape`, `invalid_field`. */
  async study(request: StudyRequest): Promise<StudyResult> {
    return this.#worker.run('study', request, this.#capacity.contextOf(request));
  }

  /**
   * Rejects with `invalid_field` when a text is no year of weather; the extension of the name determines its format.
   */
  async checkYear(name: string, text: string): Promise<void> {
    return this.#worker.run('checkYear', name, text);
  }

  close(): Promise<void> {
    return this.#worker.end();
  }
}
