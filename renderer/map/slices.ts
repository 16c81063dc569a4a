const sliceMs = 8;

/** Runs a long piece of work between frames, which yields wherever it may rest. Returns what calls it off. */
export function runInSlices<Result>(work: Generator<void, Result>, done: (result: Result) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = (): void => {
    const until = performance.now() + sliceMs;
    let step = work.next();
    while (step.done !== true && performance.now() < until) step = work.next();
    if (step.done === true) done(step.value);
    else timer = setTimeout(go);
  };
  go();
  return () => clearTimeout(timer);
}
