/** Gives the time in epoch ms. */
export type Clock = () => number;

/** ISO 8601 in UTC with milliseconds, as times are stored and sent. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
