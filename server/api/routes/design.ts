import { designEndpoints } from '../../contract/design.ts';
import type { DesignService } from '../../services/map/design.ts';
import { pageOf } from '../page.ts';
import { defineRoute, RawJson, Reply, type Route } from '../route.ts';

export function designRoutes(designs: DesignService): Route[] {
  return [
    defineRoute(designEndpoints.init, async ({ actor }) => {
      const made = await designs.init(actor);
      return new Reply(201, made, { 'Cache-Control': 'no-store', Location: `/api/geo/designs/${made.map_uuid}` });
    }),
    defineRoute(designEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(
        designs.list({ trash: query.trash ?? false }),
        query,
        ({ map_uuid }) => map_uuid,
      );
      return { designs: page, next_cursor };
    }),
    defineRoute(designEndpoints.get, async ({ params }) => new RawJson(await designs.get(params.map_uuid))),
    defineRoute(designEndpoints.sketch, async ({ params }) => new RawJson(await designs.sketch(params.map_uuid))),
    defineRoute(designEndpoints.save, async ({ query, body, actor }) => {
      const { isNew, map_uuid } = await designs.save(body, actor);
      const json = new RawJson(query.features === false ? designs.getBare(map_uuid) : await designs.get(map_uuid));
      return isNew ? new Reply(201, json, { Location: `/api/geo/designs/${map_uuid}` }) : json;
    }),
    defineRoute(designEndpoints.remove, ({ params, actor }) => designs.remove(params.map_uuid, actor)),
    defineRoute(
      designEndpoints.restore,
      async ({ params, actor }) => new RawJson(await designs.restore(params.map_uuid, actor)),
    ),
    defineRoute(designEndpoints.history, ({ params, query }) => designs.history(params.map_uuid, query)),
    defineRoute(
      designEndpoints.revision,
      async ({ params }) => new RawJson(await designs.revision(params.map_uuid, params.revision)),
    ),
    defineRoute(
      designEndpoints.restoreRevision,
      async ({ params, actor }) => new RawJson(await designs.restoreRevision(params.map_uuid, params.revision, actor)),
    ),
  ];
}
