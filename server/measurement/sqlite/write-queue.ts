import type { BatchContent } from './batch.ts';

/** Samples and states of one call, with its promise. */
export interface Waiting extends BatchContent {
  resolve: () => void;
  /** Called once; a write kept for later counts as refused for its caller. */
  reject: (error: Error) => void;
}

/** The writes that wait for the disk, oldest first. */
export class WriteQueue {
  #writes: Waiting[] = [];
  #count = 0;

  /** Number of samples and states, of all writes together. */
  get count(): number {
    return this.#count;
  }

  add(write: Waiting): void {
    this.#writes.push(write);
    this.#count += countOf(write);
  }

  /** Writes that were taken and not stored come first again. */
  putBack(writes: readonly Waiting[]): void {
    this.#writes.unshift(...writes);
    this.#count += sumOf(writes);
  }

  /** Takes as many whole writes as have at most this many samples and states, at least one; none of an empty queue. */
  take(most: number): Waiting[] {
    let size = 0;
    const end = this.#writes.findIndex((write, at) => (size += countOf(write)) > most && at > 0);
    const taken = this.#writes.splice(0, end === -1 ? this.#writes.length : end);
    this.#count -= sumOf(taken);
    return taken;
  }

  /** Drops the oldest writes until at most this many samples and states are left; returns how many are lost. */
  dropBeyond(most: number): number {
    const before = this.#count;
    while (this.#count > most) this.#count -= countOf(this.#writes.shift() ?? { samples: [], states: [] });
    return before - this.#count;
  }
}

export function countOf({ samples, states }: BatchContent): number {
  return samples.length + states.length;
}

function sumOf(writes: readonly Waiting[]): number {
  return writes.reduce((sum, write) => sum + countOf(write), 0);
}
