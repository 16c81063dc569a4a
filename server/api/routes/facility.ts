import { facilityEndpoints } from '../../contract/facility-endpoints.ts';
import { houseSimulationEndpoints } from '../../contract/house-simulation.ts';
import { studyEndpoints } from '../../contract/study.ts';
import { weatherFileEndpoints } from '../../contract/weather-file.ts';
import type { FacilityApply } from '../../services/facility/apply.ts';
import { listMaterials, type FacilityCapacity } from '../../services/facility/capacity.ts';
import type { FacilityRuntime } from '../../services/facility/runtime.ts';
import type { HouseSimulations } from '../../services/facility/simulation.ts';
import type { FacilityStudy } from '../../services/facility/study.ts';
import type { FacilityService } from '../../services/facility/facility.ts';
import type { WeatherFiles } from '../../services/facility/weather-files.ts';
import { matchesEntityTag } from '../entity-tag.ts';
import { pageOf } from '../page.ts';
import { defineFileRoute, defineRoute, RawJson, Reply, type Route } from '../route.ts';

export interface FacilityServices {
  facilities: FacilityService;
  runtime: FacilityRuntime;
  apply: FacilityApply;
  capacity: FacilityCapacity;
  study: FacilityStudy;
  weatherFiles: WeatherFiles;
  simulations: HouseSimulations;
}

export function facilityRoutes(services: FacilityServices): Route[] {
  return [
    ...settingRoutes(services),
    ...weatherRoutes(services),
    ...liveRoutes(services),
    ...simulationRoutes(services),
  ];
}

function settingRoutes({ facilities, capacity, study }: FacilityServices): Route[] {
  return [
    defineRoute(facilityEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(facilities.list(query), query, ({ unique_id }) => unique_id);
      return { facilities: page, next_cursor };
    }),
    defineRoute(facilityEndpoints.get, ({ params }) => facilities.get(params.facility_uuid)),
    defineRoute(facilityEndpoints.save, ({ body, actor }) => {
      const { facility, created } = facilities.save(actor, body);
      if (!created) return facility;
      return new Reply(201, facility, { Location: `/api/geo/facility/${facility.unique_id}` });
    }),
    defineRoute(facilityEndpoints.remove, ({ params, actor }) => {
      facilities.remove(actor, params.facility_uuid);
      return { unique_id: params.facility_uuid, deleted: true as const };
    }),
    defineRoute(facilityEndpoints.restore, ({ params, actor }) => facilities.restore(actor, params.facility_uuid)),
    defineRoute(facilityEndpoints.compute, ({ body }) => capacity.compute(body)),
    defineRoute(studyEndpoints.study, ({ body }) => study.study(body)),
    defineRoute(facilityEndpoints.materials, () => ({ materials: listMaterials() })),
  ];
}

function weatherRoutes({ weatherFiles }: FacilityServices): Route[] {
  return [
    defineRoute(weatherFileEndpoints.list, async () => ({ weather_files: await weatherFiles.list() })),
    defineFileRoute(weatherFileEndpoints.save, ({ params, body, actor }) =>
      weatherFiles.save(actor, params.name, body.file),
    ),
    defineRoute(weatherFileEndpoints.remove, async ({ params, actor }) => {
      await weatherFiles.remove(actor, params.name);
      return { name: params.name, deleted: true as const };
    }),
  ];
}

function simulationRoutes({ simulations }: FacilityServices): Route[] {
  const { get, create, change, remove } = houseSimulationEndpoints;
  return [
    defineRoute(get, ({ params }) => simulations.get(params.facility_uuid)),
    defineRoute(create, ({ params, body, actor }) => simulations.create(actor, params.facility_uuid, body)),
    defineRoute(change, ({ params, body, actor }) => simulations.change(actor, params.facility_uuid, body)),
    defineRoute(remove, ({ params, actor }) => simulations.remove(actor, params.facility_uuid)),
  ];
}

function liveRoutes({ runtime, apply }: FacilityServices): Route[] {
  return [
    defineRoute(facilityEndpoints.integration, ({ params }) => runtime.integration(params.facility_uuid)),
    defineRoute(facilityEndpoints.runtime, ({ params, header }) => {
      const { etag, json } = runtime.runtime(params.facility_uuid);
      if (matchesEntityTag(header('if-none-match'), etag)) return new Reply<RawJson>(304, undefined, { ETag: etag });
      return new Reply(200, new RawJson(json), { ETag: etag });
    }),
    defineRoute(facilityEndpoints.wind, ({ params, query }) => runtime.wind(params.facility_uuid, query)),
    defineRoute(facilityEndpoints.windRose, ({ params, query }) => runtime.windRose(params.facility_uuid, query)),
    defineRoute(facilityEndpoints.apply, ({ params, body, actor }) =>
      apply.apply(actor, params.facility_uuid, body.actions),
    ),
  ];
}
