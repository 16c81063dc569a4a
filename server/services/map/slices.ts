import type { Database } from '../../db/open.ts';

/** How a large change is written: in short transactions, each when it is its turn, between which others write. */
export interface Slices {
  /** A change of more features is a large one. */
  least: number;
  /** So long a transaction takes more work on, ms. */
  length_ms: number;
  /** Runs a write transaction when it may. */
  turn: <Result>(work: () => Result) => Result;
}

/** Ends with false in the first turn of which `goesOn` says so. */
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

/** Repeats a small piece of work until it says that there was nothing to do. */
export function untilDone(slices: Slices, work: () => boolean): void {
  const turn = (): boolean => {
    const until = performance.now() + slices.length_ms;
    while (work()) if (performance.now() >= until) return true;
    return false;
  };
  while (slices.turn(turn));
}

/** Of what nobody sees a power cut may take the last commits: one that is flushed takes all before it along. */
export function unflushed(db: Database, work: () => void): void {
  const before = Number(db.pragma('synchronous', { simple: true }));
  db.pragma('synchronous = NORMAL');
  try {
    work();
  } finally {
    db.pragma(`synchronous = ${before}`);
  }
}
