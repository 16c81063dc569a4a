/** The parts of shpjs that are used; it has no types of its own. */
declare module 'shpjs' {
  /** GeoJSON geometries in the order of the records, null for empty ones. */
  export function parseShp(bytes: DataView): unknown[];
  /** Rows in the order of the records. */
  export function parseDbf(bytes: DataView, encoding: string): unknown[];
}
