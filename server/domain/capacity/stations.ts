import { greatCircle_km } from '../geometry/great-circle.ts';

/** Winter design temperatures of Korean cities, TAC 1 %, with the place of their weather station. */
export interface DesignStation {
  name: string;
  lat: number;
  lng: number;
  heating_outdoor_c: number;
}

const designStations: readonly DesignStation[] = [
  { name: 'Seoul', lat: 37.571, lng: 126.966, heating_outdoor_c: -11.8 },
  { name: 'Suwon', lat: 37.257, lng: 126.983, heating_outdoor_c: -12.4 },
  { name: 'Daejeon', lat: 36.372, lng: 127.372, heating_outdoor_c: -10.9 },
  { name: 'Jeonju', lat: 35.841, lng: 127.119, heating_outdoor_c: -9.4 },
  { name: 'Daegu', lat: 35.878, lng: 128.653, heating_outdoor_c: -7.8 },
  { name: 'Gwangju', lat: 35.173, lng: 126.892, heating_outdoor_c: -7.2 },
  { name: 'Busan', lat: 35.105, lng: 129.032, heating_outdoor_c: -5.9 },
  { name: 'Jeju', lat: 33.514, lng: 126.53, heating_outdoor_c: 0 },
];

const reach_km = 150;

/** The nearest station within 150 km of a place in degrees, with its distance in km, or null. */
export function nearestStation(lat: number, lng: number): { station: DesignStation; distance_km: number } | null {
  let nearest: { station: DesignStation; distance_km: number } | null = null;
  for (const station of designStations) {
    const distance_km = greatCircle_km({ lat, lng }, station);
    if (distance_km <= (nearest?.distance_km ?? reach_km)) nearest = { station, distance_km };
  }
  return nearest;
}
