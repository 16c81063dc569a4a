import type { QueryOf } from '../contract/endpoint.ts';
import { soilAnswer, type proxyEndpoints } from '../contract/proxy.ts';
import { dayMs, pathOf, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

/** Soil changes over decades, the model over years. */
export function soilQuestion({ isric }: Upstreams, query: QueryOf<typeof proxyEndpoints.soil>): ProviderQuestion {
  // SoilGrids has cells of 250 m; rounding to 100 m lets a second click nearby use the same answer.
  const [lon, lat] = [query.lon.toFixed(3), query.lat.toFixed(3)];
  const path = pathOf('/soilgrids/v2.0/properties/query', { ...query, lon, lat });
  return { upstream: isric, path, expects: soilAnswer, fresh_ms: 30 * dayMs, keep_ms: 365 * dayMs };
}
