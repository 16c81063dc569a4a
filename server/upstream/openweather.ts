import type { ParamsOf, QueryOf } from '../contract/endpoint.ts';
import { weatherNow, type proxyEndpoints } from '../contract/proxy.ts';
import { dayMs, hourMs, minuteMs, pathOf, type ProviderQuestion } from './question.ts';
import type { Upstreams } from './upstreams.ts';

export function weatherQuestion(
  { openweather }: Upstreams,
  query: QueryOf<typeof proxyEndpoints.weather>,
  key: string,
): ProviderQuestion {
  const path = pathOf('/data/2.5/weather', query);
  return {
    upstream: openweather,
    path,
    credentials: { query: { appid: key } },
    expects: weatherNow,
    fresh_ms: 10 * minuteMs,
    keep_ms: dayMs,
  };
}

export function weatherTileQuestion(
  { openweather_tiles }: Upstreams,
  { layer, z, x, y }: ParamsOf<typeof proxyEndpoints.weatherTile>,
  key: string,
): ProviderQuestion {
  return {
    upstream: openweather_tiles,
    path: `/map/${layer}/${z}/${x}/${y}.png`,
    credentials: { query: { appid: key } },
    expects: 'picture',
    fresh_ms: 30 * minuteMs,
    keep_ms: 6 * hourMs,
  };
}
