import type { Assumptions, ComputeRequest, ComputeResult, ComputeWarning, Material } from '../../contract/facility.ts';
import { houseGeometry, resolveRidge, roofTypeOf, structureOf } from '../geometry/house.ts';
import { exposedHouse } from '../wind/faces.ts';
import { placeOpenings } from '../wind/openings.ts';
import { ventilate } from '../wind/ventilation.ts';
import { givenOpeningAssumptions, openingAssumptions } from '../wind/wind-assumptions.ts';
import { airHeatAt_j_m3k } from '../climate/air.ts';
import { coolingLoad, forcedVentilation, leastVentilation_m_s, outsideFilm_w_m2k } from './cooling.ts';
import { meanTransmission, readCovering, type Covering } from './covering.ts';
import { resolveDesign, type SiteContext } from './design.ts';
import { heatingLoad } from './heating.ts';
import { materials } from './materials.ts';
import { implausibilities, unusualDesign } from './plausibility.ts';
import { noteOf, type AssumptionNote } from '../../contract/assumption-note.ts';

/**
 * Volume, heating and cooling needs and ventilation of a house, with every term and assumption. Throws
 * UnknownMaterialError for a covering outside `table`.
 */
export function computeCapacity(
  request: ComputeRequest,
  site: SiteContext = {},
  table: readonly Material[] = materials,
): ComputeResult {
  const geometry = houseGeometry(request);
  const covering = readCovering(request, table);
  const design = resolveDesign(request.design_conditions ?? {}, site, covering);
  const { conditions } = design;
  const heating = heatingLoad(geometry, {
    indoor_c: conditions.heating_indoor_c,
    outdoor_c: conditions.heating_outdoor_c,
    ...meanTransmission(geometry, covering.night),
    air_changes_per_h: conditions.air_changes_per_h,
    wind_factor: conditions.wind_factor,
    elevation_m: conditions.elevation_m,
  });
  const cooling = coolingLoad(geometry, {
    ...covering,
    radiation_w_m2: conditions.radiation_w_m2,
    latent_share: conditions.latent_share,
    roof_u_w_m2k: covering.day.roof_u_w_m2k,
  });
  const ventilation = forcedVentilation(geometry, {
    cooling_kw: cooling.load_kw,
    rise_k: conditions.ventilation_rise_k,
    ...meanTransmission(geometry, covering.day),
    elevation_m: conditions.elevation_m,
    natural_m3h: calmVentilation_m3h(request),
    fans: request.fans ?? [],
  });
  return {
    area_m2: geometry.floor_area_m2,
    volume_m3: geometry.volume_m3,
    heating_load_kw: heating.load_kw,
    cooling_load_kw: cooling.load_kw,
    forced_ventilation_m3h: ventilation.forced_m3h,
    natural_ventilation_m3h: ventilation.natural_m3h,
    details: { geometry, heating, cooling, ventilation },
    assumptions: {
      ...shapeAssumptions(request),
      ...covering.assumptions,
      ...design.assumptions,
      ...methodAssumptions(conditions.elevation_m),
    },
    warnings: [
      ...implausibilities(request, geometry, site.drawn_area_m2),
      ...covering.warnings,
      ...design.warnings,
      ...thermalWarnings(covering, heating),
      ...unusualDesign(conditions, ventilation),
    ],
  };
}

/** Assumptions of the formulas for any house. */
const methodAssumptions = (elevation_m: number): Assumptions => ({
  air_heat_j_m3k: {
    value: airHeatAt_j_m3k(elevation_m),
    unit: 'J/m3K',
    source: 'default',
    ...noteOf('air_heat'),
  },
  outside_film_w_m2k: {
    value: outsideFilm_w_m2k,
    unit: 'W/m2K',
    source: 'default',
    ...noteOf('outside_film'),
  },
  least_ventilation_m_s: {
    value: leastVentilation_m_s,
    unit: 'm3/s m2',
    source: 'table',
    ...noteOf('least_ventilation'),
  },
  natural_ventilation: {
    value: '25 C, 20 C, 0 m/s',
    unit: null,
    source: 'default',
    ...noteOf('calm_ventilation'),
  },
});

/** The worst case of natural ventilation: no wind, 25 C inside, 20 C outside, everything open. */
export function calmVentilation_m3h(request: ComputeRequest): number {
  const geometry = houseGeometry(request);
  const house = exposedHouse(geometry, {
    ...request.envelope,
    bay_count: request.bay_count,
    roof: roofTypeOf(request.envelope),
    orientation_deg: 0,
  });
  const { openings } = placeOpenings(request.openings ?? [], geometry, request.envelope);
  const calm = { windSpeed_m_s: 0, windFrom_deg: 0, indoor_c: 25, outdoor_c: 20 };
  return ventilate(openings, house, calm).ventilation_m3h;
}

function shapeAssumptions(request: ComputeRequest): Assumptions {
  const { envelope } = request;
  const ridge = resolveRidge(envelope);
  const openings = request.openings ?? [];
  const notes: Assumptions = {};
  const derive = (name: string, value: string, note: AssumptionNote) => {
    notes[name] = { value, unit: null, source: 'derived', ...noteOf(note) };
  };
  if (!ridge.given) {
    derive('ridge_reference', ridge.reference, `ridge_from_${ridge.reference}`);
  }
  if (request.structure === undefined) {
    derive('structure', structureOf(request), 'connected_bays');
  }
  if (envelope.roof_type === undefined) {
    notes['roof_type'] = { value: 'gable', unit: null, source: 'default', ...noteOf('no_roof_type') };
  }
  return {
    ...notes,
    ...(openings.length === 0 ? openingAssumptions(houseGeometry(request)) : givenOpeningAssumptions({ openings })),
  };
}

function thermalWarnings(covering: Covering, heating: { indoor_c: number; outdoor_c: number }): ComputeWarning[] {
  const warnings: ComputeWarning[] = [];
  if (heating.outdoor_c >= heating.indoor_c) {
    const message = `It is not colder outside (${heating.outdoor_c} C) than inside (${heating.indoor_c} C): no heating load.`;
    warnings.push({ code: 'outdoor_not_below_indoor', message });
  }
  if (covering.curtainLayers > (covering.coverLayers > 1 ? 1 : 2)) {
    const message = 'The table of infiltration knows fewer curtain layers: its lowest figure was taken.';
    warnings.push({ code: 'curtain_layers_not_in_table', message });
  }
  return warnings;
}
