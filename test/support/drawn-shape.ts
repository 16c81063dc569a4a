/** A square that begins in its south-west corner. */
export function rectangle(west: number, south: number, size_deg: number): number[][][] {
  const [east, north] = [west + size_deg, south + size_deg];
  return [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
}

/** A feature of the map as its tools draw it. */
export function drawn(name: string, type: string, coordinates: number[][][]) {
  return { type: 'Feature', geometry: { type: 'Polygon', coordinates }, properties: { type, name } };
}
