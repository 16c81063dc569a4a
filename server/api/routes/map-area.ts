import { mapAreaEndpoints } from '../../contract/map-area.ts';
import type { AreaDownloads } from '../../services/base-map/area-download.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface MapAreaServices {
  areaDownloads: AreaDownloads;
}

export function mapAreaRoutes({ areaDownloads }: MapAreaServices): Route[] {
  return [
    defineRoute(mapAreaEndpoints.list, () => ({ downloads: areaDownloads.list() })),
    defineRoute(mapAreaEndpoints.estimate, ({ body }) => areaDownloads.estimate(body)),
    defineRoute(
      mapAreaEndpoints.begin,
      async ({ body, actor }) => new Reply(201, await areaDownloads.begin(body, actor)),
    ),
    defineRoute(
      mapAreaEndpoints.complete,
      async ({ params, actor }) => new Reply(201, await areaDownloads.complete(params.base_map_id, actor)),
    ),
    defineRoute(mapAreaEndpoints.pause, ({ params, actor }) => areaDownloads.pause(params.base_map_id, actor)),
    defineRoute(mapAreaEndpoints.resume, ({ params, actor }) => areaDownloads.resume(params.base_map_id, actor)),
    defineRoute(mapAreaEndpoints.cancel, ({ params, actor }) => areaDownloads.cancel(params.base_map_id, actor)),
  ];
}
