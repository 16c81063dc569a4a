/** Degrees; its belts are two degrees wide, from 124. */
const korea = { west: 124, east: 132, south: 33, north: 39 };

export interface CoordinateSystem {
  code: string;
  name: string;
}

/** Systems that are usual where a map lies; a file can be written in others by their EPSG code. */
export function usualSystems({ lat, lng }: { lat: number; lng: number }): CoordinateSystem[] {
  const zone = Math.min(60, Math.floor((lng + 180) / 6) + 1);
  const utm = `EPSG:32${lat < 0 ? 7 : 6}${String(zone).padStart(2, '0')}`;
  const isKorea = lng > korea.west && lng < korea.east && lat > korea.south && lat < korea.north;
  const belts = [5185, 5186, 5187, 5188];
  const belt = belts[Math.max(0, Math.min(3, Math.floor((lng - 124) / 2)))];
  return [
    { code: 'EPSG:4326', name: 'WGS 84' },
    ...(isKorea
      ? [
          { code: `EPSG:${belt}`, name: 'Korea 2000' },
          { code: 'EPSG:5179', name: 'Korea 2000 UTM-K' },
        ]
      : []),
    { code: utm, name: `UTM ${zone}${lat < 0 ? 'S' : 'N'}` },
  ];
}

/** 5186 is taken for EPSG:5186. */
export function crsCodeOf(typed: string): string | undefined {
  const code = typed
    .trim()
    .toUpperCase()
    .replace(/^(?=\d)/, 'EPSG:');
  return code === '' ? undefined : code;
}
