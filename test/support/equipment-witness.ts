import { vi } from 'vitest';
import { SimulatedHouse } from '../../server/daemon/drivers/simulated/house.ts';
import type { Part } from './week-site.ts';

interface Move {
  part: Part;
  at_ms: number;
  /** 0 off or shut to 1 full. */
  position: number;
}

type Span = readonly [from_ms: number, to_ms: number];

/** Records the real movements of equipment in simulated houses; it replaces nothing. */
export class EquipmentWitness {
  /** m/s; null for the weather of the place. */
  wind_m_s: number | null = null;
  readonly #now: () => number;
  readonly #moves: Move[] = [];
  readonly #powered = new Set<SimulatedHouse>();
  readonly #unpowered = new WeakSet<SimulatedHouse>();

  constructor(now: () => number) {
    this.#now = now;
    // eslint-disable-next-line typescript/unbound-method -- each is called with its house
    const { set, weather } = SimulatedHouse.prototype;
    const moved = this.#moved.bind(this);
    const blown = (made: ReturnType<typeof weather>) =>
      this.wind_m_s === null ? made : { ...made, wind_m_s: this.wind_m_s };
    vi.spyOn(SimulatedHouse.prototype, 'set').mockImplementation(function (this: SimulatedHouse, part, position) {
      moved(this, part as Part, position); // the site has no other equipment
      set.call(this, part, position);
    });
    vi.spyOn(SimulatedHouse.prototype, 'weather').mockImplementation(function (this: SimulatedHouse) {
      return blown(weather.call(this));
    });
  }

  #moved(house: SimulatedHouse, part: Part, position: number): void {
    if (this.#unpowered.has(house)) return;
    this.#powered.add(house);
    this.#moves.push({ part, at_ms: this.#now(), position });
  }

  /** Stops all equipment of these houses for good. */
  unplug(): void {
    const atMs = this.#now();
    for (const part of new Set(this.#moves.map((move) => move.part)))
      this.#moves.push({ part, at_ms: atMs, position: 0 });
    for (const house of this.#powered) this.#unpowered.add(house);
    this.#powered.clear();
  }

  /** When a part was above a position. */
  spans(part: Part, above = 0): Span[] {
    const spans: Span[] = [];
    let from: number | undefined;
    for (const { at_ms, position } of this.#moves.filter((move) => move.part === part)) {
      if (position > above) from ??= at_ms;
      else if (from !== undefined) {
        spans.push([from, at_ms]);
        from = undefined;
      }
    }
    return from === undefined ? spans : [...spans, [from, this.#now()]];
  }

  /** Position of a part at a moment, 0 to 1. */
  position(part: Part, atMs: number): number {
    return this.#moves.findLast((move) => move.part === part && move.at_ms <= atMs)?.position ?? 0;
  }

  /** How long a part was above a position in a time, s. */
  on_s(part: Part, [from_ms, to_ms]: Span, above = 0): number {
    return common_s(this.spans(part, above), [from_ms, to_ms]);
  }

  /** How long two parts were above their positions together, s. */
  both_s(one: readonly [part: Part, above: number], other: readonly [part: Part, above: number]): number {
    const others = this.spans(...other);
    return this.spans(...one).reduce((sum, span) => sum + common_s(others, span), 0);
  }
}

function common_s(spans: readonly Span[], [from_ms, to_ms]: Span): number {
  return spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, to_ms) - Math.max(from, from_ms)), 0) / 1000;
}
