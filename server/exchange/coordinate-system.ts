import proj4 from 'proj4';
import table from '../../resources/coordinate-systems.json' with { type: 'json' };

/** Takes a position to WGS 84, degrees east and north. */
export type ToDegrees = (position: readonly number[]) => [number, number];

const definitions: Readonly<Record<string, string>> = table.definitions;
const alike: ToDegrees = ([east = NaN, north = NaN]) => [east, north];
const wgs84Radius_m = 6_378_137;
/** What proj4 calls a datum of which nothing is known. */
const noDatum = 5;

/** By its EPSG code, e.g. `EPSG:5186`; null for one that is not known here. */
export function systemOfCode(code: string): ToDegrees | null {
  if (code === 'EPSG:4326' || code === 'CRS:84') return alike;
  const definition = definitions[code] ?? utmOf(code) ?? (code === 'EPSG:3857' ? code : undefined);
  return definition === undefined ? null : converter(definition);
}

/**
 * By its WKT, as a .prj has it; null for one that cannot be read, and for one on another ellipsoid that does not say how it lies to
 * WGS 84: its parcels would stand some hundred metres off.
 */
export function systemOfWkt(wkt: string): ToDegrees | null {
  try {
    const system = new proj4.Proj(wkt) as { a?: number; datum?: { datum_type?: number } }; // its fields are not declared
    const isShifted = system.datum?.datum_type === noDatum && Math.abs((system.a ?? 0) - wgs84Radius_m) > 1;
    return isShifted ? null : converter(wkt);
  } catch {
    return null;
  }
}

function converter(definition: string): ToDegrees {
  const { forward } = proj4(definition, 'EPSG:4326');
  return ([east = NaN, north = NaN]) => {
    if (!Number.isFinite(east) || !Number.isFinite(north)) return [NaN, NaN];
    const [lng = NaN, lat = NaN] = forward([east, north]);
    return [lng, lat];
  };
}

/** WGS 84 / UTM zones: 326 and the zone north of the equator, 327 south of it. */
function utmOf(code: string): string | undefined {
  const found = /^EPSG:32([67])(\d\d)$/.exec(code);
  const zone = Number(found?.[2]);
  if (found === null || zone < 1 || zone > 60) return undefined;
  return `+proj=utm +zone=${zone}${found[1] === '7' ? ' +south' : ''} +datum=WGS84 +units=m`;
}
