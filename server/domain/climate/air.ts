/** Physical constants of air at the pressure of a sea-level atmosphere. */
export const atmosphere_pa = 101_325;
export const gravity_m_s2 = 9.81;
/** Specific gas constant of dry air, J/kgK. */
const dryAirConstant = 287.055;
/** Specific gas constant of water vapour, J/kgK. */
const vapourConstant = 461.52;
/** Volumetric heat of air, 1.2 kg/m3 times 1005 J/kgK, J/m3K. */
export const airHeat_j_m3k = 1206;
export const zeroCelsius_k = 273.15;
/** CO2 of the outdoor air, ppm: annual global mean of 2024, NOAA Global Monitoring Laboratory. */
export const outdoorCo2_ppm = 422.8;

/**
 * Pressure of the standard atmosphere at a height above the sea, Pa (ASHRAE Fundamentals 2017, ch. 1, eq. 3), -5,000 to
 * 11,000 m.
 */
export function pressureAt_pa(elevation_m: number): number {
  return atmosphere_pa * (1 - 2.25577e-5 * elevation_m) ** 5.2559;
}

/** Volumetric heat of air at a height above the sea, J/m3K: in proportion to its pressure. */
export function airHeatAt_j_m3k(elevation_m: number): number {
  return (airHeat_j_m3k * pressureAt_pa(elevation_m)) / atmosphere_pa;
}

/** Density of dry air from the ideal gas law, kg/m3. */
export function airDensity_kg_m3(temp_c: number, pressure_pa = atmosphere_pa): number {
  return pressure_pa / (dryAirConstant * (temp_c + zeroCelsius_k));
}

/**
 * Saturation vapour pressure in Pa after Buck (1981, revised 1996), -80 to 50 C. Over liquid water at every temperature
 * unless `surface` is `ice`: below 0 C both occur, and hygrometers report against water.
 */
export function saturationPressure_pa(temp_c: number, surface: 'water' | 'ice' = 'water'): number {
  return surface === 'water'
    ? 611.21 * Math.exp((18.678 - temp_c / 234.5) * (temp_c / (temp_c + 257.14)))
    : 611.15 * Math.exp((23.036 - temp_c / 333.7) * (temp_c / (temp_c + 279.82)));
}

/** Vapour pressure in Pa of air at a relative humidity (over water) of 0 to 100 %. */
export function vapourPressure_pa(temp_c: number, humidity_pct: number): number {
  return (saturationPressure_pa(temp_c) * humidity_pct) / 100;
}

/** Vapour pressure deficit es - e in kPa. */
export function vapourDeficit_kpa(temp_c: number, humidity_pct: number): number {
  return (saturationPressure_pa(temp_c) - vapourPressure_pa(temp_c, humidity_pct)) / 1000;
}

/**
 * Temperature in C at which a vapour pressure in Pa saturates over water: Buck's formula inverted, the root of T2/234.5
 * - (18.678 - L) T + 257.14 L = 0 with L = ln(e/611.21). null without vapour.
 */
function dewPointOfPressure_c(vapour_pa: number): number | null {
  if (!(vapour_pa > 0)) return null;
  const log = Math.log(vapour_pa / 611.21);
  const half = (18.678 - log) / 2;
  return (257.14 * log) / (half + Math.sqrt(half ** 2 - (257.14 * log) / 234.5));
}

/** Dew point over water in C; null at 0 % humidity, where there is none. */
export function dewPoint_c(temp_c: number, humidity_pct: number): number | null {
  return dewPointOfPressure_c(vapourPressure_pa(temp_c, humidity_pct));
}

/** Kilograms of vapour per kilogram of dry air (ASHRAE Fundamentals 2017, ch. 1, eq. 20). */
export function humidityRatio(vapour_pa: number, pressure_pa = atmosphere_pa): number {
  return (0.621945 * vapour_pa) / (pressure_pa - vapour_pa);
}

/** Vapour in the air in kg/m3, by the ideal gas law. */
export function vapourDensity_kg_m3(temp_c: number, humidity_pct: number): number {
  return vapourPressure_pa(temp_c, humidity_pct) / (vapourConstant * (temp_c + zeroCelsius_k));
}

/** Relative humidity in % of air that holds `vapour_kg_m3`; above 100 when it is supersaturated. */
export function humidityOfDensity_pct(temp_c: number, vapour_kg_m3: number): number {
  return (100 * vapour_kg_m3 * vapourConstant * (temp_c + zeroCelsius_k)) / saturationPressure_pa(temp_c);
}

/**
 * Thermodynamic wet-bulb temperature in C from the heat balance of ASHRAE Fundamentals 2017, ch. 1, eqs. 33 and 35,
 * over water (eq. 33) at every temperature, as saturation is here. By bisection to 1e-9 K.
 */
export function wetBulb_c(temp_c: number, humidity_pct: number, pressure_pa = atmosphere_pa): number {
  const ratio = humidityRatio(vapourPressure_pa(temp_c, humidity_pct), pressure_pa);
  let low_c = temp_c - 60;
  let high_c = temp_c;
  while (high_c - low_c > 1e-9) {
    const middle_c = (low_c + high_c) / 2;
    if (ratioAtWetBulb(temp_c, middle_c, pressure_pa) > ratio) high_c = middle_c;
    else low_c = middle_c;
  }
  return (low_c + high_c) / 2;
}

function ratioAtWetBulb(temp_c: number, wet_c: number, pressure_pa: number): number {
  const saturated = humidityRatio(saturationPressure_pa(wet_c), pressure_pa);
  return ((2501 - 2.326 * wet_c) * saturated - 1.006 * (temp_c - wet_c)) / (2501 + 1.86 * temp_c - 4.186 * wet_c);
}

/** Kilograms of CO2 per m3 of air at sea level for a share in ppm by volume, and back. */
export function co2Density_kg_m3(co2_ppm: number, temp_c: number): number {
  return (co2_ppm * 1e-6 * atmosphere_pa) / (co2Constant * (temp_c + zeroCelsius_k));
}

export function co2OfDensity_ppm(co2_kg_m3: number, temp_c: number): number {
  return (1e6 * co2_kg_m3 * co2Constant * (temp_c + zeroCelsius_k)) / atmosphere_pa;
}

/** Specific gas constant of CO2, 8.314462 over 0.0440095 kg/mol, J/kgK. */
const co2Constant = 188.924;

/**
 * Mean direction in degrees clockwise from north, 0 to 360, of winds as vectors weighted by speed. null when they
 * cancel out or there is none.
 */
export function meanWindDirection_deg(winds: readonly { speed_m_s: number; direction_deg: number }[]): number | null {
  let east = 0;
  let north = 0;
  let total = 0;
  for (const { speed_m_s, direction_deg } of winds) {
    east += speed_m_s * Math.sin((direction_deg * Math.PI) / 180);
    north += speed_m_s * Math.cos((direction_deg * Math.PI) / 180);
    total += speed_m_s;
  }
  if (total === 0 || Math.hypot(east, north) < 1e-9 * total) return null;
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}
