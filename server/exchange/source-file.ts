import { Refusal } from '../contract/errors.ts';

/** A piece of a file, as it stands there: nothing of it is checked. */
export interface SourceFeature {
  properties: Readonly<Record<string, unknown>>;
  /** In the system of the file; null where it has none. */
  geometry: { type: string; coordinates: unknown } | null;
}

/** What a file of parcels holds. */
export interface SourceFile {
  /** `EPSG:` with a number, the WKT of a .prj, or null where the file does not say it. */
  system: { code: string } | { wkt: string } | null;
  count: number;
  features: Iterable<SourceFeature>;
}

export function unreadable(why: string, cause?: unknown): Refusal {
  return new Refusal('unreadable_file', why, { cause });
}
