import type { ComputeRequest } from '../../contract/facility.ts';
import type { StudyResult } from '../../contract/study.ts';
import type { SiteContext } from '../../domain/capacity/design.ts';
import { studyHouse } from '../../domain/study/study.ts';
import { weatherSource, yearAt } from '../../domain/study/weather-year.ts';
import { withKnownMaterials } from './check.ts';

export const studyTasks = {
  study: (_own: null, request: ComputeRequest, site: SiteContext): StudyResult =>
    withKnownMaterials(() => {
      const found = studyHouse(request, yearAt(site), site);
      return { ...found, assumptions: { weather: weatherSource(site), ...found.assumptions } };
    }),
};
export type StudyTasks = typeof studyTasks;
