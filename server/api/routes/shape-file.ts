import { shapeFileEndpoints } from '../../contract/shape-file.ts';
import type { ShapeFileService } from '../../services/map/shape-file.ts';
import { defineFileRoute, defineRoute, RawBytes, RawJson, Reply, type Route } from '../route.ts';

export function shapeFileRoutes(shapeFiles: ShapeFileService): Route[] {
  return [
    defineFileRoute(
      shapeFileEndpoints.read,
      async ({ query, body }) => new RawJson(await shapeFiles.read(body.file, query.crs)),
    ),
    defineRoute(shapeFileEndpoints.shapefile, async ({ params, query: { crs, revision } }) => {
      const bytes = await shapeFiles.write('shapefile', { ...params, crs, revision });
      return new Reply(200, new RawBytes(bytes, 'application/zip'), named('map.zip'));
    }),
    defineRoute(shapeFileEndpoints.geopackage, async ({ params, query: { crs, revision } }) => {
      const bytes = await shapeFiles.write('geopackage', { ...params, crs, revision });
      return new Reply(200, new RawBytes(bytes, 'application/geopackage+sqlite3'), named('map.gpkg'));
    }),
  ];
}

function named(name: string): Record<string, string> {
  return { 'Content-Disposition': `attachment; filename="${name}"` };
}
