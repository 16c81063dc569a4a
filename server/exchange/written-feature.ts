import type { Feature, Geometry } from '../contract/overlay.ts';
import { columnsOf, propertiesOfColumns, type ShapeColumns } from '../contract/shape-file.ts';
import type { WrittenSystem } from './coordinate-system.ts';

/** A feature for tables. */
export interface WrittenFeature {
  geometry: Geometry;
  columns: ShapeColumns;
}

export function writtenFeature(feature: Feature, { fromDegrees }: WrittenSystem): WrittenFeature {
  const { geometry } = feature;
  return {
    geometry: { ...geometry, coordinates: converted(geometry.coordinates, fromDegrees) } as Geometry, // of the same type
    columns: columnsOf(feature),
  };
}

/** The properties of a feature in a row of such a table; empty values are left out. */
export function propertiesOfRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { fid: _, ...columns } = joined(row);
  const given = Object.entries(columns).filter(([, value]) => value !== null && value !== '' && isPlain(value));
  return propertiesOfColumns(Object.fromEntries(given));
}

/** Of the column in which the other properties begin, or run on; dBASE has ten letters for it. */
export function propertyColumn(index: number): string {
  const ending = index === 0 ? '' : `_${index + 1}`;
  return `${'properties'.slice(0, 10 - ending.length)}${ending}`;
}

/** A row whose other properties run on through several columns, with all of them in the first. */
function joined(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof row['properties'] !== 'string' || !row['properties'].startsWith('{')) return row;
  const rest = { ...row };
  let text = row['properties'];
  for (let index = 1; propertyColumn(index) in rest; index += 1) {
    const more = rest[propertyColumn(index)];
    text += typeof more === 'string' ? more : '';
    Reflect.deleteProperty(rest, propertyColumn(index));
  }
  return { ...rest, properties: text };
}

function isPlain(value: unknown): boolean {
  return ['string', 'boolean'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value));
}

/** Converts nested lists of positions. */
export function converted(value: unknown, convert: (position: readonly number[]) => number[]): unknown {
  if (!Array.isArray(value)) return value;
  if (value.every((one): one is number => typeof one === 'number')) return [...convert(value), ...value.slice(2)];
  return value.map((inner: unknown) => converted(inner, convert));
}
