/** A frame that took longer makes the next ones coarser while the picture moves, ms. */
const slow_ms = 18;
const quick_ms = 13;
const least = 0.4;
/** After this long at rest the picture is drawn at its full fineness. */
const rest_ms = 160;

/** Keeps a picture fluent while somebody turns it: fewer pixels as long as frames take too long, all of them when it rests. */
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
    }, rest_ms);
  }

  drawn(at_ms: number): void {
    const took_ms = at_ms - this.#last_ms;
    const follows = this.#last_ms > 0 && took_ms < 250;
    this.#last_ms = at_ms;
    if (!this.#moves || !follows) return;
    this.#mean_ms += (took_ms - this.#mean_ms) * 0.25;
    if (this.#mean_ms > slow_ms) this.#set(this.#ratio * 0.8);
    else if (this.#mean_ms < quick_ms) this.#set(this.#ratio * 1.1);
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
