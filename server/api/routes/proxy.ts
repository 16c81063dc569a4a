import { proxyEndpoints } from '../../contract/proxy.ts';
import type { ProxyService } from '../../services/proxy/proxy.ts';
import type { Relayed } from '../../services/proxy/relay.ts';
import type { WmsProxy } from '../../services/proxy/wms.ts';
import { matchesEntityTag } from '../entity-tag.ts';
import { defineRoute, RawBytes, RawJson, Reply, type Route } from '../route.ts';

export interface ProxyServices {
  proxies: ProxyService;
  wms: WmsProxy;
}

export function proxyRoutes({ proxies, wms }: ProxyServices): Route[] {
  return [
    defineRoute(proxyEndpoints.radarMeta, async () => json(await proxies.radarMeta())),
    defineRoute(proxyEndpoints.radarTile, async ({ params, header }) => {
      const held = header('if-none-match');
      return picture(await proxies.radarTile(params, (etag) => matchesEntityTag(held, etag)), held);
    }),
    defineRoute(proxyEndpoints.soil, async ({ query }) => json(await proxies.soil(query))),
    defineRoute(proxyEndpoints.weather, async ({ query }) => json(await proxies.weather(query))),
    defineRoute(proxyEndpoints.weatherTile, async ({ params, header }) =>
      picture(await proxies.weatherTile(params), header('if-none-match')),
    ),
    defineRoute(proxyEndpoints.forecast, async ({ query }) => json(await proxies.forecast(query))),
    defineRoute(proxyEndpoints.wms, async ({ params, query, header }) =>
      picture(await wms.picture(params.wms_layer_id, query), header('if-none-match')),
    ),
    defineRoute(proxyEndpoints.wmsInfo, async ({ params, query }) => json(await wms.info(params.wms_layer_id, query))),
    defineRoute(proxyEndpoints.wmsCapabilities, ({ body }) => wms.capabilities(body)),
    defineRoute(proxyEndpoints.tile, async ({ query, header }) =>
      picture(await proxies.tile(query), header('if-none-match')),
    ),
  ];
}

function json(relayed: Relayed): Reply<RawJson> {
  return new Reply(200, new RawJson(relayed.body), ageHeaders(relayed));
}

function picture(relayed: Relayed, ifNoneMatch: string | undefined): Reply<RawBytes> {
  const headers = {
    ...ageHeaders(relayed),
    ETag: relayed.etag,
    'Cache-Control': relayed.source === 'stale' ? 'private, no-cache' : `private, max-age=${relayed.fresh_s}`,
  };
  if (matchesEntityTag(ifNoneMatch, relayed.etag)) return new Reply<RawBytes>(304, undefined, headers);
  return new Reply(200, new RawBytes(relayed.body, relayed.type), headers);
}

const cacheWords = { asked: 'MISS', kept: 'HIT', stale: 'STALE' } as const;

function ageHeaders({ source, age_s }: Relayed): Record<string, string> {
  return {
    Age: String(age_s),
    'X-Cache': cacheWords[source],
    ...(source === 'stale' && { Warning: '110 - "Response is Stale"' }),
  };
}
