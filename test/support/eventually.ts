import { vi } from 'vitest';

/** Retries until it holds. A busy machine may be slow to get there: how long it takes proves nothing. */
export function eventually<Value>(holds: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(holds, { timeout: 25_000, interval: 20 });
}
