import { climateEndpoints } from '../../contract/climate.ts';
import type { ClimateService } from '../../services/device/climate.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

/** The climate program of a house, by the house. */
export function climateRoutes(climates: ClimateService): Route[] {
  return [
    defineRoute(climateEndpoints.ofHouse, ({ params }) => climates.ofHouse(params.facility_uuid)),
    defineRoute(climateEndpoints.save, async ({ params, body, actor }) => {
      const { program, isMade } = await climates.save(actor, params.facility_uuid, body);
      if (!isMade) return program;
      return new Reply(201, program, { Location: `/api/geo/facility/${params.facility_uuid}/climate` });
    }),
    defineRoute(climateEndpoints.clear, async ({ params, actor }) => {
      const unique_id = await climates.clear(actor, params.facility_uuid);
      return { unique_id, deleted: true as const };
    }),
    defineRoute(climateEndpoints.live, ({ params }) => climates.live(params.facility_uuid)),
    defineRoute(climateEndpoints.preview, ({ params, query }) => climates.preview(params.facility_uuid, query.hours)),
    defineRoute(climateEndpoints.previewChanged, ({ params, body }) =>
      climates.previewChanged(params.facility_uuid, body),
    ),
  ];
}
