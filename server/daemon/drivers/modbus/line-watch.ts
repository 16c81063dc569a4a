import { deviceSays } from '../../../contract/device-words.ts';

/** Fewer silent units are each its own fault. */
const fewestSilent = 2;
/** A unit that answered is asked again within that time, unless nothing uses it any more or its period is longer. */
const trustedMs = 300_000;

/** Takes why no unit can be reached, null when some can; `isSure` is false while others may yet answer. */
export type LineTold = (failure: string | null, isSure: boolean) => void;

/**
 * Whether the units of a bus can be reached at all. Units that fall silent together, with none that answers between,
 * are behind a line that is cut, even if their gateway can be reached. Two units of one box fall silent together too:
 * it is sure once those that answered before have been asked again.
 */
export class LineWatch {
  readonly #elapsed: () => number;
  readonly #told: LineTold;
  readonly #silent = new Set<number>();
  /** Those that fell silent since any unit answered. */
  readonly #fallen = new Set<number>();
  /** When those that are not silent last answered, elapsed ms. */
  readonly #heardAtMs = new Map<number, number>();
  #failure: string | null | undefined;
  #isSure = true;
  #isReleased = false;

  /** `elapsed`: monotonic ms. `told` is called at each change. */
  constructor(elapsed: () => number, told: LineTold) {
    this.#elapsed = elapsed;
    this.#told = told;
  }

  lost(failure: string): void {
    this.#fallen.clear();
    this.#silent.clear(); // who is silent once it is back is told anew
    this.#tell(failure);
  }

  /** The gateway can be reached, which says nothing of the line behind it. */
  connected(): void {
    if (this.#fallen.size < fewestSilent) this.#tell(null);
  }

  heard(unit_id: number): void {
    this.#silent.delete(unit_id);
    this.#heardAtMs.set(unit_id, this.#elapsed());
    this.#fallen.clear();
    this.#tell(null);
  }

  missed(unit_id: number): void {
    if (!this.#silent.has(unit_id)) this.#fallen.add(unit_id);
    this.#silent.add(unit_id);
    this.#heardAtMs.delete(unit_id);
    const since = this.#elapsed() - trustedMs;
    const mayAnswer = [...this.#heardAtMs.values()].some((heardAtMs) => heardAtMs > since);
    if (this.#fallen.size >= fewestSilent) this.#tell(deviceSays('units_silent'), !mayAnswer);
  }

  /** Nothing uses the bus any more: what is still under way says nothing. */
  released(): void {
    this.#tell(null);
    this.#isReleased = true;
  }

  #tell(failure: string | null, isSure = true): void {
    if (this.#isReleased || (failure === this.#failure && isSure === this.#isSure)) return;
    this.#failure = failure;
    this.#isSure = isSure;
    this.#told(failure, isSure);
  }
}
