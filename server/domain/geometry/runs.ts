/** Runs of ones in a row of cells: where each begins, and how many they are. */
export function* runsOf(row: Uint8Array): Generator<{ from: number; length: number }> {
  for (let from = row.indexOf(1); from !== -1;) {
    const gap = row.indexOf(0, from);
    const end = gap === -1 ? row.length : gap;
    yield { from, length: end - from };
    from = gap === -1 ? -1 : row.indexOf(1, end);
  }
}
