import type { QueryOf } from '../contract/endpoint.ts';
import { forecastAnswer, type proxyEndpoints } from '../contract/proxy.ts';
import { dayMs, minuteMs, pathOf, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

/** With a key it goes to the service for customers. */
export function forecastQuestion(
  { openmeteo, openmeteo_customer }: Upstreams,
  query: QueryOf<typeof proxyEndpoints.forecast>,
  key: string | undefined,
): ProviderQuestion {
  return {
    upstream: key === undefined ? openmeteo : openmeteo_customer,
    path: pathOf('/v1/forecast', query),
    ...(key !== undefined && { credentials: { query: { apikey: key } } }),
    expects: forecastAnswer,
    fresh_ms: 15 * minuteMs,
    keep_ms: 3 * dayMs,
  };
}
