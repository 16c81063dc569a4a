import table from '../../../resources/climate-normals.json' with { type: 'json' };
import { greatCircle_km, type Place } from '../geometry/great-circle.ts';

/** A place of unknown height takes its station's temperatures unchanged. */
export interface Site extends Place {
  elevation_m?: number | undefined;
}

/** Twelve months of a station, January first. */
export interface ClimateStation extends Place {
  name: string;
  elevation_m: number;
  /** Publisher of the figures, with period and licence. */
  source: string;
  /** Mean temperature, C. */
  mean_c: readonly number[];
  /** Mean of the daily maximum less the daily minimum, K; null when only means are known. */
  range_k: readonly number[] | null;
}

/** The climate of a site: its station's, adjusted to the site's height. */
export interface Climate {
  mean_c: readonly number[];
  range_k: readonly number[];
  /** By the sea, where as much sun makes a smaller range. */
  isCoast: boolean;
  /** null when no station is near: the means then follow only the latitude. */
  station: ClimateStation | null;
  distance_km: number;
}

/** Farther away a station says less than the latitude does. */
const reach_km = 500;
/** A station 100 m higher or lower counts as 10 km farther away. */
const kmPerMetre = 0.1;
/**
 * A mean over the sea is used if the nearest station on land is this much farther away, km: land is warmer in summer,
 * colder in winter.
 */
const seaPenalty_km = 250;
/** Mean fall of temperature with height in the standard atmosphere (ISO 2533), K/m. */
const lapse_k_m = 0.0065;
/**
 * Daily range at a coast under a half-clear sky, K: Hargreaves & Samani (1985) solved for the range, (0.5 / 0.19)^2,
 * with the coefficient of FAO-56 eq. 50 for coasts.
 */
const coastalRange_k = (0.5 / 0.19) ** 2;
/** The same inland, with 0.16. */
const inlandRange_k = (0.5 / 0.16) ** 2;

const sources = new Map(Object.entries(table.sources));

export const climateStations: readonly ClimateStation[] = table.stations.map(stationOf);

/**
 * A row is `name|latitude|longitude|elevation in m|source|twelve means|twelve ranges or nothing`; a source with
 * stations of several periods is followed by the row's period.
 */
function stationOf(row: string): ClimateStation {
  const [name = '', lat, lng, elevation, source = '', means = '', ranges = ''] = row.split('|');
  return {
    name,
    lat: Number(lat),
    lng: Number(lng),
    elevation_m: Number(elevation),
    source: sourceOf(source),
    mean_c: means.split(' ').map(Number),
    range_k: ranges === '' ? null : ranges.split(' ').map(Number),
  };
}

function sourceOf(said: string): string {
  const [code = '', ...period] = said.split(' ');
  const text = sources.get(code) ?? said;
  return period.length === 0 ? text : `${text} Period: ${period.join(' ')}.`;
}

const months = Array.from({ length: 12 }, (_, month) => month);
const remembered = new Map<string, Climate>();
const mostRemembered = 64;

/**
 * The climate of a place by the nearest station, in distance and height; by the latitude when none is within 500 km.
 */
export function climateAt(site: Site): Climate {
  const key = `${site.lat},${site.lng},${site.elevation_m ?? ''}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const climate = resolveClimate(site);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, climate);
  return climate;
}

function resolveClimate(site: Site): Climate {
  const nearest = nearestClimate(site);
  if (nearest === null) return climateOfLatitude(site);
  const { station, distance_km } = nearest;
  const cooler_k = lapse_k_m * ((site.elevation_m ?? station.elevation_m) - station.elevation_m);
  return {
    mean_c: station.mean_c.map((mean_c) => mean_c - cooler_k),
    range_k: station.range_k ?? months.map(() => coastalRange_k),
    isCoast: station.range_k === null,
    station,
    distance_km,
  };
}

function nearestClimate(site: Site): { station: ClimateStation; distance_km: number } | null {
  let nearest: { station: ClimateStation; distance_km: number } | null = null;
  let least = Infinity;
  for (const station of climateStations) {
    const distance_km = greatCircle_km(site, station);
    if (distance_km > reach_km) continue;
    const apart = distance_km + farther_km(site, station);
    if (apart >= least) continue;
    least = apart;
    nearest = { station, distance_km };
  }
  return nearest;
}

function farther_km(site: Site, station: ClimateStation): number {
  const rise_m = (site.elevation_m ?? station.elevation_m) - station.elevation_m;
  return kmPerMetre * Math.abs(rise_m) + (station.range_k === null ? seaPenalty_km : 0);
}

/**
 * Means by latitude alone: an annual mean that falls with the square of its sine and a seasonal swing that grows with
 * it, coldest in January in the north. Within some 5 K of lowland stations up to 60 degrees, less accurate inland.
 */
function climateOfLatitude({ lat, elevation_m = 0 }: Site): Climate {
  const sine = Math.sin((lat * Math.PI) / 180);
  const meanOf = (month: number): number =>
    27 - 38 * sine ** 2 - 22 * sine * Math.cos((2 * Math.PI * (month - 0.15)) / 12) - lapse_k_m * elevation_m;
  return {
    mean_c: months.map(meanOf),
    range_k: months.map(() => inlandRange_k),
    isCoast: false,
    station: null,
    distance_km: Infinity,
  };
}
