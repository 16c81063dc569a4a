import { deviceSays } from '../../../contract/device-words.ts';

/** Fewer silent units are each its own fault. */
const fewestSilent = 2;

/**
 * Whether the units of a bus can be reached at all. Units that fall silent together, with none that answers between,
 * are behind a line that is cut, even if their gateway can be reached.
 */
export class LineWatch {
  readonly #told: (failure: string | null) => void;
  readonly #silent = new Set<number>();
  /** Those that fell silent since any unit answered. */
  readonly #fallen = new Set<number>();
  #failure: string | null | undefined;

  /** `told` is called when it changes why no unit can be reached; null when some can. */
  constructor(told: (failure: string | null) => void) {
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
    this.#fallen.clear();
    this.#tell(null);
  }

  missed(unit_id: number): void {
    if (!this.#silent.has(unit_id)) this.#fallen.add(unit_id);
    this.#silent.add(unit_id);
    if (this.#fallen.size >= fewestSilent) this.#tell(deviceSays('units_silent'));
  }

  /** Nothing uses the bus any more. */
  released(): void {
    this.#tell(null);
  }

  #tell(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#told(failure);
  }
}
