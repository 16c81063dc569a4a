/** A connection whose messages take memory. */
export interface MemoryHolder {
  destroy(): void;
}

/** Bounds the memory that messages of all connections take together. */
export class MemoryBudget {
  readonly #mostBytes: number;
  readonly #held = new Map<MemoryHolder, number>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes that are held at the moment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Tells how much a connection holds now. While all hold too much, the one that holds most is dropped. */
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
