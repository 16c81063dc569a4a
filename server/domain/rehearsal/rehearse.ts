import type { Rehearsal, RehearsedProgram } from '../../contract/climate-rehearsal.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import type { StandingCrop } from '../../contract/standing-crop.ts';
import type { Facility } from '../../contract/facility.ts';
import type { SensorRole } from '../../contract/facility-binding.ts';
import type { SiteContext } from '../capacity/design.ts';
import { heatingOf_kw } from '../capacity/rated-heat.ts';
import { lossOf } from '../climate-program/house.ts';
import type { ClimateActuator, ClimateHouse, ClimateReadings } from '../climate-program/moment.ts';
import type { Weather } from '../climate/weather.ts';
import type { ModelHouse } from '../simulation/house-model.ts';
import type { Place } from '../solar/sun-day.ts';
import { calibrated, fitted, type Recorded } from './calibrate.ts';
import { dayOf } from './days.ts';
import { runFast, type Looked } from './fast-clock.ts';
import { modelOfHouse } from '../simulation/model-of-house.ts';
import { equipmentOf, pipeOf, programDriver, travelOf_s } from './program-driver.ts';
import { tallying } from './tally.ts';
import { unseenBy } from './unseen.ts';

/** How often a program must tick for realistic moves of equipment, s; the daemon's ticks every 30. */
const look_s = 120;

export interface Rehearsing {
  facility: Facility;
  site: SiteContext;
  place: Place;
  /** The actuators that the program drives. */
  actuators: readonly ClimateActuator[];
  programs: readonly { which: RehearsedProgram['which']; program: ClimateProgram }[];
  weatherAt: (atMs: number) => Weather;
  /** It is that of stored days. */
  isStored?: boolean;
  /** Of the days, and the one that ends the last. */
  midnights_ms: readonly number[];
  /** Indexes of days that are skipped; after them house and program start afresh. */
  left_out?: ReadonlySet<number> | undefined;
  crop: StandingCrop;
  /** The house's own measurements, to which its model is fitted; null when too few sensors are bound. */
  past: Recorded | null;
  /** Price of a kWh of heat, a mol of lamp light, a kg of CO2 and a m3 of water; null without one. */
  prices: Record<'heat_kwh' | 'light_mol' | 'co2_kg' | 'water_m3', number | null>;
  /** Called after each day; may throw to end the rehearsal. */
  dayDone: () => void;
}

/** Runs programs through the same weather in the model of a house, with the code that runs the real house. */
export function rehearse(asked: Rehearsing): Pick<Rehearsal, 'programs' | 'assumed' | 'unseen' | 'calibration'> {
  const { facility, site, actuators, programs, past } = asked;
  const { model: drawn, assumed } = modelOfHouse(facility, site);
  const calibration = past === null ? null : calibrated(drawn, past);
  const model = calibration === null ? drawn : fitted(drawn, calibration);
  const house: ClimateHouse = {
    // A program does not know what the house does not state, as in reality: assumed sizes belong to the model only.
    loss: lossOf(facility),
    heating_kw: heatingOf_kw(facility.actuators),
    floor_m2: model.floor_area_m2,
    actuators,
    // Without a thermometer there is nothing to rehearse: a house that is still planned has one.
    sensors: new Set(['indoor_temp', ...facility.sensors.map(({ role }) => role)]),
  };
  const unseen = unseenBy(
    programs.map(({ program }) => program),
    { house, isStored: asked.isStored === true },
  );
  return { assumed, unseen, calibration, programs: programs.map((one) => runOne(one, { ...asked, model, house })) };
}

type Rehearsed = Rehearsing & { model: ModelHouse; house: ClimateHouse };

function runOne({ which, program }: Rehearsing['programs'][number], set: Rehearsed): RehearsedProgram {
  const { model, house, place, weatherAt, midnights_ms, crop, prices } = set;
  const midnight = (day: number): number => midnights_ms[day] ?? NaN;
  const { sums, looked, begun } = tallying(model);
  const daily = byDay(set);
  const water = wateredInAll();
  for (const { first, end } of stretchesOf(midnights_ms.length - 1, set.left_out)) {
    begun();
    runFast({
      model,
      crop,
      weatherAt,
      from_ms: midnight(first),
      to_ms: midnight(end),
      look_s,
      equipmentOf: equipmentOf(house),
      pipeOf: pipeOf(house),
      travelOf_s: travelOf_s(house),
      seen: (readings) => seenBy(house.sensors, readings),
      driver: programDriver({ program, place, house, stepped: (step) => water.given(step.sums.water_l_m2) }),
      looked: (one) => {
        looked(one);
        daily.looked(one, sums.heat_kwh_m2);
      },
    });
    water.ended();
  }
  const { hours: _hours, moves, ...figures } = sums;
  const roles = Map.groupBy(house.actuators, ({ role }) => role);
  const cost = (amount: number, price: number | null) => (price === null ? null : amount * price);
  return {
    which,
    ...figures,
    water_l_m2: water.sum_l_m2(),
    moves: [...roles].map(([role, group]) => ({
      role,
      moves: group.reduce((sum, { key }) => sum + (moves[key] ?? 0), 0),
    })),
    cost_heat: cost(sums.heat_kwh_m2, prices.heat_kwh),
    cost_lamps: cost(lampLight_mol_m2(sums, { model, program }), prices.light_mol),
    cost_co2: cost(sums.co2_kg_m2, prices.co2_kg),
    cost_water: cost(water.sum_l_m2() / 1000, prices.water_m3),
    days: daily.columns,
  };
}

/** The sensor of each reading that a house may lack. */
const sensorOf = {
  humidity_pct: 'indoor_humidity',
  co2_ppm: 'indoor_co2',
  outdoor_c: 'outdoor_temp',
  outdoor_humidity_pct: 'outdoor_humidity',
  wind_m_s: 'outdoor_wind',
  wind_dir_deg: 'outdoor_wind_dir',
  radiation_w_m2: 'outdoor_solar',
  rain: 'rain',
  pipe_c: 'pipe_temp',
} as const satisfies Partial<Record<keyof ClimateReadings, SensorRole>>;

/** A rehearsed program is as blind as the house: it does not see what no sensor reads. */
function seenBy(sensors: ClimateHouse['sensors'], readings: ClimateReadings): ClimateReadings {
  const unseen = Object.entries(sensorOf).filter(([, role]) => !sensors.has(role));
  return { ...readings, ...Object.fromEntries(unseen.map(([reading]) => [reading, null])) };
}

/** Lamp light on the crop, from the light that the program states for the lamps. */
function lampLight_mol_m2(
  { lamps_kwh_m2 }: { lamps_kwh_m2: number },
  { model, program }: { model: ModelHouse; program: ClimateProgram },
): number {
  const burnt_h = (1000 * lamps_kwh_m2) / model.lighting_w_m2;
  return (burnt_h * 3600 * program.lamps.lamp_umol_m2_s) / 1e6;
}

/** Runs of consecutive days. */
function stretchesOf(days: number, left_out: ReadonlySet<number> = new Set()): { first: number; end: number }[] {
  const stretches: { first: number; end: number }[] = [];
  for (let day = 0; day < days; day += 1) {
    if (left_out.has(day)) continue;
    const last = stretches.at(-1);
    if (last?.end === day) last.end += 1;
    else stretches.push({ first: day, end: day + 1 });
  }
  return stretches;
}

/** Total irrigation of all days, from the program's counts since midnight. */
function wateredInAll() {
  let [sum, before]: [number, number] = [0, 0];
  return {
    given: (today_l_m2: number): void => {
      sum += today_l_m2 < before ? today_l_m2 : today_l_m2 - before;
      before = today_l_m2;
    },
    ended: (): void => void (before = 0),
    sum_l_m2: () => sum,
  };
}

/** Mean indoor temperature and heat of each day that is run. */
function byDay({ midnights_ms, dayDone }: Pick<Rehearsing, 'midnights_ms' | 'dayDone'>) {
  const none = midnights_ms.slice(1).map((): number | null => null);
  const columns = { mean_c: [...none], heat_kwh_m2: [...none] };
  let [sum_c, looks, before_kwh_m2] = [0, 0, 0];
  return {
    columns,
    looked: ({ at_ms, look_s: long_s, indoor }: Looked, heat_kwh_m2: number): void => {
      sum_c += indoor.temp_c;
      looks += 1;
      const [day, next] = [at_ms, at_ms + long_s * 1000].map((ms) => dayOf(midnights_ms, ms));
      if (day === undefined || day === next) return;
      columns.mean_c[day] = sum_c / looks;
      columns.heat_kwh_m2[day] = heat_kwh_m2 - before_kwh_m2;
      [sum_c, looks, before_kwh_m2] = [0, 0, heat_kwh_m2];
      dayDone();
    },
  };
}
