/** A frame that took longer makes the next ones coarser while the picture moves, ms. */
const slowMs = 18;
const quickMs = 13;
const least = 0.4;
/** After this long at rest the picture is drawn at its full fineness. */
const restMs = 160;

/** Keeps the picture fluent while a user turns it: fewer pixels while frames take too long, all of them at rest. */
export class Pace {
  readonly #setRatio: (ratio: number) => void;
  readonly #draw: () => void;
  #most = 1;
  #ratio = 1;
  #mean_ms = 16;
  #last_ms = 0;
  #moves = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(setRatio: (ratio: number) => void, draw: () => void) {
    this.#setRatio = setRatio;
    this.#draw = draw;
  }

  setMost(most: number): void {
    if (most === this.#most && this.#ratio <= most) return;
    this.#most = most;
    if (!this.#moves) this.#set(most);
  }

  begin(): void {
    clearTimeout(this.#timer);
    if (!this.#moves) this.#last_ms = 0;
    this.#moves = true;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#moves = false;
      this.#set(this.#most);
      this.#draw();
    }, restMs);
  }

  drawn(atMs: number): void {
    const tookMs = atMs - this.#last_ms;
    const follows = this.#last_ms > 0 && tookMs < 250;
    this.#last_ms = atMs;
    if (!this.#moves || !follows) return;
    this.#mean_ms += (tookMs - this.#mean_ms) * 0.25;
    if (this.#mean_ms > slowMs) this.#set(this.#ratio * 0.8);
    else if (this.#mean_ms < quickMs) this.#set(this.#ratio * 1.1);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #set(wanted: number): void {
    const ratio = Math.min(this.#most, Math.max(least, wanted));
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    this.#mean_ms = 16;
    this.#setRatio(ratio);
  }
}
