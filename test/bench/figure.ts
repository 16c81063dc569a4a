/** What was measured, in the words and units of one row of the table. */
export interface Figure {
  what: string;
  value: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** The median with the least and the greatest. */
export function spread(values: readonly number[], unit: string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${Math.round(median(values))} ${unit} (${Math.round(low)} to ${Math.round(high)})`;
}
