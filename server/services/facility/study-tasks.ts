import type { ComputeRequest } from '../../contract/facility.ts';
import type { StudyResult } from '../../contract/study.ts';
import type { SiteContext } from '../../domain/capacity/design.ts';
import { studyHouse } from '../../domain/study/study.ts';
import { weatherSource, yearAt } from '../../domain/study/weather-year.ts';
import { withKnownMaterials } from './check.ts';

export const studyTasks = {
  study: (_own: null, request: ComputeRequest, site: SiteContext): StudyResult =>
    withKnownMaterials(() => {
      const elevation_m = request.design_conditions?.elevation_m ?? site.design_conditions?.elevation_m;
      const place = { lat: site.lat, lng: site.lng, elevation_m };
      const found = studyHouse(request, yearAt(place), site);
      return { ...found, assumptions: { weather: weatherSource(place), ...found.assumptions } };
    }),
};
export type StudyTasks = typeof studyTasks;
