/** Index of the time nearest to `at` in an ascending list; -1 when the list is empty. */
export function nearestIndex(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [times[low - 1], times[low]];
  if (before !== undefined && after !== undefined && at - before < after - at) return low - 1;
  return low < times.length ? low : -1;
}
