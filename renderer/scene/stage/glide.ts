import type { Pace } from './pace.ts';

const glideMs = 280;

/** One motion of the eye at a time; a new one takes the place of that before. */
export class Glide {
  readonly #pace: Pick<Pace, 'begin' | 'end'>;
  /** The next step. */
  #step = 0;

  constructor(pace: Pick<Pace, 'begin' | 'end'>) {
    this.#pace = pace;
  }

  /** `stand` is called with the share of the way, up to 1. */
  begin(stand: (share: number) => void, atOnce: boolean): void {
    this.stop();
    const began = performance.now();
    if (!atOnce) this.#pace.begin();
    const step = (): void => {
      const share = atOnce ? 1 : Math.min(1, (performance.now() - began) / glideMs);
      stand(share * share * (3 - 2 * share));
      if (share < 1) this.#step = requestAnimationFrame(step);
      else this.#pace.end(); // at once too: it may have cut short one that had begun
    };
    step();
  }

  stop(): void {
    cancelAnimationFrame(this.#step);
  }
}
