import { Refusal } from '../../contract/errors.ts';
import type { HealthProblem } from '../../contract/health.ts';
import type { LaterWrites } from '../../db/later-writes.ts';
import { storageFaultOf, type StorageFault } from '../../db/storage-fault.ts';

/** Another program may hold the lock for seconds. */
const patienceMs = 5_000;

const details: Record<StorageFault, string> = {
  busy: 'another program holds the database',
  full: 'the disk is full',
  readonly: 'the disk is read-only',
  failed: 'the disk failed',
};

/** Whether orangery.db accepts writes, and what it means to a caller that it does not. */
export class StorageService {
  readonly #later: Pick<LaterWrites, 'unlocked' | 'noticed' | 'state'>;

  constructor(later: Pick<LaterWrites, 'unlocked' | 'noticed' | 'state'>) {
    this.#later = later;
  }

  /** Waits, without blocking, until no other program writes. Throws `storage_busy`. */
  async ready(): Promise<void> {
    if (!(await this.#later.unlocked(patienceMs))) throw refusalOf('busy');
  }

  /** The refusal for a failed write; undefined when the disk was not the cause. */
  refusal(error: unknown): Refusal | undefined {
    const fault = storageFaultOf(error);
    if (fault === undefined) return undefined;
    this.#later.noticed(error);
    return refusalOf(fault, error);
  }

  problems(): HealthProblem[] {
    const { fault } = this.#later.state;
    return fault === null ? [] : [`storage_${fault}`];
  }
}

function refusalOf(fault: StorageFault, cause?: unknown): Refusal {
  const detail = `nothing was stored: ${details[fault]}`;
  if (fault === 'busy') return new Refusal('storage_busy', detail, { cause, headers: { 'Retry-After': '1' } });
  return new Refusal('storage_failed', detail, { cause, members: { fault } });
}
