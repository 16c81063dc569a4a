import { climateAt, type Site } from '../climate/normals.ts';
import { clearSky_w_m2 } from '../climate/sky.ts';
import { noteOf } from '../../contract/assumption-note.ts';

/** Obliquity of the ecliptic: how far from the equator the sun is overhead at a solstice, degrees. */
const tropic_deg = 23.44;
/**
 * The global radiation that 1 % of the hours of a year exceed, as a share of the clearest noon's: 886 of 980 W/m2 in
 * the typical year of Chicago (TMY3), assumed everywhere.
 */
const usualShare = 0.9;
/**
 * How far the coldest nights are below the coldest month's mean daily minimum, as a share of the difference between the
 * warmest and the coldest month: it yields -17.9 C from the normals of Chicago, whose typical year (TMY3) is below
 * -17.2 C in 1 % of its hours.
 */
const coldSpellShare = 0.3;

/** Design global radiation of a place, W/m2: 0.9 of a clear noon (Haurwitz 1945) with the sun at its highest. */
export function designRadiation_w_m2(lat_deg: number): number {
  const highest_deg = 90 - Math.max(0, Math.abs(lat_deg) - tropic_deg);
  return Math.round(usualShare * clearSky_w_m2(highest_deg));
}

/**
 * A design outdoor temperature from climate normals, or from the latitude when no station is near: 5 K colder than the
 * typical year of Denver (TMY3), as cold as that of Alice Springs.
 */
export function estimatedColdest_c(site: Site): { value: number } & ReturnType<typeof noteOf> {
  const { mean_c, range_k, station, distance_km } = climateAt(site);
  const coldest_c = Math.min(...mean_c);
  const range = range_k[mean_c.indexOf(coldest_c)] ?? 0;
  const value = coldest_c - range / 2 - coldSpellShare * (Math.max(...mean_c) - coldest_c);
  const why =
    station === null
      ? noteOf('coldest_by_latitude')
      : noteOf('coldest_by_station', { station: station.name, distance_km: Math.round(distance_km) });
  return { value: Math.round(value * 10) / 10, ...why };
}
