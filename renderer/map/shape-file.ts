import type { Language } from '../../server/contract/language.ts';
import { readGeoJson, type FoundShapes } from './geojson.ts';

/** How the names of files end that can be read. */
export const shapeFileEndings = [
  ...['.geojson', '.json', '.kml', '.kmz', '.gpx', '.csv', '.tsv', '.txt', '.zip', '.gpkg'],
] as const;

/** Whether the service reads it: Shapefiles in a ZIP, and GeoPackages. */
export function isServiceFile(name: string): boolean {
  return /\.(?:zip|gpkg)$/i.test(name);
}

/** The encoding of spreadsheets that do not write UTF-8. */
const otherEncoding: Record<Language, string> = { en: 'windows-1252', ko: 'euc-kr', ja: 'shift_jis' };

/** The shapes of a file of GeoJSON, KML, KMZ, GPX, or of points in CSV, by the end of its name. Throws FileFault. */
export async function readShapeFile(name: string, bytes: ArrayBuffer, language: Language): Promise<FoundShapes> {
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0];
  if (ending === '.kmz') {
    const kml = (await import('./kmz.ts')).kmlOf(bytes);
    return (await import('./xml-shapes.ts')).readXmlShapes(textOf(kml, language), '.kml');
  }
  const text = textOf(bytes, language);
  // Loaded when needed, because rarely used.
  if (ending === '.kml' || ending === '.gpx') return (await import('./xml-shapes.ts')).readXmlShapes(text, ending);
  if (ending === '.csv' || ending === '.tsv' || ending === '.txt')
    return (await import('./csv-points.ts')).readCsv(text);
  return readGeoJson(text);
}

function textOf(bytes: ArrayBuffer, language: Language): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(otherEncoding[language]).decode(bytes);
  }
}
