import type { Database } from '../../db/open.ts';

/** How a large change is written: in short transactions, each in its turn, between which others write. */
export interface Slices {
  /** A change of more features is a large one. */
  least: number;
  /** How long a transaction takes on more work, ms. */
  length_ms: number;
  /** Runs a write transaction in its turn. */
  turn: <Result>(work: () => Result) => Result;
}

/** Ends with false in the first turn in which `goesOn` is false. */
export function inSlices<Item>(
  slices: Slices,
  items: Iterable<Item>,
  { write, goesOn = () => true }: { write: (item: Item) => void; goesOn?: () => boolean },
): boolean {
  const left = items[Symbol.iterator]();
  let next = left.next();
  while (next.done !== true) {
    const isEnded = slices.turn(() => {
      if (!goesOn()) return true;
      const until = performance.now() + slices.length_ms;
      do {
        write(next.value as Item); // not done
        next = left.next();
      } while (next.done !== true && performance.now() < until);
      return false;
    });
    if (isEnded) return false;
  }
  return true;
}

/** Repeats a small piece of work until it returns that nothing is left. */
export function untilDone(slices: Slices, work: () => boolean): void {
  const turn = (): boolean => {
    const until = performance.now() + slices.length_ms;
    while (work()) if (performance.now() >= until) return true;
    return false;
  };
  while (slices.turn(turn));
}

/**
 * For writes that are not visible yet: a power cut may lose the last of them. A later flushed commit makes them durable
 * too.
 */
export function unflushed(db: Database, work: () => void): void {
  const before = Number(db.pragma('synchronous', { simple: true }));
  db.pragma('synchronous = NORMAL');
  try {
    work();
  } finally {
    db.pragma(`synchronous = ${before}`);
  }
}
