import type { Assumption, Assumptions, ComputeWarning, DesignConditions } from '../../contract/facility.ts';
import type { conditionGroups } from '../../contract/envelope.ts';
import { infiltration } from './heating.ts';
import { designRadiation_w_m2, estimatedColdest_c } from './site-climate.ts';
import { nearestStation } from './stations.ts';
import { noteOf, type AssumptionNote } from '../../contract/assumption-note.ts';

/** What a service knows of the site beside the request. */
export interface SiteContext {
  /** Location in degrees; both or none. */
  lat?: number | undefined;
  lng?: number | undefined;
  /** Design conditions of the site's settings. */
  design_conditions?: DesignConditions | undefined;
  /** Area of the house's drawn shape, m2. */
  drawn_area_m2?: number | undefined;
}

export interface Design {
  conditions: DesignValues;
  assumptions: Assumptions;
  warnings: ComputeWarning[];
}

type ConditionName = (typeof conditionGroups)['loads'][number];
export type DesignValues = Record<ConditionName, number>;

type Taken = Omit<Assumption, 'unit' | 'value'> & { value: number };

/** Usual near Korean stations, and for an unknown location. */
const usualRadiation_w_m2 = 850;
/** Default when no data says how cold it gets, C. */
const unknownOutdoor_c = -10;

const units: Record<ConditionName, string | null> = {
  heating_indoor_c: 'C',
  heating_outdoor_c: 'C',
  air_changes_per_h: '1/h',
  wind_factor: null,
  radiation_w_m2: 'W/m2',
  latent_share: null,
  ventilation_rise_k: 'K',
  elevation_m: 'm',
};

/**
 * The design conditions: the request's, else the site's, else those of the location (outdoor temperature, radiation)
 * and documented defaults. Each one that is not in the request is listed in the assumptions.
 */
export function resolveDesign(
  asked: DesignConditions,
  site: SiteContext,
  layers: { coverLayers: number; curtainLayers: number },
): Design {
  const assumptions: Assumptions = {};
  const take = (name: ConditionName, fallback: () => Taken): number => {
    const own = asked[name];
    if (own !== undefined) return own;
    const ofSite = site.design_conditions?.[name];
    const taken = ofSite === undefined ? fallback() : { value: ofSite, source: 'site' as const, ...noteOf('of_site') };
    assumptions[name] = { unit: units[name], ...taken };
    return taken.value;
  };
  const elevation_m = asked.elevation_m ?? site.design_conditions?.elevation_m;
  const place = placeOf(site, elevation_m);
  const usual = (value: number, note: AssumptionNote) => () => ({
    value,
    source: 'default' as const,
    ...noteOf(note),
  });
  const conditions = {
    heating_indoor_c: take('heating_indoor_c', usual(15, 'crop_minimum')),
    heating_outdoor_c: take('heating_outdoor_c', () => outdoorOf(place)),
    air_changes_per_h: take('air_changes_per_h', () => ({
      value: infiltration(layers.coverLayers, layers.curtainLayers),
      source: 'table',
      ...noteOf('cover_layers'),
    })),
    wind_factor: take('wind_factor', usual(1, 'sheltered')),
    radiation_w_m2: take('radiation_w_m2', () => radiationOf(place)),
    latent_share: take('latent_share', usual(0.5, 'full_canopy')),
    ventilation_rise_k: take('ventilation_rise_k', usual(5, 'usual')),
    elevation_m: take('elevation_m', usual(0, 'sea_level')),
  };
  return { conditions, assumptions, warnings: temperatureWarnings(assumptions['heating_outdoor_c']) };
}

function temperatureWarnings(outdoor: Assumption | undefined): ComputeWarning[] {
  if (outdoor?.source === 'default') return [unknownTemperature];
  if (outdoor?.source !== 'derived') return [];
  const message = `No design outdoor temperature is known for this place: ${outdoor.value} °C was estimated. Set it for the site.`;
  return [{ code: 'design_temperature_estimated', message }];
}

const unknownTemperature: ComputeWarning = {
  code: 'design_temperature_unknown',
  message: `No design outdoor temperature is known for this place: ${unknownOutdoor_c} °C was taken. Set it for the site.`,
};

interface KnownPlace {
  lat: number;
  lng: number;
  elevation_m: number | undefined;
}

function placeOf({ lat, lng }: SiteContext, elevation_m: number | undefined): KnownPlace | null {
  return lat === undefined || lng === undefined ? null : { lat, lng, elevation_m };
}

function outdoorOf(place: KnownPlace | null): Taken {
  const near = place && nearestStation(place.lat, place.lng);
  if (near) {
    const why = noteOf('near_station', { station: near.station.name, distance_km: Math.round(near.distance_km) });
    return { value: near.station.heating_outdoor_c, source: 'nearest_station', ...why };
  }
  if (place) return { ...estimatedColdest_c(place), source: 'derived' };
  return { value: unknownOutdoor_c, source: 'default', ...noteOf('unknown_place') };
}

function radiationOf(place: KnownPlace | null): Taken {
  if (place === null || nearestStation(place.lat, place.lng) !== null) {
    return { value: usualRadiation_w_m2, source: 'default', ...noteOf('clear_noon') };
  }
  return { value: designRadiation_w_m2(place.lat), source: 'derived', ...noteOf('clear_noon_by_latitude') };
}
