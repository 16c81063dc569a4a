/** A connection whose messages take memory. */
export interface MemoryHolder {
  destroy(): void;
}

/** Limits the memory of all connections' messages together. */
export class MemoryBudget {
  readonly #mostBytes: number;
  readonly #held = new Map<MemoryHolder, number>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes held at present. */
  get bytes(): number {
    return this.#bytes;
  }

  /** States how much a connection now holds. While the total is too high, the largest holder is dropped. */
  hold(holder: MemoryHolder, bytes: number): void {
    this.#bytes += bytes - (this.#held.get(holder) ?? 0);
    if (bytes === 0) this.#held.delete(holder);
    else this.#held.set(holder, bytes);
    while (this.#bytes > this.#mostBytes) this.#dropGreatest();
  }

  #dropGreatest(): void {
    const [holder] = [...this.#held].reduce((most, one) => (one[1] > most[1] ? one : most));
    this.hold(holder, 0);
    holder.destroy();
  }
}
