/**
 * Pictures and tiles that were made or read, each under a name that is unique to its content: beyond the budget the
 * least recently used ones are dropped.
 */
export class RecentPictures {
  readonly #budgetBytes: number;
  /** In the order of their last use. */
  readonly #pictures = new Map<string, Buffer>();
  #bytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get(etag: string): Buffer | undefined {
    return this.#pictures.get(etag);
  }

  /** Also marks it as just used. */
  put(etag: string, picture: Buffer): void {
    this.#drop(etag);
    this.#pictures.set(etag, picture);
    this.#bytes += picture.length;
    for (const oldest of this.#pictures.keys()) {
      if (this.#bytes <= this.#budgetBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(etag: string): void {
    this.#bytes -= this.#pictures.get(etag)?.length ?? 0;
    this.#pictures.delete(etag);
  }
}
