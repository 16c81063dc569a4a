import { climateEndpoints } from '../../contract/climate.ts';
import type { ClimateService } from '../../services/device/climate.ts';
import type { ClimateRehearsal } from '../../services/facility/rehearsal.ts';
import type { JobRunner } from '../../services/record/job.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface ClimateServices {
  climates: ClimateService;
  rehearsal: ClimateRehearsal;
  jobs: JobRunner;
}

/** The climate program of a house, addressed by the house. */
export function climateRoutes({ climates, rehearsal, jobs }: ClimateServices): Route[] {
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
    defineRoute(climateEndpoints.preview, ({ params, query }) => climates.preview(params.facility_uuid, query)),
    defineRoute(climateEndpoints.presets, () => ({ presets: climates.presets() })),
    defineRoute(climateEndpoints.history, ({ params }) => ({ changes: climates.history(params.facility_uuid) })),
    defineRoute(climateEndpoints.undo, ({ params, body, actor }) => climates.undo(actor, params.facility_uuid, body)),
    defineRoute(climateEndpoints.rehearse, ({ params, body, actor }) => {
      const work = rehearsal.begin(params.facility_uuid, body);
      const job_id = jobs.begin(actor, { kind: 'climate.rehearse', ...work });
      return new Reply(201, { job_id }, { Location: `/api/jobs/${job_id}` });
    }),
    defineRoute(climateEndpoints.previewChanged, ({ params, query, body }) =>
      climates.previewChanged(params.facility_uuid, body, query),
    ),
  ];
}
