/** Semi-major axis in m and squared eccentricity of the WGS84 ellipsoid. */
const wgs84 = { a_m: 6_378_137, e2: 0.00669437999014 };
const radians = Math.PI / 180;

/** Metres per degree of longitude and latitude at a latitude in degrees, from the radii of curvature of WGS84. */
export function metresPerDegree(latitude: number): { east_m: number; north_m: number } {
  const sine = Math.sin(latitude * radians);
  const w2 = 1 - wgs84.e2 * sine ** 2;
  return {
    east_m: ((wgs84.a_m * Math.cos(latitude * radians)) / Math.sqrt(w2)) * radians,
    north_m: ((wgs84.a_m * (1 - wgs84.e2)) / w2 ** 1.5) * radians,
  };
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `least` (> 0). */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  // The tolerance lets 10 be 10 where the logarithm was a hair below 1.
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(1));
}

/** The largest of 1, 2, 5 times a power of ten that is not above `most` (> 0): so long is a scale bar. */
export function roundStepBelow(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most * (1 + 1e-9)));
  const factor = [5, 2, 1].find((one) => one * power <= most * (1 + 1e-9)) ?? 1;
  return Number((factor * power).toPrecision(1));
}

/** Places k * step + origin within [from, to], each with its k. */
export function gridLines(
  range: { from: number; to: number },
  grid: { origin: number; step: number },
): { at: number; k: number }[] {
  const lines: { at: number; k: number }[] = [];
  const last = Math.floor((range.to - grid.origin) / grid.step);
  for (let k = Math.ceil((range.from - grid.origin) / grid.step); k <= last; k += 1) {
    lines.push({ at: grid.origin + k * grid.step, k });
  }
  return lines;
}
