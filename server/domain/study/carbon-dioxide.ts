import type { CarbonDioxideStudy } from '../../contract/study.ts';
import { atmosphere_pa, co2Density_kg_m3, outdoorCo2_ppm } from '../climate/air.ts';
import { dusk_w_m2, leakage_m3_s, type StudyHouse } from './house.ts';
import type { HourBalance } from './hours.ts';

/** Maximum ventilation at which dosing is worthwhile, air changes an hour. */
const dosedUpTo_per_h = 4;

/**
 * CO2 that leaves with the air when the house is held at its setpoint, V (C_in - C_out): by the leaks alone, by each
 * air change, and over a year's hours of light in which dosing is worthwhile. The crop's uptake comes on top.
 */
export function carbonDioxideStudy(house: StudyHouse, hours: readonly HourBalance[]): CarbonDioxideStudy {
  const { conditions, geometry } = house;
  const richer_ppm = Math.max(0, conditions.co2_ppm - outdoorCo2_ppm);
  const lost_kg_m3 = (co2Density_kg_m3(richer_ppm, conditions.heating_day_c) * house.pressure_pa) / atmosphere_pa;
  const leak_m3h = leakage_m3_s(house) * 3600;
  const lit = hours.filter(({ weather }) => weather.radiation_w_m2 > dusk_w_m2);
  const dosed = lit.filter(({ ventilation_m3h }) => ventilation_m3h <= dosedUpTo_per_h * geometry.volume_m3);
  const leak_kg = dosed.length * leak_m3h * lost_kg_m3;
  const vent_kg = dosed.reduce((sum, { ventilation_m3h }) => sum + ventilation_m3h, 0) * lost_kg_m3;
  return {
    setpoint_ppm: conditions.co2_ppm,
    outdoor_ppm: outdoorCo2_ppm,
    leak_kg_h: leak_m3h * lost_kg_m3,
    leak_g_m2h: (leak_m3h * lost_kg_m3 * 1000) / geometry.floor_area_m2,
    air_change_kg: geometry.volume_m3 * lost_kg_m3,
    open_kg_h: house.natural_m3h * lost_kg_m3,
    lit_hours: lit.length,
    dosed_hours: dosed.length,
    year_leak_kg: leak_kg,
    year_vent_kg: vent_kg,
    year_cost: conditions.co2_price_kg === null ? null : (leak_kg + vent_kg) * conditions.co2_price_kg,
  };
}
