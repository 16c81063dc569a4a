import type { ComputeRequest, Material } from '../../contract/facility.ts';
import { studyPublications, studySources, type StudyResult } from '../../contract/study.ts';
import { calmVentilation_m3h } from '../capacity/compute.ts';
import { fanFlow_m3h } from '../capacity/cooling.ts';
import { readCovering } from '../capacity/covering.ts';
import type { SiteContext } from '../capacity/design.ts';
import { materials } from '../capacity/materials.ts';
import { houseGeometry } from '../geometry/house.ts';
import { carbonDioxideStudy } from './carbon-dioxide.ts';
import { resolveStudy } from './conditions.ts';
import { condensationStudy } from './condensation.ts';
import { evaporativeStudy } from './evaporative.ts';
import { coveringStudy } from './faces.ts';
import { balancesOf } from './hours.ts';
import { studied, type StudyHouse, type WeatherYear } from './house.ts';
import { humidityStudy } from './humidity.ts';
import { lightingStudy } from './lighting.ts';
import { loadStudy } from './structure.ts';
import { yearStudy } from './year.ts';

/**
 * What an engineer calculates beside the loads, over a year of weather. Throws UnknownMaterialError for a covering
 * outside `table`.
 */
export function studyHouse(
  request: ComputeRequest,
  year: WeatherYear,
  site: SiteContext = {},
  table: readonly Material[] = materials,
): StudyResult {
  const build = (asked: ComputeRequest): StudyHouse => houseOf(asked, site, table);
  const house = build(request);
  const hours = balancesOf(house, year);
  const { assumptions } = resolveStudy(request.design_conditions ?? {}, site, house.covering);
  return {
    year: yearStudy(house, hours),
    covering: coveringStudy(house, hours, { request, build, year }),
    condensation: condensationStudy(house, hours),
    humidity: humidityStudy(house, hours),
    evaporative: evaporativeStudy(house, year),
    carbon_dioxide: carbonDioxideStudy(house, hours),
    lighting: lightingStudy(house, year),
    structure: loadStudy(house),
    assumptions: { ...house.covering.assumptions, ...assumptions },
    sources: studySources,
    publications: studyPublications,
  };
}

function houseOf(request: ComputeRequest, site: SiteContext, table: readonly Material[]): StudyHouse {
  const covering = readCovering(request, table);
  return studied({
    geometry: houseGeometry(request),
    covering,
    conditions: resolveStudy(request.design_conditions ?? {}, site, covering).conditions,
    natural_m3h: calmVentilation_m3h(request),
    fan_m3h: fanFlow_m3h(request.fans ?? []),
  });
}
