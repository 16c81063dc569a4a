import { siteFileEndpoints } from '../../contract/site-file.ts';
import type { SiteFileService } from '../../services/site-file/site-file.ts';
import { defineRoute, RawJson, type Route } from '../route.ts';

export function siteFileRoutes(siteFile: SiteFileService): Route[] {
  return [
    defineRoute(siteFileEndpoints.read, async ({ actor }) => new RawJson(await siteFile.read(actor))),
    defineRoute(siteFileEndpoints.schema, () => siteFile.schema()),
    defineRoute(siteFileEndpoints.take, ({ query, body, actor }) => siteFile.take(actor, body, query)),
  ];
}
