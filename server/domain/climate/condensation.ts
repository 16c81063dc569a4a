import { humidityOfDensity_pct, saturationPressure_pa } from './air.ts';
import { expanded, type GreenhouseState } from './greenhouse-model.ts';

/** The state with its humidity capped at 100 %: the rest condenses on the covering, and its heat is lost outwards. */
export function condense(state: GreenhouseState, gases_at_c?: number): GreenhouseState {
  const { temp_c, vapour_kg_m3 } = expanded(state, gases_at_c);
  const humidity_pct = humidityOfDensity_pct(temp_c, vapour_kg_m3);
  return humidity_pct <= 100 ? state : { ...state, vapour_kg_m3: (state.vapour_kg_m3 * 100) / humidity_pct };
}

/** The covering, on which vapour condenses when it is colder than the dew point. */
export interface Cover {
  /** Covering over floor. */
  area_share: number;
  /** Heat transmission, W/m2K, and the film on its outside. */
  u_w_m2k: number;
  outsideFilm_w_m2k: number;
}

/**
 * Condensation on the inside of a single covering, kg/m2s of floor, never negative: the vapour exchange 6.4e-9 HEC
 * (e_air - e_s(T_cover)) with HEC = 1.86 |T_air - T_cover|^0.33 A_cover/A_floor of Vanthoor (2011), A model-based
 * greenhouse design method, PhD thesis, Wageningen, eqs. 8.39 and 8.43. The covering has the temperature at which its
 * outside film passes on the heat that comes through it.
 */
export function coverCondensation_kg_m2s(
  air: { temp_c: number; vapour_pa: number },
  outdoor_c: number,
  cover: Cover,
): number {
  const cover_c = outdoor_c + ((air.temp_c - outdoor_c) * cover.u_w_m2k) / cover.outsideFilm_w_m2k;
  const film_w_m2k = 1.86 * Math.abs(air.temp_c - cover_c) ** 0.33 * cover.area_share;
  return Math.max(0, 6.4e-9 * film_w_m2k * (air.vapour_pa - saturationPressure_pa(cover_c)));
}
