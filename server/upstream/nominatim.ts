import { z } from 'zod';
import { dayMs, pathOf, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

const decimal = z.coerce.number();
export const nominatimPlaces = z.array(
  z.looseObject({ lat: decimal, lon: decimal, display_name: z.string().optional() }),
);

/**
 * Where an address is. The usage policy asks to keep answers, and for at most one request a second (`upstreams.ts`).
 */
export function nominatimQuestion({ nominatim }: Pick<Upstreams, 'nominatim'>, address: string): ProviderQuestion {
  const path = pathOf('/search', { q: address, format: 'jsonv2', limit: 3 });
  const kept = { fresh_ms: 30 * dayMs, keep_ms: 90 * dayMs };
  return { upstream: nominatim, path, expects: nominatimPlaces, limit_ms: 5_000, ...kept };
}
