import type { RelayCycle } from '../../../domain/control/relay-cycle.ts';

/**
 * How late a step may come, as a share of the time on and at most a second, before the cycles are counted anew from it.
 */
const tolerated = 0.1;
const toleratedMs = 1_000;

/**
 * When a relay that keeps a duty cycle should be on, on a grid without drift. It switches on at most once a cycle: an
 * early end of its time on, or a higher demand in its time off, takes effect with the next cycle. Times are elapsed ms.
 */
export class DutyCycle {
  #begunAt = -Infinity;
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Its time off is over: it switches on as soon as it may. */
  isDue(nowMs: number, { cycle_s }: RelayCycle): boolean {
    return !this.#isOn && nowMs >= this.#begunAt + cycle_s * 1000;
  }

  /** Takes the due steps. A relay that may not be on waits, and its cycles begin when it may. */
  advance(nowMs: number, cycle: RelayCycle, mayBeOn: boolean): void {
    const { on_s, cycle_s } = cycle;
    if (this.#isOn) {
      const isOver = nowMs >= this.#begunAt + on_s * 1000;
      // A relay that was on for too long still gets its whole time off.
      if (isOver) this.#begunAt = stepped(this.#begunAt + on_s * 1000, nowMs, on_s) - on_s * 1000;
      this.#isOn = !isOver && mayBeOn;
    } else if (mayBeOn && this.isDue(nowMs, cycle)) {
      this.#begunAt = stepped(this.#begunAt + cycle_s * 1000, nowMs, on_s);
      this.#isOn = true;
    }
  }

  /** It was switched off: it comes on again with the next cycle. */
  end(): void {
    this.#isOn = false;
  }

  /** When the next step is due, elapsed ms; in the past while it waits for permission. */
  nextStep({ on_s, cycle_s }: RelayCycle): number {
    return this.#begunAt + (this.#isOn ? on_s : cycle_s) * 1000;
  }
}

function stepped(due: number, nowMs: number, on_s: number): number {
  return nowMs - due <= Math.min(toleratedMs, tolerated * on_s * 1000) ? due : nowMs;
}
