/** What was measured, in the words and units of one row of the table. */
export interface Figure {
  what: string;
  value: string;
  /** What the product promises of it: the bench fails when `measured` is above `most`. */
  limit?: { measured: number; most: number; unit: string };
}

/** Also of what could not be measured. */
export const isBeyond = ({ limit }: Figure): boolean => limit !== undefined && !(limit.measured <= limit.most);

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value that so many percent of them do not reach. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

/** The median with the least and the greatest. */
export function spread(values: readonly number[], unit: string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${Math.round(median(values))} ${unit} (${Math.round(low)} to ${Math.round(high)})`;
}
