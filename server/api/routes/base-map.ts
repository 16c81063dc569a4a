import { baseMapEndpoints } from '../../contract/base-map.ts';
import type { BaseMapService } from '../../services/base-map/base-map.ts';
import type { BaseMapUpload } from '../../services/base-map/upload.ts';
import { matchesEntityTag } from '../entity-tag.ts';
import { defineFileRoute, defineRoute, RawBytes, Reply, type Route } from '../route.ts';

export interface BaseMapServices {
  baseMaps: BaseMapService;
  baseMapUpload: BaseMapUpload;
}

export function baseMapRoutes({ baseMaps, baseMapUpload }: BaseMapServices): Route[] {
  return [
    defineRoute(baseMapEndpoints.list, async () => ({ base_maps: await baseMaps.list() })),
    defineFileRoute(baseMapEndpoints.upload, ({ query, body: { file }, actor }) =>
      baseMapUpload.receive(query, typeof file === 'string' ? Buffer.from(file) : file, actor),
    ),
    defineRoute(baseMapEndpoints.remove, ({ params, actor }) => baseMaps.remove(params.base_map_id, actor)),
    defineRoute(baseMapEndpoints.tile, async ({ params: { base_map_id, ...at }, header }) =>
      tileReply(await baseMaps.tile(base_map_id, at), header('if-none-match')),
    ),
    defineRoute(baseMapEndpoints.vectorTile, async ({ params: { base_map_id, ...at }, header }) =>
      tileReply(await baseMaps.vectorTile(base_map_id, at), header('if-none-match')),
    ),
  ];
}

function tileReply(
  { body, type, etag }: { body: Buffer; type: string; etag: string },
  ifNoneMatch: string | undefined,
): Reply<RawBytes> {
  const headers = { ETag: etag, 'Cache-Control': 'private, max-age=3600' };
  if (matchesEntityTag(ifNoneMatch, etag)) return new Reply<RawBytes>(304, undefined, headers);
  return new Reply(200, new RawBytes(body, type), headers);
}
