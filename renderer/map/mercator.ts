/** Where the square of Web Mercator ends, degrees north and south. */
const limit_deg = 85.0511;

/** 0 at the western edge of the square of Web Mercator, 1 at the eastern. */
export function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** 0 at the northern edge of the square of Web Mercator, 1 at the southern. */
export function mercatorY(latitude: number): number {
  const sine = Math.sin((Math.max(-limit_deg, Math.min(limit_deg, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
