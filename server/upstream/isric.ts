import type { QueryOf } from '../contract/endpoint.ts';
import { soilAnswer, type proxyEndpoints } from '../contract/proxy.ts';
import { dayMs, pathOf, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

/** Soil changes by the decade, the model by the year. */
export function soilQuestion({ isric }: Upstreams, query: QueryOf<typeof proxyEndpoints.soil>): ProviderQuestion {
  // SoilGrids has cells of 250 m; rounded to 100 m a second click nearby asks nothing.
  const [lon, lat] = [query.lon.toFixed(3), query.lat.toFixed(3)];
  const path = pathOf('/soilgrids/v2.0/properties/query', { ...query, lon, lat });
  return { upstream: isric, path, expects: soilAnswer, fresh_ms: 30 * dayMs, keep_ms: 365 * dayMs };
}
