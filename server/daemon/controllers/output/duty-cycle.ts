import type { RelayCycle } from '../../../domain/control/relay-cycle.ts';

/** A step may come late by so much of the time on, at most by a second, before the cycles begin anew with it. */
const tolerated = 0.1;
const toleratedMs = 1_000;

/**
 * When a relay that keeps a duty cycle is to be on, on a grid without drift. It goes on at most once a cycle: what ends its time on
 * early, or asks for more in its time off, takes effect with the next. Times are elapsed ms.
 */
export class DutyCycle {
  #begunAt = -Infinity;
  #isOn = false;

  /** In its time on. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Its time off is over: it goes on as soon as it may. */
  isDue(nowMs: number, { cycle_s }: RelayCycle): boolean {
    return !this.#isOn && nowMs >= this.#begunAt + cycle_s * 1000;
  }

  /** Takes the steps that are due; what may not be on waits, and what had to wait begins its cycles then. */
  advance(nowMs: number, cycle: RelayCycle, mayBeOn: boolean): void {
    const { on_s, cycle_s } = cycle;
    if (this.#isOn) {
      const isOver = nowMs >= this.#begunAt + on_s * 1000;
      // Its time off is kept where it was on for too long.
      if (isOver) this.#begunAt = stepped(this.#begunAt + on_s * 1000, nowMs, on_s) - on_s * 1000;
      this.#isOn = !isOver && mayBeOn;
    } else if (mayBeOn && this.isDue(nowMs, cycle)) {
      this.#begunAt = stepped(this.#begunAt + cycle_s * 1000, nowMs, on_s);
      this.#isOn = true;
    }
  }

  /** It was turned off: it goes on again with the next cycle. */
  end(): void {
    this.#isOn = false;
  }

  /** When the next step is due, elapsed ms; in the past where it waits for a permission. */
  nextStep({ on_s, cycle_s }: RelayCycle): number {
    return this.#begunAt + (this.#isOn ? on_s : cycle_s) * 1000;
  }
}

function stepped(due: number, nowMs: number, on_s: number): number {
  return nowMs - due <= Math.min(toleratedMs, tolerated * on_s * 1000) ? due : nowMs;
}
