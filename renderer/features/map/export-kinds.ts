import type { Feature } from '../../../server/contract/overlay.ts';
import { columnsOf, mostPropertyColumns, propertyColumnBytes } from '../../../server/contract/shape-file.ts';

interface ExportKind {
  ending: string;
  /** Coordinates can be written in other systems; the service does it. */
  hasCrs?: true;
  /** Whether it has a place for the shape; any has when absent. */
  holds?: (feature: Feature) => boolean;
  /** Shapes of these that lose properties. */
  cuts?: (features: readonly Feature[]) => number;
}

/** The files that a map is saved as, and what each cannot hold. */
const list = {
  geojson: { ending: 'geojson' },
  shapefile: { ending: 'zip', hasCrs: true, cuts: cutInShapefile },
  geopackage: { ending: 'gpkg', hasCrs: true },
  kml: { ending: 'kml' },
  kmz: { ending: 'kmz' },
  gpx: { ending: 'gpx', holds: ({ geometry }) => geometry.type === 'Point' || geometry.type.endsWith('LineString') },
  csv: { ending: 'csv', holds: ({ geometry }) => geometry.type === 'Point' },
  png: { ending: 'png' },
  pdf: { ending: 'pdf' },
} as const satisfies Record<string, ExportKind>;

export type ExportKindName = keyof typeof list;
export const exportKinds: Readonly<Record<ExportKindName, ExportKind>> = list;
export const exportKindNames = Object.keys(list) as ExportKindName[]; // its keys

function cutInShapefile(features: readonly Feature[]): number {
  const [encoder, most] = [new TextEncoder(), mostPropertyColumns(features.length) * propertyColumnBytes];
  return features.filter((one) => encoder.encode(columnsOf(one).properties ?? '').length > most).length;
}
