import type { Assumption, Assumptions, ComputeWarning, DesignConditions } from '../../contract/facility.ts';
import { infiltration } from './heating.ts';
import { nearestStation } from './stations.ts';

/** What a service knows of the site beside the request. */
export interface SiteContext {
  /** Place in degrees; both or none. */
  lat?: number | undefined;
  lng?: number | undefined;
  /** Design conditions of the site's settings. */
  design_conditions?: DesignConditions | undefined;
  /** Area of what the house is drawn as, m2. */
  drawn_area_m2?: number | undefined;
}

export interface Design {
  conditions: DesignValues;
  assumptions: Assumptions;
  warnings: ComputeWarning[];
}

export type DesignValues = { [K in keyof DesignConditions]-?: number };
type ConditionName = keyof DesignConditions;

/** Where nothing says how cold it gets, C. */
const unknownOutdoor_c = -10;

const units: Record<ConditionName, string | null> = {
  heating_indoor_c: 'C',
  heating_outdoor_c: 'C',
  air_changes_per_h: '1/h',
  wind_factor: null,
  radiation_w_m2: 'W/m2',
  latent_share: null,
  ventilation_rise_k: 'K',
};

/**
 * The design conditions: the request's, else the site's, else the nearest station's (outdoor temperature) and
 * documented defaults. Every one that the request does not give is named in the assumptions.
 */
export function resolveDesign(
  asked: DesignConditions,
  site: SiteContext,
  layers: { coverLayers: number; curtainLayers: number },
): Design {
  const assumptions: Assumptions = {};
  const take = (
    name: ConditionName,
    fallback: () => Pick<Assumption, 'source' | 'note'> & { value: number },
  ): number => {
    const own = asked[name];
    if (own !== undefined) return own;
    const ofSite = site.design_conditions?.[name];
    const taken =
      ofSite === undefined
        ? fallback()
        : { value: ofSite, source: 'site' as const, note: 'From the design conditions of the site.' };
    assumptions[name] = { unit: units[name], ...taken };
    return taken.value;
  };
  const usual = (value: number, note: string) => () => ({ value, source: 'default' as const, note });
  const conditions = {
    heating_indoor_c: take('heating_indoor_c', usual(15, 'Least temperature of common crops.')),
    heating_outdoor_c: take('heating_outdoor_c', () => outdoorOf(site)),
    air_changes_per_h: take('air_changes_per_h', () => ({
      value: infiltration(layers.coverLayers, layers.curtainLayers),
      source: 'table',
      note: 'By the layers of covering and curtain, RDA table 3-3-34.',
    })),
    wind_factor: take('wind_factor', usual(1, 'Not a windy site, RDA table 3-3-35.')),
    radiation_w_m2: take('radiation_w_m2', usual(850, 'Global radiation of a clear summer noon.')),
    latent_share: take('latent_share', usual(0.5, 'A full canopy.')),
    ventilation_rise_k: take('ventilation_rise_k', usual(5, 'Usual for design.')),
  };
  const unknown = assumptions['heating_outdoor_c']?.source === 'default';
  return { conditions, assumptions, warnings: unknown ? [unknownTemperature] : [] };
}

const unknownTemperature: ComputeWarning = {
  code: 'design_temperature_unknown',
  message: `No design outdoor temperature is known for this place: ${unknownOutdoor_c} °C was taken. Set it for the site.`,
};

function outdoorOf(site: SiteContext): Pick<Assumption, 'source' | 'note'> & { value: number } {
  const near = site.lat === undefined || site.lng === undefined ? null : nearestStation(site.lat, site.lng);
  if (near === null) {
    return { value: unknownOutdoor_c, source: 'default', note: 'No design temperature is known for this place.' };
  }
  const { station, distance_km } = near;
  const note = `${station.name}, ${Math.round(distance_km)} km away, TAC 1 %.`;
  return { value: station.heating_outdoor_c, source: 'nearest_station', note };
}
