import { DriverError } from '../driver.ts';

/** Highest priority first: a device that is not fed falls safe, and a command may be one that leads to safety. */
const urgencies = ['feed', 'command', 'poll'] as const;
export type Urgency = (typeof urgencies)[number];

/**
 * A unit that left this many requests in a row unanswered loses its priority: its time-outs would starve the others.
 */
const silentAfter = 2;

interface Waiting {
  unit_id: number;
  urgency: Urgency;
  begin: () => void;
}

/** One request at a time, the most urgent first and among those the one that has waited longest. */
export class BusTurns {
  #waiting: Waiting[] = [];
  #isTaken = false;
  readonly #unanswered = new Map<number, number>();

  /** Runs `ask` when its turn comes, and returns its answer. */
  async take<Answer>(unit_id: number, urgency: Urgency, ask: () => Promise<Answer>): Promise<Answer> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ unit_id, urgency, begin });
      this.#next();
    });
    try {
      const answer = await ask();
      this.#unanswered.delete(unit_id);
      return answer;
    } catch (error) {
      this.#note(unit_id, error);
      throw error;
    } finally {
      this.#isTaken = false;
      this.#next();
    }
  }

  #next(): void {
    if (this.#isTaken) return;
    const ranks = this.#waiting.map((one) => this.#rankOf(one));
    const [next] = this.#waiting.splice(ranks.indexOf(Math.min(...ranks)), 1);
    if (next === undefined) return;
    this.#isTaken = true;
    next.begin();
  }

  #rankOf({ unit_id, urgency }: Waiting): number {
    const isSilent = (this.#unanswered.get(unit_id) ?? 0) >= silentAfter;
    return urgencies.indexOf(isSilent ? 'poll' : urgency);
  }

  #note(unit_id: number, error: unknown): void {
    if (!(error instanceof DriverError)) return;
    if (error.code === 'timed_out') this.#unanswered.set(unit_id, (this.#unanswered.get(unit_id) ?? 0) + 1);
    else if (error.code === 'refused') this.#unanswered.delete(unit_id);
  }
}
