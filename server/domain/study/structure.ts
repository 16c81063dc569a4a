import type { LoadStudy } from '../../contract/study.ts';
import type { StudyHouse } from './house.ts';

/** Density of air by EN 1991-1-4:2005, 4.5, kg/m3. */
const windAir_kg_m3 = 1.25;
/** Shape factor K and exponent n of the probability factor, EN 1991-1-4:2005, 4.2, note 4. */
const probability = { k: 0.2, n: 0.5 };
/** Coefficient of variation of the annual maximum snow, EN 1991-1-3:2003, annex D, usual value. */
const snowVariation = 0.6;
/**
 * Windward wall of h/d up to 0.25, table 7.1 zone D; inside the least favourable value, 7.2.9 note 2: EN 1991-1-4:2005.
 */
const windwardWall = 0.7;
const inside = { over: 0.2, under: -0.3 };

/**
 * Factor on a 50-year snow load for another return period in years: EN 1991-1-3:2003, annex D, eq. D.1,
 * (1 - V sqrt6/pi (ln(-ln(1 - P)) + 0.57722)) / (1 + 2.5923 V).
 */
export function snowPeriodFactor(return_years: number): number {
  const reduced = Math.log(-Math.log(1 - 1 / return_years)) + 0.57722;
  return (1 - snowVariation * (Math.sqrt(6) / Math.PI) * reduced) / (1 + 2.5923 * snowVariation);
}

/** Factor on the basic wind velocity for another return period than 50 years: EN 1991-1-4:2005, eq. 4.2. */
export function windPeriodFactor(return_years: number): number {
  const { k, n } = probability;
  const of = (p: number): number => 1 - k * Math.log(-Math.log(1 - p));
  return (of(1 / return_years) / of(0.02)) ** n;
}

/**
 * Snow shape coefficients by pitch, degrees, no snow guards: EN 1991-1-3:2003, table 5.2. mu1 on a slope; mu2 in the
 * valley between bays.
 */
export function snowShape(pitch_deg: number): { slope: number; valley: number } {
  const slope = pitch_deg <= 30 ? 0.8 : Math.max(0, (0.8 * (60 - pitch_deg)) / 30);
  const valley = pitch_deg <= 30 ? 0.8 + (0.8 * pitch_deg) / 30 : 1.6;
  return { slope, valley };
}

/**
 * Roughness length of a terrain class, and the height below which the wind is as at it, m: EN 1991-1-4:2005, table 4.1.
 */
const terrains = [
  { roughness_m: 0.01, least_m: 1 },
  { roughness_m: 0.05, least_m: 2 },
  { roughness_m: 0.3, least_m: 5 },
] as const;
const townLeast_m = 10;

/** Peak velocity pressure at a height, kN/m2: EN 1991-1-4:2005, eqs. 4.3 to 4.8, flat country. */
export function peakPressure_kn_m2(wind_m_s: number, height_m: number, roughness_m: number): number {
  const factor = 0.19 * (roughness_m / 0.05) ** 0.07;
  const least_m = terrains.find((terrain) => roughness_m <= terrain.roughness_m)?.least_m ?? townLeast_m;
  const log = Math.log(Math.max(height_m, least_m) / roughness_m);
  const mean_m_s = factor * log * wind_m_s;
  return ((1 + 7 / log) * 0.5 * windAir_kg_m3 * mean_m_s ** 2) / 1000;
}

/**
 * Characteristic snow and wind loads on the house, by the Eurocodes on which EN 13031-1:2019 builds; null when the
 * place's own figures are not given. Not included: drifts at higher neighbours, edge zones, friction, crop loads and
 * the frame itself.
 */
export function loadStudy({ geometry, conditions }: StudyHouse): LoadStudy {
  const { snow_kn_m2, wind_base_m_s, return_years, snow_capacity_kn_m2, wind_capacity_kn_m2 } = conditions;
  const shape = snowShape(geometry.pitch_deg);
  const isConnected = geometry.structure === 'connected';
  const ground = snow_kn_m2 === null ? null : snow_kn_m2 * snowPeriodFactor(return_years);
  const roof_snow = ground === null ? null : ground * shape.slope;
  const valley_snow = ground === null || !isConnected ? null : ground * shape.valley;
  const pressure =
    wind_base_m_s === null
      ? null
      : peakPressure_kn_m2(
          wind_base_m_s * windPeriodFactor(return_years),
          geometry.ridge_above_ground_m,
          conditions.terrain_roughness_m,
        );
  const wall_wind = pressure === null ? null : pressure * (windwardWall - inside.under);
  const uplift = pressure === null ? null : pressure * (roofSuction(geometry.pitch_deg) + inside.over);
  const greatest = (...loads: (number | null)[]): number | null => {
    const known = loads.filter((load) => load !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    return_years,
    ground_snow_kn_m2: ground,
    roof_snow_kn_m2: roof_snow,
    valley_snow_kn_m2: valley_snow,
    peak_pressure_kn_m2: pressure,
    wall_wind_kn_m2: wall_wind,
    roof_uplift_kn_m2: uplift,
    snow_share_pct: shareOf(greatest(roof_snow, valley_snow), snow_capacity_kn_m2),
    wind_share_pct: shareOf(greatest(wall_wind, uplift), wind_capacity_kn_m2),
  };
}

/**
 * Suction on a duopitch roof by pitch, wind across the ridge: the greater of zones H and I of EN 1991-1-4:2005, table
 * 7.4a, linear in between. Edges and corners (F, G) are not included.
 */
function roofSuction(pitch_deg: number): number {
  const rows: readonly (readonly [number, number])[] = [
    [5, 0.6],
    [15, 0.4],
    [30, 0.4],
    [45, 0.2],
    [60, 0.2],
    [75, 0.2],
  ];
  const above = rows.findIndex(([pitch]) => pitch >= pitch_deg);
  if (above <= 0) return rows[above === 0 ? 0 : rows.length - 1]?.[1] ?? 0.6;
  const [lowPitch, low] = rows[above - 1] ?? [0, 0];
  const [highPitch, high] = rows[above] ?? [0, 0];
  return low + ((high - low) * (pitch_deg - lowPitch)) / (highPitch - lowPitch);
}

function shareOf(load: number | null, capacity: number | null): number | null {
  return load === null || capacity === null || capacity <= 0 ? null : (100 * load) / capacity;
}
