/** Work in steps of a few ms each; between two steps other work gets its turn. */
export type Chore = Generator<void, void, void>;

/** Pause between two steps, for writing new samples. */
const pauseMs = 10;

interface Waiting {
  name: string;
  chore: () => Chore;
}

/** Does chores one after the other, step by step. A failure is reported, and the next one begins. */
export class Chores {
  readonly #failed: (name: string, error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #running: { name: string; steps: Chore } | null = null;
  #isStopped = false;

  constructor(failed: (name: string, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Ignored if one of the same name already waits or runs. */
  add(name: string, chore: () => Chore): void {
    if (this.#running?.name === name || this.#waiting.some((one) => one.name === name)) return;
    this.#waiting.push({ name, chore });
    this.#plan();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #plan(): void {
    if (!this.#isStopped) this.#timer ??= setTimeout(() => this.#step(), pauseMs);
  }

  #step(): void {
    this.#timer = null;
    this.#running ??= this.#next();
    if (this.#running === null) return;
    const { name, steps } = this.#running;
    try {
      if (steps.next().done === true) this.#running = null;
    } catch (error) {
      this.#running = null;
      this.#failed(name, error);
    }
    if (this.#running || this.#waiting.length > 0) this.#plan();
  }

  #next(): { name: string; steps: Chore } | null {
    const waiting = this.#waiting.shift();
    return waiting ? { name: waiting.name, steps: waiting.chore() } : null;
  }
}
