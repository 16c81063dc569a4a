import { climateDefaults, type ClimatePeriod, type ClimateProgram } from '../../server/contract/climate-settings.ts';
import { runFast, type FastRun, type Looked as FastLooked } from '../../server/domain/rehearsal/fast-clock.ts';
import type { ClimateHouse } from '../../server/domain/climate-program/moment.ts';
import { equipmentOf, programDriver, travelOf_s } from '../../server/domain/rehearsal/program-driver.ts';
import type { ClimateStep } from '../../server/domain/climate-program/program.ts';
import { simulatedHouse } from '../../server/domain/simulation/simulated-house.ts';
import type { ClimateSite } from './climate-sites.ts';

/** A tomato house with the usual settings for day and night. */
export const twoPeriods: readonly ClimatePeriod[] = [
  {
    name: 'Day',
    start: { event: 'sunrise', offset_min: 0 },
    ramp: { k_per_h: 1.5 },
    setpoints: { heating_c: 19, ventilation_c: 23, humidity_pct: 88, co2_ppm: 800 },
  },
  {
    name: 'Night',
    start: { event: 'sunset', offset_min: 0 },
    ramp: { k_per_h: 1 },
    setpoints: { heating_c: 16, ventilation_c: 19, humidity_pct: 88 },
  },
];

export function programOf(changes: Partial<ClimateProgram> = {}): ClimateProgram {
  return { ...climateDefaults, periods: [...twoPeriods], ...changes };
}

const { heater_w, floor_area_m2, ground: load } = simulatedHouse;
/** From the heating load of the house. */
const open_w_k = (1000 * load.load_kw) / (load.indoor_c - load.outdoor_c);
const drawn_w_k = open_w_k - (simulatedHouse.loss_w_m2k - simulatedHouse.screened_w_m2k) * floor_area_m2;

/** The simulated house with every actuator it can have, and its roof vent in two halves. */
export const modelHouse: ClimateHouse = {
  loss: { open_w_k, screened_w_k: drawn_w_k },
  heating_kw: heater_w / 1000,
  floor_m2: floor_area_m2,
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

export interface Looked extends FastLooked {
  step: ClimateStep;
}

interface Run {
  program: ClimateProgram;
  site: ClimateSite;
  from_ms: number;
  days: number;
  look_s?: number;
  house?: ClimateHouse;
  seen?: FastRun['seen'];
  looked: (looked: Looked) => void;
}

/** Drives the simulated house by a program, without a clock. */
export function runClimate({ program, site, from_ms, days, look_s = 60, house = modelHouse, seen, looked }: Run): void {
  let step: ClimateStep | undefined;
  const driver = programDriver({ program, place: site.place, house, stepped: (one) => (step = one) });
  runFast({
    model: simulatedHouse,
    weatherAt: site.weatherAt,
    from_ms,
    look_s,
    driver,
    to_ms: from_ms + days * 86_400_000,
    equipmentOf: equipmentOf(house),
    travelOf_s: travelOf_s(house),
    ...(seen && { seen }),
    looked: (one) => {
      if (step !== undefined) looked({ ...one, step });
    },
  });
}
