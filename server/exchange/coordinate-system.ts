import proj4 from 'proj4';
import table from '../../resources/coordinate-systems.json' with { type: 'json' };

/** Converts a position to WGS 84, degrees east and north. */
export type ToDegrees = (position: readonly number[]) => [number, number];

const definitions: Readonly<Record<string, string>> = table.definitions;
const alike: ToDegrees = ([east = NaN, north = NaN]) => [east, north];
const wgs84Radius_m = 6_378_137;
/** proj4's code for an unknown datum. */
const noDatum = 5;

/** By its EPSG code, e.g. `EPSG:5186`; null for an unknown one. */
export function systemOfCode(code: string): ToDegrees | null {
  if (code === 'EPSG:4326' || code === 'CRS:84') return alike;
  const definition = definitionOf(code) ?? (code === 'EPSG:3857' ? code : undefined);
  return definition === undefined ? null : converter(definition);
}

/** A system for writing files. */
export interface WrittenSystem {
  epsg: number;
  /** WKT 1, as in a .prj file. */
  wkt: string;
  /** From degrees east and north. */
  fromDegrees: ToDegrees;
}

export const wgs84Wkt =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]';

/** By its EPSG code; null for one that cannot be written: systems in degrees of another ellipsoid, and unknown ones. */
export function writtenSystemOf(code: string): WrittenSystem | null {
  const epsg = Number(code.slice('EPSG:'.length));
  if (code === 'EPSG:4326') return { epsg, wkt: wgs84Wkt, fromDegrees: alike };
  const definition = definitionOf(code);
  const wkt = definition === undefined ? null : transverseMercatorWkt(code, definition);
  if (definition === undefined || wkt === null) return null;
  return { epsg, wkt, fromDegrees: inverseOf(definition) };
}

/** The inverse of a datum shift is exact only to some millimetres (small angles), so the remainder is subtracted. */
function inverseOf(definition: string): ToDegrees {
  const { forward, inverse } = proj4(definition, 'EPSG:4326');
  return ([lng = NaN, lat = NaN]) => {
    let wanted = [lng, lat];
    let found = inverse(wanted);
    for (let round = 0; round < 2; round += 1) {
      const [x = NaN, y = NaN] = forward(found);
      wanted = [(wanted[0] ?? NaN) + lng - x, (wanted[1] ?? NaN) + lat - y];
      found = inverse(wanted);
    }
    return [found[0] ?? NaN, found[1] ?? NaN];
  };
}

function definitionOf(code: string): string | undefined {
  return definitions[code] ?? utmOf(code);
}

const ellipsoids: Readonly<Record<string, string>> = {
  GRS80: '"GRS 1980",6378137,298.257222101',
  bessel: '"Bessel 1841",6377397.155,299.1528128',
  WGS84: '"WGS 84",6378137,298.257223563',
};

/** proj4 reads WKT but does not write it. */
function transverseMercatorWkt(code: string, definition: string): string | null {
  const said = new Map([...definition.matchAll(/\+(\w+)(?:=(\S+))?/g)].map(([, key = '', value = '']) => [key, value]));
  const zone = Number(said.get('zone'));
  const isUtm = said.get('proj') === 'utm';
  const ellipsoid = ellipsoids[isUtm ? 'WGS84' : (said.get('ellps') ?? '')];
  if ((!isUtm && said.get('proj') !== 'tmerc') || ellipsoid === undefined) return null;
  const parameters = isUtm
    ? [0, zone * 6 - 183, 0.9996, 500_000, said.has('south') ? 10_000_000 : 0]
    : ['lat_0', 'lon_0', 'k', 'x_0', 'y_0'].map((key) => Number(said.get(key)));
  const names = ['latitude_of_origin', 'central_meridian', 'scale_factor', 'false_easting', 'false_northing'];
  const shift = isUtm ? '0,0,0,0,0,0,0' : said.get('towgs84');
  const datum = `DATUM["D",SPHEROID[${ellipsoid}],TOWGS84[${shift}]]`;
  const degrees = `GEOGCS["GCS",${datum},PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`;
  const told = names.map((name, at) => `PARAMETER["${name}",${parameters[at]}]`).join();
  const authority = `AUTHORITY["EPSG","${code.slice('EPSG:'.length)}"]`;
  return `PROJCS["${code}",${degrees},PROJECTION["Transverse_Mercator"],${told},UNIT["metre",1],${authority}]`;
}

/**
 * By its WKT, as in a .prj file; null when it is unreadable, or on another ellipsoid without its shift to WGS 84: its
 * parcels would be some hundred metres off.
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
