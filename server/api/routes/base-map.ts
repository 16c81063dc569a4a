import { baseMapEndpoints } from '../../contract/base-map.ts';
import type { BaseMapService } from '../../services/base-map/base-map.ts';
import { matchesEntityTag } from '../entity-tag.ts';
import { defineRoute, RawBytes, Reply, type Route } from '../route.ts';

export function baseMapRoutes(baseMaps: BaseMapService): Route[] {
  return [
    defineRoute(baseMapEndpoints.list, () => ({ base_maps: baseMaps.list() })),
    defineRoute(baseMapEndpoints.tile, ({ params: { base_map_id, ...at }, header }) => {
      const { body, type, etag } = baseMaps.tile(base_map_id, at);
      const headers = { ETag: etag, 'Cache-Control': 'private, max-age=3600' };
      if (matchesEntityTag(header('if-none-match'), etag)) return new Reply<RawBytes>(304, undefined, headers);
      return new Reply(200, new RawBytes(body, type), headers);
    }),
  ];
}
