import type { StandingCrop } from '../../contract/standing-crop.ts';
import type { GreenhouseState } from '../climate/greenhouse-model.ts';
import type { Weather } from '../climate/weather.ts';
import {
  afterDay,
  allOff,
  modelInputs,
  readModel,
  stepHouse,
  type Equipment,
  type IndoorReading,
  type ModelHouse,
} from '../simulation/house-model.ts';
import type { ClimateReadings } from '../climate-program/moment.ts';

/** The position of each actuator, 0 to 100 %, and the setpoints in force, C. */
export interface Drive {
  positions_pct: Readonly<Record<string, number>>;
  heating_c: number | null;
  ventilation_c: number | null;
}

/** What drives a house: returns the positions of its actuators at each tick. */
export type Driver = (readings: ClimateReadings, atMs: number) => Drive;

/** The state during one tick, `look_s` long. */
export interface Looked extends Drive {
  at_ms: number;
  look_s: number;
  weather: Weather;
  indoor: IndoorReading;
  equipment: Equipment;
  /** Through vents and fans, m3/m2s, and their net loss of CO2, kg/m2s. */
  ventilation_m_s: number;
  co2_out_kg_m2s: number;
}

export interface FastRun {
  model: ModelHouse;
  /** Default: young. */
  crop?: StandingCrop;
  weatherAt: (atMs: number) => Weather;
  from_ms: number;
  to_ms: number;
  look_s: number;
  driver: Driver;
  /** Positions of the model's parts from those of the actuators. */
  equipmentOf: (positions_pct: Drive['positions_pct']) => Equipment;
  /** Travel time of an actuator's drive from end to end, s; it arrives at once when undefined. */
  travelOf_s?: (key: string) => number | undefined;
  /** The pipe behind the mixing valves, C, from the positions and the indoor air; null when there is none. */
  pipeOf?: (positions_pct: Drive['positions_pct'], indoor_c: number) => number | null;
  /** Modifies the readings before the driver sees them. */
  seen?: (readings: ClimateReadings, atMs: number) => ClimateReadings;
  looked: (looked: Looked) => void;
}

/** Runs a house and its driver through weather as fast as possible: no clock, no waiting. */
export function runFast(run: FastRun): void {
  const { model, crop, weatherAt, from_ms, to_ms, look_s, driver, equipmentOf, pipeOf, seen, looked } = run;
  const travelOf_s = run.travelOf_s ?? (() => undefined);
  let equipment: Equipment = allOff;
  let asked: Drive['positions_pct'] = {};
  let positions: Drive['positions_pct'] = {};
  let air: GreenhouseState = afterDay(model, (before_s) => weatherAt(from_ms - before_s * 1000), crop);
  const { dry_matter_kg_m2 } = air;
  for (let atMs = from_ms; atMs < to_ms; atMs += look_s * 1000) {
    const weather = weatherAt(atMs);
    const indoor = readModel(model, air, { equipment, weather });
    const pipe_c = pipeOf?.(positions, indoor.temp_c) ?? null;
    const readings = { ...readingsOf(indoor, weather, positions), pipe_c };
    const drive = driver(seen?.(readings, atMs) ?? readings, atMs);
    asked = { ...asked, ...drive.positions_pct };
    positions = travelled(positions, asked, (key) => (100 * look_s) / (travelOf_s(key) ?? look_s));
    equipment = equipmentOf(positions);
    const { ventilation_m_s, outdoor_co2_kg_m3 } = modelInputs(model, { equipment, weather }, air);
    const co2_out_kg_m2s = ventilation_m_s * Math.max(0, air.co2_kg_m3 - outdoor_co2_kg_m3);
    looked({ ...drive, at_ms: atMs, look_s, weather, indoor, equipment, ventilation_m_s, co2_out_kg_m2s });
    // A crop held constant at each tick: a year is about the climate.
    air = { ...stepHouse(model, air, { equipment, weather }, look_s), dry_matter_kg_m2 };
  }
}

/** Positions of actuators on their way to a target, and how far each travels in that time, %. */
function travelled(
  from_pct: Drive['positions_pct'],
  to_pct: Drive['positions_pct'],
  mostOf_pct: (key: string) => number,
): Drive['positions_pct'] {
  const stands = Object.entries(to_pct).map(([key, to]) => {
    const from = from_pct[key] ?? 0;
    const most = mostOf_pct(key);
    return [key, Math.abs(to - from) <= most ? to : from + Math.sign(to - from) * most];
  });
  return Object.fromEntries(stands) as Drive['positions_pct']; // of the same keys
}

function readingsOf(
  { temp_c, humidity_pct, co2_ppm }: IndoorReading,
  weather: Weather,
  stands_pct: ClimateReadings['stands_pct'],
): Omit<ClimateReadings, 'pipe_c'> {
  return {
    temp_c,
    temps_c: [temp_c],
    humidity_pct,
    co2_ppm,
    substituted: [],
    outdoor_c: weather.temp_c,
    outdoor_humidity_pct: weather.humidity_pct,
    radiation_w_m2: weather.radiation_w_m2,
    wind_m_s: weather.wind_m_s,
    wind_dir_deg: weather.wind_dir_deg,
    rain: weather.rain_mm_h,
    sky_w_m2: null,
    measured: [],
    stands_pct,
    moisture_pct: null,
    drain_l_h: null,
    flows_l_h: {},
  };
}
