import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { readDecimal } from '../units/decimal.ts';
import { FileFault } from './file-fault.ts';
import { propertiesOfTexts, entriesOfEach, type FileEntries } from './geojson.ts';
import { isValidPosition } from './geometry.ts';

/** Heads of the columns, as people and programs write them. */
const heads = {
  lat: ['lat', 'latitude', 'y', '위도', '緯度'],
  lng: ['lng', 'lon', 'long', 'longitude', 'x', '경도', '経度'],
  name: ['name', 'title', 'label', '이름', '명칭', '名前', '名称'],
  altitude: ['altitude_m'],
} as const;
const delimiters = [',', ';', '\t'] as const;

/**
 * Points of a table with a head line, in degrees of WGS 84: columns of latitude, longitude and name; all others are
 * kept. Throws FileFault.
 */
export function readCsv(text: string): FileEntries {
  const [head = [], ...rows] = rowsOf(text);
  const columnOf = (names: readonly string[]): number =>
    head.findIndex((title) => names.includes(title.normalize('NFKC').toLowerCase()));
  const [lat, lng, name] = [columnOf(heads.lat), columnOf(heads.lng), columnOf(heads.name)];
  if (lat === -1 || lng === -1) throw new FileFault('noColumns');
  const columns = { lat, lng, name, altitude: columnOf(heads.altitude) };
  const features = rows.map((row) => pointOf(row, head, columns));
  return { count: rows.length, found: entriesOfEach(features, propertiesOfTexts) };
}

function pointOf(
  row: readonly string[],
  head: readonly string[],
  { lat, lng, name, altitude }: Record<keyof typeof heads, number>,
): object {
  const above = readDecimal(row[altitude] ?? '');
  const position = [
    readDecimal(row[lng] ?? '') ?? NaN,
    readDecimal(row[lat] ?? '') ?? NaN,
    ...(above === null ? [] : [above]),
  ];
  const others = head.flatMap((title, index) => {
    const value = row[index] ?? '';
    return [lat, lng, name, altitude].includes(index) || title === '' || value === '' ? [] : [[title, value] as const];
  });
  return {
    type: 'Feature',
    geometry: isValidPosition(position) ? { type: 'Point', coordinates: position } : null,
    properties: { ...Object.fromEntries(others), name: withoutApostrophe(row[name] ?? '') },
  };
}

function rowsOf(text: string): string[][] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const count = (delimiter: string): number => first.split(delimiter).length;
  const delimiter = delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (error instanceof CsvError) throw new FileFault('notCsv');
    throw error;
  }
}

/** A name that a spreadsheet would take for a formula has one before it, where it begins with full-width signs too. */
function withoutApostrophe(name: string): string {
  return /^'[-=+@\t\r＝＋－＠]/.test(name) ? name.slice(1) : name;
}
