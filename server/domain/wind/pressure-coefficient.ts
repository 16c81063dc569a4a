const radians = Math.PI / 180;

/** Angle in degrees, 0 to 180, between the direction that the wind comes from and that of a face. */
export function incidence_deg(windFrom_deg: number, azimuth_deg: number): number {
  const turn = (((windFrom_deg - azimuth_deg) % 360) + 360) % 360;
  return turn > 180 ? 360 - turn : turn;
}

/**
 * Mean wind pressure coefficient of a wall of a low-rise building: Swami & Chandra (1987), FSEC-CR-163-86, eq. 2-1,
 * with their 0.6 at normal incidence.
 *
 * @param angle_deg incidence, 0 (wind onto the wall) to 180
 * @param sideRatio length of the wall over that of its neighbour; limited to 0.25 to 4, the range of the correlation
 */
export function wallCoefficient(angle_deg: number, sideRatio: number): number {
  const a = angle_deg * radians;
  const g = Math.log(Math.min(4, Math.max(0.25, sideRatio)));
  const sinHalf = Math.sin(a / 2);
  const cosHalf = Math.cos(a / 2);
  return (
    0.6 *
    Math.log(
      1.248 -
        0.703 * sinHalf -
        1.175 * Math.sin(a) ** 2 +
        0.131 * Math.sin(2 * a * g) ** 3 +
        0.769 * cosHalf +
        0.07 * g ** 2 * sinHalf ** 2 +
        0.717 * cosHalf ** 2,
    )
  );
}

/** Coefficients at 0, 45, 90, 135 and 180 degrees between wind and slope. */
type RoofRow = readonly [number, number, number, number, number];

const steepRow: RoofRow = [0.3, -0.4, -0.6, -0.4, -0.5];
/** Liddament (1996), A guide to energy efficient ventilation, AIVC: low-rise, exposed; length to width 1:1. */
const squareRoof = {
  low: [-0.6, -0.6, -0.6, -0.6, -0.6],
  middle: [-0.4, -0.5, -0.6, -0.5, -0.4],
  steep: steepRow,
} as const satisfies Record<string, RoofRow>;
/** The same, length to width 2:1; its row above 30 degrees has no source here and is that of the square plan. */
const longRoof = {
  low: [-0.7, -0.7, -0.8, -0.7, -0.7],
  middle: [-0.6, -0.65, -0.7, -0.65, -0.6],
  steep: steepRow,
} as const satisfies Record<string, RoofRow>;

/** Ratios of the longer to the shorter side of the plan for the two tables; in between they are interpolated. */
export const leastLongRatio = 1;
const longRatio = 2;
/** The classes of pitch meet at 10 and 30 degrees; they are blended from this far below to this far above. */
const blend_deg = 5;

/**
 * Mean wind pressure coefficient of a roof slope (Liddament 1996), linear between the angles of the table, between its
 * two plans, and within 5 degrees of where its classes of pitch meet: no flow jumps for a tenth of a degree.
 *
 * @param angle_deg between the direction that the wind comes from and that of the slope, 0 to 180
 * @param pitch_deg pitch of the slope: around 0 to 10, 10 to 30, above
 * @param planRatio longer over shorter side of the building
 */
export function roofCoefficient(angle_deg: number, pitch_deg: number, planRatio: number): number {
  const long = share(planRatio, leastLongRatio, longRatio);
  return between(slopeRow(squareRoof, angle_deg, pitch_deg), slopeRow(longRoof, angle_deg, pitch_deg), long);
}

function slopeRow(table: Record<'low' | 'middle' | 'steep', RoofRow>, angle_deg: number, pitch_deg: number): number {
  const pitched = share(pitch_deg, 10 - blend_deg, 10 + blend_deg);
  const steep = share(pitch_deg, 30 - blend_deg, 30 + blend_deg);
  const gentle = between(atAngle(table.low, angle_deg), atAngle(table.middle, angle_deg), pitched);
  return between(gentle, atAngle(table.steep, angle_deg), steep);
}

function atAngle(row: RoofRow, angle_deg: number): number {
  const place = Math.min(180, Math.max(0, angle_deg)) / 45;
  const index = Math.min(3, Math.floor(place));
  const left = row[index] ?? 0;
  const right = row[index + 1] ?? 0;
  return between(left, right, place - index);
}

/** The position of a value between two others, 0 to 1. */
function share(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

function between(low: number, high: number, place: number): number {
  return low * (1 - place) + high * place;
}

/**
 * Factor on the roof coefficients of a house of several spans, as those after the first are in the lee of the ones
 * before: 1.0, 0.8 for the second, 0.6 from the third. Assumed after the reduction of multi-bay roofs in wind-load
 * codes (BS 6399-2:1997, 2.5.5). An opening represents all spans equally, so their mean counts. Wind along the ridges
 * meets every span equally: the reduction fades with the square of the sine of the angle to them.
 */
export function multiSpanFactor(spans: number, windToRidge_deg: number): number {
  const across = spans === 1 ? 1 : (1.8 + 0.6 * (spans - 2)) / spans;
  return 1 - (1 - across) * Math.sin(windToRidge_deg * radians) ** 2;
}
