import type { Language } from '../../server/contract/language.ts';
import { readCsv } from './csv-points.ts';
import { geoJsonEntries, type FileEntries } from './geojson.ts';
import { kmlOf } from './kmz.ts';
import { readXmlShapes } from './xml-shapes.ts';

/** The encoding of spreadsheets that do not write UTF-8. */
const otherEncoding: Record<Language, string> = { en: 'windows-1252', ko: 'euc-kr', ja: 'shift_jis' };

/** A file of GeoJSON, KML, KMZ, GPX, or of points in CSV, by the end of its name. Throws FileFault. */
export function readEntries(name: string, bytes: ArrayBuffer, language: Language): FileEntries {
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0];
  if (ending === '.kmz') return readXmlShapes(textOf(kmlOf(bytes), language), '.kml');
  const text = textOf(bytes, language);
  if (ending === '.kml' || ending === '.gpx') return readXmlShapes(text, ending);
  if (ending === '.csv' || ending === '.tsv' || ending === '.txt') return readCsv(text);
  return geoJsonEntries(text);
}

function textOf(bytes: ArrayBuffer, language: Language): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(otherEncoding[language]).decode(bytes);
  }
}
