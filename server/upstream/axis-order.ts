import table from '../../resources/epsg-north-first.json' with { type: 'json' };

/** Whether the first axis of a coordinate system points north, by the EPSG dataset. CRS:84 has longitude first. */
export function isNorthFirst(crs: string): boolean {
  const code = Number(/^EPSG:(\d+)$/.exec(crs)?.[1]);
  return table.ranges.some(([from = NaN, to = NaN]) => code >= from && code <= to);
}
