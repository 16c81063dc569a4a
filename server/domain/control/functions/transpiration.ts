import { airDensity_kg_m3, atmosphere_pa, saturationPressure_pa, vapourPressure_pa } from '../../climate/air.ts';

/** A crop in the air of its house. */
export interface CropAir {
  temp_c: number;
  humidity_pct: number;
  /** Global radiation above the crop, inside, W/m2. */
  radiation_w_m2: number;
  /** Leaf area over floor area. */
  leaf_area_index: number;
  co2_ppm: number;
}

/**
 * Heat of evaporation of water, J/kg, of air, J/kgK, and psychrometric constant at sea level, Pa/K (Vanthoor 2011,
 * table 8.1).
 */
const latentJ_kg = 2.45e6;
const airJKgk = 1000;
const psychrometricPa_k = 65.8;
/** Resistance of the air at a leaf, and minimum of its stomata, s/m (Stanghellini 1987; Vanthoor 2011, table 8.1). */
const boundaryS_m = 275;
const stomataS_m = 82;
/** Upper limits of the factors for the stomata (Vanthoor 2011, eq. 8.50). */
const mostCo2Factor = 1.5;
const mostDeficitFactor = 5.8;

/**
 * Resistance of the stomata in s/m by light, CO2 and the vapour pressure deficit of the leaf in Pa: Stanghellini
 * (1987), Transpiration of greenhouse crops, fitted to tomato, with the parameters and the smooth transition from night
 * to day of Vanthoor (2011), eqs. 8.49 to 8.51.
 */
export function stomatalResistance_s_m({
  radiation_w_m2,
  co2_ppm,
  deficit_pa,
}: Pick<CropAir, 'radiation_w_m2' | 'co2_ppm'> & { deficit_pa: number }): number {
  const day = 1 / (1 + Math.exp(5 - radiation_w_m2));
  const byNightAndDay = (night: number, light: number): number => night * (1 - day) + light * day;
  const light = (radiation_w_m2 + 4.3) / (radiation_w_m2 + 0.54);
  const co2 = 1 + byNightAndDay(1.1e-11, 6.1e-7) * (co2_ppm - 200) ** 2;
  const dry = 1 + byNightAndDay(5.2e-6, 4.3e-6) * deficit_pa ** 2;
  return stomataS_m * light * Math.min(mostCo2Factor, co2) * Math.min(mostDeficitFactor, dry);
}

/**
 * Light that the leaves absorb, W/m2 of floor: 0.86 (1 - exp(-0.7 LAI)) of the light above them (Stanghellini 1987).
 */
function absorbed_w_m2({ radiation_w_m2, leaf_area_index }: CropAir): number {
  return 0.86 * (1 - Math.exp(-0.7 * leaf_area_index)) * radiation_w_m2;
}

/** The furthest that a leaf can be from the air, K: neither light nor dry air brings it further. */
const mostApart_k = 30;

/**
 * Transpiration of a greenhouse crop in mm/h and the temperature of its leaves in C: the balance of the light that they
 * absorb, the heat that both their sides emit to the air and the water that both evaporate (Stanghellini 1987; Vanthoor
 * 2011, eqs. 8.47 and 8.48), solved by bisection instead of linearised. Heat radiation of pipes and sky is neglected. 0
 * to 45 C, leaf area index 0.1 to 10. On summer days within a fifth of lysimeters of grass under plastic (Fernandez et
 * al. 2010, Irrigation Science 28).
 */
export function cropTranspiration(air: CropAir): { mm_h: number; leaf_c: number } {
  let [low_c, high_c] = [air.temp_c - mostApart_k, air.temp_c + mostApart_k];
  while (high_c - low_c > 1e-6) {
    const leaf_c = (low_c + high_c) / 2;
    const given = sensible_w_m2(air, leaf_c) + latent_w_m2(air, leaf_c);
    if (given < absorbed_w_m2(air)) low_c = leaf_c;
    else high_c = leaf_c;
  }
  const leaf_c = (low_c + high_c) / 2;
  return { mm_h: Math.max(0, (latent_w_m2(air, leaf_c) / latentJ_kg) * 3600), leaf_c };
}

/** Volumetric heat of both sides of all leaves, J/m3K for each m2 of floor. */
function leafHeat({ temp_c, leaf_area_index }: CropAir): number {
  return 2 * leaf_area_index * airDensity_kg_m3(temp_c, atmosphere_pa) * airJKgk;
}

function sensible_w_m2(air: CropAir, leaf_c: number): number {
  return (leafHeat(air) * (leaf_c - air.temp_c)) / boundaryS_m;
}

function latent_w_m2(air: CropAir, leaf_c: number): number {
  const deficit_pa = saturationPressure_pa(leaf_c) - vapourPressure_pa(air.temp_c, air.humidity_pct);
  const resistance = boundaryS_m + stomatalResistance_s_m({ ...air, deficit_pa });
  return (leafHeat(air) * deficit_pa) / (psychrometricPa_k * resistance);
}
