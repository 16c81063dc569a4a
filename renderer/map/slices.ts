import { isPageHidden } from '../client/page-sight.ts';

const sliceMs = 8;

export interface SlicedWork {
  /** Calls it off. */
  stop: () => void;
  /** Does the rest of it at once. */
  finish: () => void;
}

/** Runs a long piece of work between frames, which yields wherever it may rest. */
export function runInSlices<Result>(work: Generator<void, Result>, done: (result: Result) => void): SlicedWork {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const go = (until: number): void => {
    let step = work.next();
    while (step.done !== true && (performance.now() < until || isPageHidden())) step = work.next();
    if (step.done !== true) timer = setTimeout(() => go(performance.now() + sliceMs));
    else {
      isOver = true;
      done(step.value);
    }
  };
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const finish = (): void => {
    clearTimeout(timer);
    if (!isOver) go(Infinity);
  };
  go(performance.now() + sliceMs);
  return { stop, finish };
}

/** The result of such work, done without rests. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** The result of such work, once it is done; rejects with the reason of the signal where that calls it off. */
export function inSlices<Result>(work: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const { stop } = runInSlices(work, resolve);
    signal?.addEventListener('abort', () => {
      stop();
      reject(signal.reason as Error); // an AbortError, unless another was given
    });
  });
}

const run = 1_000;

/** As `toSorted` has it, with rests. */
export function* sortedInSlices<Item extends object>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += run) {
    runs.push(items.slice(at, at + run).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item extends object>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  const merged: Item[] = [];
  let [ofA, ofB] = [0, 0];
  for (let [one, other] = [a[0], b[0]]; one !== undefined && other !== undefined; [one, other] = [a[ofA], b[ofB]]) {
    const isFirst = compare(one, other) <= 0;
    merged.push(isFirst ? one : other);
    if (isFirst) ofA += 1;
    else ofB += 1;
    if (merged.length % run === 0) yield;
  }
  return merged.concat(a.slice(ofA), b.slice(ofB));
}
