import { z } from 'zod';
import type { TankDose } from '../tank.ts';

/** What a dosing function stores of its doses, as others of the same tank read it. */
const kept = z.object({
  tanks: z.array(z.string()),
  unit: z.string(),
  mixing_s: z.number(),
  lock_s: z.number(),
  doses: z.array(z.object({ at_ms: z.number(), side: z.enum(['raise', 'lower']) })),
});

/** The doses of one function, and the names of their water. */
interface TankDoses {
  tanks: readonly string[];
  doses: readonly TankDose[];
}

/** Doses by tank, so that several functions of one tank respect each other's times. */
export class Tanks {
  readonly #given = new Map<string, TankDoses>();

  /** Takes a function's doses of the last day. */
  tell(functionId: string, given: TankDoses): void {
    this.#given.set(functionId, given);
  }

  /** Doses of the other functions into the same water. */
  others(functionId: string, tanks: readonly string[]): TankDose[] {
    return [...this.#given].flatMap(([id, given]) =>
      id !== functionId && given.tanks.some((one) => tanks.includes(one)) ? given.doses : [],
    );
  }

  /** Takes what stopped functions have stored: their doses are in the water all the same. */
  recall(rows: readonly { controller_id: string; state: string }[]): void {
    for (const { controller_id, state } of rows) {
      if (this.#given.has(controller_id)) continue;
      const found = kept.safeParse(parsed(state)).data;
      if (found === undefined) continue;
      const { tanks, doses, ...times } = found;
      this.#given.set(controller_id, { tanks, doses: doses.map((dose) => ({ ...dose, ...times })) });
    }
  }
}

/** undefined for invalid JSON: what one controller stored must not stop another. */
function parsed(state: string): unknown {
  try {
    return JSON.parse(state);
  } catch {
    return undefined;
  }
}
