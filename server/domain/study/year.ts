import type { YearStudy } from '../../contract/study.ts';
import type { HourBalance } from './hours.ts';
import type { StudyHouse } from './house.ts';

/** Heat, fuel and cost of a year from its hourly balances; fuel and cost if a fuel and its price are known. */
export function yearStudy(house: StudyHouse, hours: readonly HourBalance[]): YearStudy {
  const { conditions, geometry } = house;
  const heated = hours.filter(({ heating_kw }) => heating_kw > 0);
  const kwh = (term: (hour: HourBalance) => number): number => heated.reduce((sum, hour) => sum + term(hour), 0);
  const heat_kwh = kwh(({ heating_kw }) => heating_kw);
  const peak_kw = heated.reduce((most, { heating_kw }) => Math.max(most, heating_kw), 0);
  const fuel_kwh = heat_kwh / (conditions.boiler_efficiency_pct / 100);
  const { fuel_kwh_per_unit, fuel_price } = conditions;
  const fuel_units = fuel_kwh_per_unit === null ? null : fuel_kwh / fuel_kwh_per_unit;
  const cost = fuel_units === null || fuel_price === null ? null : fuel_units * fuel_price;
  return {
    heat_kwh,
    heat_kwh_m2: heat_kwh / geometry.floor_area_m2,
    peak_kw,
    heating_hours: heated.length,
    full_load_hours: peak_kw > 0 ? heat_kwh / peak_kw : 0,
    transmission_kwh: kwh(({ transmission_kw }) => transmission_kw),
    infiltration_kwh: kwh(({ infiltration_kw }) => infiltration_kw),
    latent_kwh: kwh(({ latent_kw }) => latent_kw),
    ground_kwh: kwh(({ ground_kw }) => ground_kw),
    solar_used_kwh: kwh(({ solar_kw }) => solar_kw),
    fuel_units,
    fuel_cost: cost,
    fuel_cost_m2: cost === null ? null : cost / geometry.floor_area_m2,
    hot_hours: hours.filter(({ isTooHot }) => isTooHot).length,
    months_kwh: monthSums(hours.map(({ heating_kw }) => heating_kw)),
  };
}

export const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Sums of hourly figures over the twelve months of a year of 365 days. */
export function monthSums(hourly: readonly number[]): number[] {
  let at = 0;
  return monthDays.map((days) => {
    const from = at;
    at += days * 24;
    return hourly.slice(from, at).reduce((sum, value) => sum + value, 0);
  });
}
