import type { Cause } from '../../../contract/cause.ts';
import { commandSources, type CommandSource } from '../../../contract/output.ts';
import type { OutputValue } from '../../drivers/driver.ts';

/** One source's claim on a channel. Times are elapsed ms of the daemon's clock. */
export interface Claim {
  source: CommandSource;
  /** User, key or program. */
  actor: string;
  value: OutputValue;
  /** How long weaker claims wait: until a moment, until its release, or until the next command. */
  hold: number | 'released' | 'next_command';
  /** The requested end of the hold, epoch ms. */
  hold_until_ms?: number | undefined;
  /** When the value turns to off by itself. */
  ends_at: number | null;
  /** Minimum time off after this command's time on, s. */
  min_off_s?: number | undefined;
  reason?: string | undefined;
  cause?: Cause | undefined;
  /** Set while it has not acted and waits for what holds it back; absent once it acts. */
  kept?: Kept | undefined;
}

/** How a claim that could not act at once waits. */
interface Kept {
  /** How long it waits, elapsed ms; null for a standing demand without an end. */
  untilMs: number | null;
  /** Its time on, s, which begins when it acts. */
  duration_s?: number | undefined;
}

export type Standing = 'takes_effect' | 'waits';
/** All claims at one moment. */
export type Snapshot = ReadonlyMap<CommandSource, Claim>;

const rankOf = (source: CommandSource): number => commandSources.indexOf(source);

/**
 * The priority array of one channel: at most one claim a source; the strongest is in effect, weaker ones wait for its
 * end. Knows no device and no clock.
 */
export class PriorityArray {
  readonly #claims = new Map<CommandSource, Claim>();

  /**
   * Takes a command. A stronger claim that does not hold gives way; a claim without a hold of its own ends those that
   * waited below it.
   */
  submit(claim: Claim): Standing {
    const rank = rankOf(claim.source);
    for (const [source, other] of this.#claims) {
      const isStronger = rankOf(source) < rank;
      const givesWay = isStronger ? other.hold === 'next_command' : claim.hold === 'next_command';
      if (givesWay) this.#claims.delete(source);
    }
    this.#claims.set(claim.source, { ...claim });
    return this.effective()?.source === claim.source ? 'takes_effect' : 'waits';
  }

  /** Ends a source's claim; false when there was none. */
  release(source: CommandSource): boolean {
    return this.#claims.delete(source);
  }

  /**
   * Turns values off whose duration is over. Returns the claims that ended: holds that ran out, and those that waited
   * too long.
   */
  expire(elapsedMs: number): Claim[] {
    for (const claim of this.#claims.values()) {
      if (claim.ends_at === null || claim.ends_at > elapsedMs) continue;
      claim.value = 'off';
      claim.ends_at = null;
    }
    const isOver = (end: Claim['hold'] | null | undefined): boolean => typeof end === 'number' && end <= elapsedMs;
    const over = this.#ordered().filter(({ hold, kept }) => isOver(hold) || isOver(kept?.untilMs));
    for (const { source } of over) this.#claims.delete(source);
    return over;
  }

  /** The stronger claim for which a command of this source must wait. */
  above(source: CommandSource): Claim | undefined {
    return this.#ordered().find((one) => rankOf(one.source) < rankOf(source) && one.hold !== 'next_command');
  }

  kept(): Claim[] {
    return this.#ordered().filter(({ kept }) => kept !== undefined);
  }

  /** Turns the claim in effect off, as at the end of its time. */
  cut(): void {
    const claim = this.effective();
    if (claim === undefined) return;
    claim.value = 'off';
    claim.ends_at = null;
  }

  /** Ends every claim. */
  clear(): void {
    this.#claims.clear();
  }

  /** A copy of the claims; later changes do not reach it. */
  snapshot(): Snapshot {
    return new Map([...this.#claims].map(([source, claim]) => [source, { ...claim }]));
  }

  revert(snapshot: Snapshot): void {
    this.#claims.clear();
    for (const [source, claim] of snapshot) this.#claims.set(source, { ...claim });
  }

  effective(): Claim | undefined {
    return this.#ordered()[0];
  }

  /** The strongest waiting claim. */
  waiting(): Claim | undefined {
    return this.#ordered()[1];
  }

  of(source: CommandSource): Claim | undefined {
    return this.#claims.get(source);
  }

  /** When `expire` next changes something, elapsed ms; Infinity when nothing is timed. */
  nextChange(): number {
    const moments = [...this.#claims.values()].flatMap(({ hold, ends_at, kept }) => [hold, ends_at, kept?.untilMs]);
    return Math.min(...moments.filter((moment) => typeof moment === 'number'));
  }

  #ordered(): Claim[] {
    return [...this.#claims.values()].sort((a, b) => rankOf(a.source) - rankOf(b.source));
  }
}
