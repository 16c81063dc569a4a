import type { ApiKey } from '../../../server/contract/api-key.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

/** The state of a key at a time, epoch ms. */
export function keyStateOf(key: Pick<ApiKey, 'expires_at' | 'revoked_at'>, nowMs: number): KeyState {
  if (key.revoked_at !== null) return key.revoked_at === key.expires_at ? 'expired' : 'revoked';
  return key.expires_at !== null && Date.parse(key.expires_at) <= nowMs ? 'expired' : 'active';
}

export const lifetimes = ['never', 'month', 'quarter', 'year', 'date'] as const;
export type Lifetime = (typeof lifetimes)[number];

const days: Record<'month' | 'quarter' | 'year', number> = { month: 30, quarter: 90, year: 365 };
const dayMs = 86_400_000;

/**
 * When a key expires, ISO 8601; null for never. A date (`2026-03-01`) is valid to the end of that day, whose moment
 * `momentOf` finds in the site's zone; undefined when it is invalid or past.
 */
export function expiryOf(
  lifetime: Lifetime,
  date: string,
  nowMs: number,
  momentOf: (written: string) => string | null,
): string | null | undefined {
  if (lifetime === 'never') return null;
  if (lifetime !== 'date') return new Date(nowMs + days[lifetime] * dayMs).toISOString();
  const end = momentOf(`${date}T23:59:59`);
  return end === null || Date.parse(end) <= nowMs ? undefined : end;
}
