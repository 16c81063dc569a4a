/** A sector of the rose and whether the wind is in it. */
export interface Sector {
  direction_deg: number;
  path: string;
}

export interface Point {
  x: number;
  y: number;
}

/** Where a compass direction lies at a distance from the middle; north is up. */
export function polar(direction_deg: number, distance: number): Point {
  const angle = (direction_deg * Math.PI) / 180;
  return { x: distance * Math.sin(angle), y: -distance * Math.cos(angle) };
}

/** A sector for each direction, as far out as its value by the largest: from `inner` to `outer`. */
export function sectors(
  directions_deg: readonly number[],
  values: readonly number[],
  { inner, outer }: { inner: number; outer: number },
): Sector[] {
  const half = 180 / directions_deg.length;
  const largest = Math.max(...values, Number.MIN_VALUE);
  return directions_deg.map((direction_deg, index) => {
    const reach = inner + ((outer - inner) * (values[index] ?? 0)) / largest;
    const [from, to] = [direction_deg - half * 0.92, direction_deg + half * 0.92];
    return { direction_deg, path: sectorPath(from, to, { inner, reach }) };
  });
}

function sectorPath(from: number, to: number, { inner, reach }: { inner: number; reach: number }): string {
  const at = (direction: number, distance: number): string => {
    const { x, y } = polar(direction, distance);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  };
  const outside = `A ${reach} ${reach} 0 0 1 ${at(to, reach)}`;
  return `M ${at(from, inner)} L ${at(from, reach)} ${outside} L ${at(to, inner)} A ${inner} ${inner} 0 0 0 ${at(from, inner)} Z`;
}

/** The plan of a house, its front up, in a circle of the given radius. */
export function planIn(radius: number, size: { width_m: number; length_m: number }): { width: number; length: number } {
  const scale = (2 * radius) / Math.hypot(size.width_m, size.length_m);
  return { width: size.width_m * scale, length: size.length_m * scale };
}
