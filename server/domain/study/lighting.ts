import { sunPhotons_umol_j } from '../analytics/light-sum.ts';
import type { LightingStudy } from '../../contract/study.ts';
import { monthDays, monthSums } from './year.ts';
import type { StudyHouse, WeatherYear } from './house.ts';

/** Photons inside from the sun in an hour, mol/m2. */
function sunlight_mol_m2(radiation_w_m2: number, transmittance: number): number {
  return (radiation_w_m2 * sunPhotons_umol_j * transmittance * 3600) / 1e6;
}

/**
 * Lamps for a light sum: the photon flux that brings the darkest month's mean day to the target within the lamp hours,
 * (target - sun) / hours, and the electricity of a year in which they supply what each day lacks, up to that flux.
 */
export function lightingStudy(house: StudyHouse, year: WeatherYear): LightingStudy {
  const { conditions, covering, geometry } = house;
  const hourly = year.map(({ radiation_w_m2 }) => sunlight_mol_m2(radiation_w_m2, covering.transmittance));
  const months = monthSums(hourly).map((sum, month) => sum / (monthDays[month] ?? 30));
  const darkest = Math.min(...months);
  const target = conditions.light_mol_m2d;
  const lampHours = conditions.lamp_hours;
  const flux_umol_m2s = (Math.max(0, target - darkest) * 1e6) / (lampHours * 3600);
  const power_w_m2 = flux_umol_m2s / conditions.lamp_efficacy_umol_j;
  let lit_hours = 0;
  let short_days = 0;
  for (let day = 0; day * 24 < hourly.length; day += 1) {
    const sun = hourly.slice(day * 24, day * 24 + 24).reduce((sum, value) => sum + value, 0);
    if (sun >= target) continue;
    const needed_h = flux_umol_m2s > 0 ? ((target - sun) * 1e6) / (flux_umol_m2s * 3600) : Infinity;
    if (needed_h > lampHours + 1e-9) short_days += 1;
    if (flux_umol_m2s > 0) lit_hours += Math.min(lampHours, needed_h);
  }
  const electricity_kwh = (power_w_m2 * geometry.floor_area_m2 * lit_hours) / 1000;
  return {
    target_mol_m2d: target,
    darkest_mol_m2d: darkest,
    flux_umol_m2s,
    power_w_m2,
    power_kw: (power_w_m2 * geometry.floor_area_m2) / 1000,
    lamp_hours_year: lit_hours,
    short_days,
    electricity_kwh,
    electricity_kwh_m2: electricity_kwh / geometry.floor_area_m2,
    electricity_cost: conditions.electricity_price === null ? null : electricity_kwh * conditions.electricity_price,
    months_mol_m2d: months,
  };
}
