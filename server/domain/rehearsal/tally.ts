import type { ModelHouse } from '../simulation/house-model.ts';
import type { Looked } from './fast-clock.ts';

/** Totals of a run of a house; per m2 is per m2 of floor. */
export interface Tally {
  hours: number;
  /** Degree hours below heating, and above ventilation, beyond half a K. */
  cold_kh: number;
  warm_kh: number;
  /** Time above 90 % humidity, h. */
  humid_h: number;
  heat_kwh_m2: number;
  lamps_kwh_m2: number;
  co2_kg_m2: number;
  /** Dosed CO2 that vents and fans removed again. */
  co2_lost_kg_m2: number;
  /** Number of moves of each actuator. */
  moves: Record<string, number>;
}

/** A smaller deviation from the band counts as held, K. */
const tolerance_k = 0.5;
const humid_pct = 90;

function freshTally(): Tally {
  return {
    hours: 0,
    cold_kh: 0,
    warm_kh: 0,
    humid_h: 0,
    heat_kwh_m2: 0,
    lamps_kwh_m2: 0,
    co2_kg_m2: 0,
    co2_lost_kg_m2: 0,
    moves: {},
  };
}

/** Totals consecutive ticks. */
export function tallying(model: Pick<ModelHouse, 'heater_w' | 'floor_area_m2' | 'lighting_w_m2' | 'co2_kg_h'>) {
  const sums = freshTally();
  let before: Looked['positions_pct'] | undefined;
  /** Dosed CO2 still in the house, kg/m2: the maximum that can be lost. */
  let within_kg_m2 = 0;
  const looked = ({ look_s, indoor, heating_c, ventilation_c, equipment, positions_pct, co2_out_kg_m2s }: Looked) => {
    const hours = look_s / 3600;
    sums.hours += hours;
    sums.cold_kh += Math.max(0, (heating_c ?? -Infinity) - tolerance_k - indoor.temp_c) * hours;
    sums.warm_kh += Math.max(0, indoor.temp_c - tolerance_k - (ventilation_c ?? Infinity)) * hours;
    sums.humid_h += indoor.humidity_pct > humid_pct ? hours : 0;
    sums.heat_kwh_m2 += (equipment.heater * model.heater_w * hours) / 1000 / model.floor_area_m2;
    sums.lamps_kwh_m2 += (equipment.lighting * model.lighting_w_m2 * hours) / 1000;
    const given = (equipment.co2 * model.co2_kg_h * hours) / model.floor_area_m2;
    const lost = Math.min(within_kg_m2 + given, co2_out_kg_m2s * look_s);
    within_kg_m2 += given - lost;
    sums.co2_kg_m2 += given;
    sums.co2_lost_kg_m2 += lost;
    for (const [key, pct] of Object.entries(positions_pct)) {
      const isMove = before !== undefined && Math.abs((before[key] ?? 0) - pct) > 0.5;
      sums.moves[key] = (sums.moves[key] ?? 0) + (isMove ? 1 : 0);
    }
    before = { ...before, ...positions_pct };
  };
  /** Starts after a gap: the first positions count as no move. */
  const begun = (): void => {
    before = undefined;
    within_kg_m2 = 0;
  };
  return { sums, looked, begun };
}
