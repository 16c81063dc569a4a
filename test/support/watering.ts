import { climateDefaults } from '../../server/contract/climate-settings.ts';
import { dayPlan } from '../../server/domain/climate-program/day-plan.ts';
import type { ClimateHouse, ClimateReadings } from '../../server/domain/climate-program/moment.ts';
import { climateStep, type ClimateStep } from '../../server/domain/climate-program/program.ts';
import { freshState, type ClimateState } from '../../server/domain/climate-program/state.ts';
import { programOf } from './climate-run.ts';
import { chicago } from './climate-sites.ts';

type Irrigation = typeof climateDefaults.irrigation;

/** 20 June at Chicago by its standard time: the sun is up from 4:15 to 19:29. */
export const at = (time: string) => Date.parse(`2026-06-20T${time}:00-06:00`);
export const look_s = 30;
export const sunny_w_m2 = 600;

/** 400 m2 under two valves of 2,000 l/h: 300 ml/m2 are 60 l, 108 s a valve. */
const house: ClimateHouse = {
  loss: null,
  heating_kw: null,
  floor_m2: 400,
  sensors: new Set(['outdoor_solar', 'drain_flow']),
  actuators: [
    ...['east', 'west'].map(
      (key) =>
        ({
          key,
          role: 'irrigation_valve',
          kind: 'switch',
          azimuth_deg: null,
          valve: { area_m2: 200, l_h: 2000 },
        }) as const,
    ),
    { key: 'pump', role: 'irrigation_pump', kind: 'switch', azimuth_deg: null },
  ],
};
const still: ClimateReadings = {
  temp_c: 20,
  substituted: [],
  temps_c: [20],
  humidity_pct: 70,
  co2_ppm: 600,
  outdoor_c: 20,
  outdoor_humidity_pct: 60,
  wind_m_s: 2,
  wind_dir_deg: 270,
  radiation_w_m2: sunny_w_m2,
  rain: 0,
  measured: [],
  stands_pct: {},
  moisture_pct: null,
  pipe_c: null,
  sky_w_m2: null,
  drain_l_h: null,
  flows_l_h: {},
};

/** Waters from a time on; what the valves give is measured by the water itself, opened once and for a time. */
export function watering(changes: Partial<Irrigation> = {}, from = '10:00', periods = programOf().periods) {
  let at_house: ClimateHouse = house;
  let program = programOf({ periods, irrigation: { ...climateDefaults.irrigation, is_on: true, ...changes } });
  const plan = dayPlan(program, chicago);
  let state: ClimateState = freshState;
  let nowMs = at(from);
  const said = new Map<string, string>();
  const open = new Map<string, number>();
  const given_s: Record<string, number> = { east: 0, west: 0, pump: 0 };
  /** As the daemon tells valves: what it has told once it does not tell again. */
  const obey = ({ demands }: ClimateStep): void => {
    for (const { key, pct, once } of demands) {
      if (pct !== 100 || once === undefined) {
        open.delete(key);
        continue;
      }
      if (said.get(key) === once.id) continue;
      said.set(key, once.id);
      open.set(key, once.for_s);
    }
  };
  const flow = (): void => {
    for (const [key, left_s] of open) {
      const flowed_s = Math.min(left_s, look_s);
      given_s[key] = (given_s[key] ?? 0) + flowed_s;
      if (left_s <= look_s) open.delete(key);
      else open.set(key, left_s - look_s);
    }
  };
  return {
    given_s,
    shots: () => state.today.shots,
    state: () => state,
    restart: () => void said.clear(),
    clock: () => nowMs,
    /** The output of an actuator is not running, until it is again. */
    stop(key: string | null): void {
      const stopped = house.actuators.filter((one) => one.key === key);
      at_house = { ...house, stopped, actuators: house.actuators.filter((one) => one.key !== key) };
    },
    change: (irrigation: Partial<Irrigation>) =>
      void (program = { ...program, irrigation: { ...program.irrigation, ...irrigation } }),
    now: (time: string) => void (nowMs = at(time)),
    later: (hours: number) => void (nowMs += hours * 3_600_000),
    look(readings: Partial<ClimateReadings> = {}): ClimateStep {
      nowMs += look_s * 1000;
      const step = climateStep(state, {
        program,
        plan,
        house: at_house,
        readings: { ...still, ...readings },
        now_ms: nowMs,
      });
      state = JSON.parse(JSON.stringify(step.state)) as ClimateState;
      obey(step);
      flow();
      return step;
    },
    for(minutes: number, readings: Partial<ClimateReadings> = {}): ClimateStep {
      let step = this.look(readings);
      for (let n = 1; n < minutes * 2; n += 1) step = this.look(readings);
      return step;
    },
  };
}
