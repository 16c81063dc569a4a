/**
 * How many calls of a kind one caller may make a minute. Each kind counts separately, so that no other calls ever block
 * stopping, releasing, going safe and acknowledging.
 */
export const budgets = {
  /** Stops, releases, drives to the safe side, acknowledges. */
  safety: 600,
  /** Makes a device do something. */
  command: 600,
  /** Calculates and saves nothing. */
  calculation: 600,
  /** Adds what was measured elsewhere. */
  sample: 6_000,
  /** Changes what is stored. */
  change: 600,
  /** Tries a password or a token. */
  login: 20,
  /** Reads without a login: the pages, public calls, and calls refused for want of a login. */
  stranger: 6_000,
  /** Asks whether the service is up. */
  health: 600,
} as const;
export type Budget = keyof typeof budgets;
