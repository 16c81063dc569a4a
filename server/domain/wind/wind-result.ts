import type {
  Assumptions,
  Facility,
  GeometryTerms,
  WindOpening,
  WindQuery,
  WindResult,
  WindRose,
  WindRoseQuery,
} from '../../contract/facility.ts';
import { roseDirections } from '../../contract/facility-capacity.ts';
import { pressureAt_pa } from '../climate/air.ts';
import { houseGeometry, roofTypeOf } from '../geometry/house.ts';
import { exposedHouse, faceAzimuth_deg, type ExposedHouse } from './faces.ts';
import { placeOpenings, type PlacedOpening } from './openings.ts';
import { ventilate, type Flows } from './ventilation.ts';
import {
  assumed,
  givenOpeningAssumptions,
  openingAssumptions,
  orientationAssumption,
  roofAssumptions,
} from './wind-assumptions.ts';
import { noteOf } from '../../contract/assumption-note.ts';

/** The parts of a facility that the wind answer uses. */
export type WindHouse = Pick<Facility, 'envelope' | 'bay_count' | 'structure' | 'openings'> &
  Partial<Pick<Facility, 'design_conditions'>> & { view_3d?: Partial<Facility['view_3d']> | undefined };

export interface WindContext {
  /** Long axis of the shape on the map, degrees clockwise from north: for a house without an orientation. */
  axis_deg?: number | undefined;
  /** Height of the site above the sea, m, for a house without its own. */
  elevation_m?: number | undefined;
  /** Good live readings, null when there is none. */
  live?: { indoor_c: number | null; outdoor_c: number | null } | undefined;
}

const method =
  'One zone, orifice flow, mass balance by bisection. Walls: Swami & Chandra 1987. Roofs: AIVC guide, Liddament 1996, ' +
  'blended between the classes of pitch and plan. Each opening by itself: roof vents Boulard & Baille 1995, walls Brown & ' +
  'Solvason 1962 with BS 5925:1991; the larger of both counts.';

/** A house with its openings and air, ready for any wind. */
interface WindCase {
  geometry: GeometryTerms;
  house: ExposedHouse;
  openings: PlacedOpening[];
  temperatures: { indoor_c: number; outdoor_c: number };
  pressure_pa: number;
  source: WindResult['source'];
  assumptions: Assumptions;
}

function windCase(
  facility: WindHouse,
  query: Omit<WindRoseQuery, 'speed_step' | 'speed_count'>,
  context: WindContext,
): WindCase {
  const geometry = houseGeometry(facility);
  const house = exposed(facility, geometry, context);
  const air = airTemperatures(query, context);
  const placed = placeOpenings(facility.openings, geometry, facility.envelope);
  const share = (query.opening_pct ?? 100) / 100;
  return {
    geometry,
    house,
    openings: placed.openings.map((one) => ({ ...one, area_m2: one.area_m2 * share })),
    temperatures: air.temperatures,
    source: air.source,
    pressure_pa: pressureAt_pa(facility.design_conditions?.elevation_m ?? context.elevation_m ?? 0),
    assumptions: {
      ...(placed.assumed ? openingAssumptions(geometry) : givenOpeningAssumptions(facility)),
      ...orientationAssumption(facility.view_3d?.orientation_deg, context.axis_deg),
      ...air.assumptions,
      ...roofAssumptions(house),
      ...(query.opening_pct === undefined ? { opening_pct: assumed(100, '%', 'fully_open') } : {}),
    },
  };
}

function blow(one: WindCase, windSpeed_m_s: number, windFrom_deg: number): Flows {
  return ventilate(one.openings, one.house, {
    windSpeed_m_s,
    windFrom_deg,
    ...one.temperatures,
    pressure_pa: one.pressure_pa,
  });
}

/** Natural ventilation of a facility in a given wind. */
export function windResult(facility: WindHouse, query: WindQuery, context: WindContext = {}): WindResult {
  const one = windCase(facility, query, context);
  const flows = blow(one, query.wind_speed, query.wind_dir);
  return {
    ventilation_m3h: flows.ventilation_m3h,
    air_changes_per_h: flows.ventilation_m3h / one.geometry.volume_m3,
    internal_pressure_pa: flows.internalPressure_pa,
    openings: one.openings.map((opening, index) => describe(opening, index, { flows, house: one.house })),
    balance_error_m3h: Math.abs(flows.flows_m3h.reduce((total, flow) => total + flow, 0)),
    method,
    source: one.source,
    assumptions: {
      ...one.assumptions,
      ...(query.wind_speed === 0 ? { cp: assumed(0, null, 'calm') } : {}),
    },
  };
}

/** Natural ventilation in every wind: by direction in steps of ten degrees, then by speed. */
export function windRose(facility: WindHouse, query: WindRoseQuery, context: WindContext = {}): WindRose {
  const one = windCase(facility, query, context);
  const { speed_step = 1, speed_count = 10 } = query;
  const directions_deg = Array.from({ length: roseDirections }, (_, index) => (index * 360) / roseDirections);
  const speeds_m_s = Array.from({ length: speed_count }, (_, index) => (index + 1) * speed_step);
  return {
    directions_deg,
    speeds_m_s,
    ventilation_m3h: directions_deg.map((from) => speeds_m_s.map((speed) => blow(one, speed, from).ventilation_m3h)),
    volume_m3: one.geometry.volume_m3,
    orientation_deg: ((one.house.orientation_deg % 360) + 360) % 360,
    source: one.source,
    assumptions: one.assumptions,
  };
}

function exposed(facility: WindHouse, geometry: GeometryTerms, context: WindContext): ExposedHouse {
  return exposedHouse(geometry, {
    bay_width_m: facility.envelope.bay_width_m,
    length_m: facility.envelope.length_m,
    bay_count: facility.bay_count,
    roof: roofTypeOf(facility.envelope),
    orientation_deg: facility.view_3d?.orientation_deg ?? context.axis_deg ?? 0,
  });
}

function describe(one: PlacedOpening, index: number, at: { flows: Flows; house: ExposedHouse }): WindOpening {
  const flow_m3h = at.flows.flows_m3h[index] ?? 0;
  const exchange_m3h = at.flows.exchanges_m3h[index] ?? 0;
  return {
    id: one.id,
    face: one.face,
    world_azimuth_deg: faceAzimuth_deg(one.face, at.house.orientation_deg),
    cp: at.flows.coefficients[index] ?? 0,
    pressure_pa: at.flows.pressures_pa[index] ?? 0,
    area_m2: one.area_m2,
    flow_m3h,
    exchange_m3h,
    direction: exchange_m3h > Math.abs(flow_m3h) ? 'both' : flow_m3h > 0 ? 'in' : flow_m3h < 0 ? 'out' : 'none',
  };
}

/**
 * The query's, else good live readings of both, else 20 C inside and outside; a mixture is rated by its weakest part.
 */
function airTemperatures(query: Pick<WindQuery, 'indoor_temp' | 'outdoor_temp'>, context: WindContext) {
  const pick = (asked: number | undefined, live: number | null | undefined) =>
    asked !== undefined
      ? { value: asked, source: 'query' as const }
      : live != null
        ? { value: live, source: 'live' as const }
        : { value: 20, source: 'default' as const };
  const indoor = pick(query.indoor_temp, context.live?.indoor_c);
  const outdoor = pick(query.outdoor_temp, context.live?.outdoor_c);
  const order = ['default', 'live', 'query'] as const;
  const source = order.find((one) => indoor.source === one || outdoor.source === one) ?? 'default';
  return {
    temperatures: { indoor_c: indoor.value, outdoor_c: outdoor.value },
    source,
    assumptions: { ...temperatureNote('indoor_temp', indoor), ...temperatureNote('outdoor_temp', outdoor) },
  };
}

function temperatureNote(name: string, taken: { value: number; source: 'query' | 'live' | 'default' }): Assumptions {
  if (taken.source === 'query') return {};
  const why = noteOf(taken.source === 'live' ? 'last_reading' : 'no_reading');
  return { [name]: { value: taken.value, unit: 'C', source: taken.source, ...why } };
}
