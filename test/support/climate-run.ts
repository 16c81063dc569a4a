import { climateDefaults, type ClimatePeriod, type ClimateProgram } from '../../server/contract/climate-settings.ts';
import { dayPlan } from '../../server/domain/climate-program/day-plan.ts';
import type { ClimateHouse, ClimateReadings } from '../../server/domain/climate-program/moment.ts';
import { climateStep, type ClimateStep } from '../../server/domain/climate-program/program.ts';
import { freshState, type ClimateState } from '../../server/domain/climate-program/state.ts';
import { weatherOfYear, type WeatherYear } from '../../server/domain/climate/weather-year.ts';
import type { Weather } from '../../server/domain/climate/weather.ts';
import type { GreenhouseState } from '../../server/domain/climate/greenhouse-model.ts';
import {
  allOff,
  houseAfterDay,
  readIndoor,
  simulatedHouse,
  stepSimulatedHouse,
  type Equipment,
  type IndoorReading,
} from '../../server/domain/simulation/simulated-house.ts';

/** Where the year of weather was measured. */
export const chicago = { lat: 41.983, lng: -87.917, time_zone: 'Etc/GMT+6' };

/** A tomato house as growers run it by day and night. */
export const twoPeriods: readonly ClimatePeriod[] = [
  {
    ...{ name: 'Day', start: { event: 'sunrise', offset_min: 0 }, ramp: { k_per_h: 1.5 } },
    setpoints: { heating_c: 19, ventilation_c: 23, humidity_pct: 88, co2_ppm: 800 },
  },
  {
    ...{ name: 'Night', start: { event: 'sunset', offset_min: 0 }, ramp: { k_per_h: 1 } },
    setpoints: { heating_c: 16, ventilation_c: 19, humidity_pct: 88 },
  },
];

export function programOf(changes: Partial<ClimateProgram> = {}): ClimateProgram {
  return { ...climateDefaults, periods: [...twoPeriods], ...changes };
}

const { heater_w, floor_area_m2 } = simulatedHouse;

/** The simulated house with every actuator that it has, and its roof vent in two halves. */
export const modelHouse: ClimateHouse = {
  loss_w_k: 9.5 * floor_area_m2,
  heating_kw: heater_w / 1000,
  actuators: [
    { key: 'heater', role: 'heater', kind: 'dimmer', azimuth_deg: null },
    { key: 'roof_vent', role: 'roof_vent', kind: 'dimmer', azimuth_deg: null },
    { key: 'side_vent', role: 'side_vent', kind: 'dimmer', azimuth_deg: 90 },
    { key: 'fan', role: 'exhaust_fan', kind: 'switch', azimuth_deg: null },
    { key: 'co2', role: 'co2_supply', kind: 'switch', azimuth_deg: null },
    { key: 'lighting', role: 'lighting', kind: 'switch', azimuth_deg: null },
    { key: 'shade', role: 'shade_curtain', kind: 'dimmer', azimuth_deg: null },
    { key: 'fogger', role: 'fogger', kind: 'switch', azimuth_deg: null },
  ],
  sensors: new Set(['indoor_temp', 'outdoor_wind']),
};

export interface Looked {
  at_ms: number;
  step: ClimateStep;
  weather: Weather;
  indoor: IndoorReading;
  equipment: Equipment;
}

interface Run {
  program: ClimateProgram;
  year: WeatherYear;
  from_ms: number;
  days: number;
  look_s?: number;
  house?: ClimateHouse;
  /** What becomes of the readings before the program sees them. */
  seen?: (readings: ClimateReadings, at_ms: number) => ClimateReadings;
  looked: (looked: Looked) => void;
}

/** Drives the simulated house by a program, without a clock. */
export function runClimate({
  program,
  year,
  from_ms,
  days,
  look_s = 60,
  house = modelHouse,
  seen,
  looked,
}: Run): ClimateState {
  const plan = dayPlan(program.periods, chicago);
  const equipment: Equipment = { ...allOff };
  let air: GreenhouseState = houseAfterDay((before_s) => weatherOfYear(year, from_ms - before_s * 1000));
  let state = freshState;
  for (let at_ms = from_ms; at_ms < from_ms + days * 86_400_000; at_ms += look_s * 1000) {
    const weather = weatherOfYear(year, at_ms);
    const indoor = readIndoor(air, { equipment, weather });
    const readings = readingsOf(indoor, weather, equipment);
    const step = climateStep(state, {
      program,
      plan,
      house,
      readings: seen?.(readings, at_ms) ?? readings,
      now_ms: at_ms,
    });
    state = step.state;
    for (const { key, pct } of step.demands)
      if (Object.hasOwn(equipment, key)) equipment[key as keyof Equipment] = (pct ?? 0) / 100;
    looked({ at_ms, step, weather, indoor, equipment: { ...equipment } });
    air = stepSimulatedHouse(air, { equipment, weather }, look_s);
    // A crop that is cut every day: the year is about the climate.
    air = { ...air, dry_matter_kg_m2: 2.7e-3 };
  }
  return state;
}

function readingsOf(indoor: IndoorReading, weather: Weather, equipment: Equipment): ClimateReadings {
  return {
    ...{ temp_c: indoor.temp_c, temps_c: [indoor.temp_c], humidity_pct: indoor.humidity_pct, co2_ppm: indoor.co2_ppm },
    ...{ outdoor_c: weather.temp_c, outdoor_humidity_pct: weather.humidity_pct, wind_m_s: weather.wind_m_s },
    ...{
      wind_dir_deg: weather.wind_dir_deg,
      radiation_w_m2: weather.radiation_w_m2,
      rain: weather.rain_mm_h,
      measured: [],
    },
    stands_pct: Object.fromEntries(Object.entries(equipment).map(([key, value]) => [key, value * 100])),
  };
}
