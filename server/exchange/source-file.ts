import { Refusal } from '../contract/errors.ts';

/** A feature of a file, unchecked. */
export interface SourceFeature {
  properties: Readonly<Record<string, unknown>>;
  /** In the file's coordinate system; null when it has none. */
  geometry: { type: string; coordinates: unknown } | null;
}

/** The contents of a file of parcels. */
export interface SourceFile {
  /** `EPSG:` with a number, its definition in WKT, or both; null when the file does not state it. */
  system: { code: string; wkt?: string } | { code?: undefined; wkt: string } | null;
  count: number;
  features: Iterable<SourceFeature>;
}

export function unreadable(why: string, cause?: unknown): Refusal {
  return new Refusal('unreadable_file', why, { cause });
}
