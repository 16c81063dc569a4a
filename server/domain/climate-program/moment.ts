import type { ClimateHold, ClimateLimit, ClimateLoopLive } from '../../contract/climate-live.ts';
import type { ClimateCause, ClimateReason } from '../../contract/climate-reason.ts';
import type { ClimateLoop, ClimatePeriod, ClimateProgram, SetpointName } from '../../contract/climate-settings.ts';
import type { ActuatorRole, SensorRole } from '../../contract/facility-binding.ts';

export const ventRoles = ['roof_vent', 'side_vent'] as const satisfies ActuatorRole[];

/** An actuator bound to the house. */
export interface ClimateActuator {
  /** Unique within the house. */
  key: string;
  role: ActuatorRole;
  kind: 'switch' | 'dimmer';
  /** Direction of its face, degrees clockwise from north; null when unknown or at the ridge. */
  azimuth_deg: number | null;
  /** For an irrigation valve: the area it waters, and its rated flow. */
  valve?: { area_m2: number; l_h: number | null };
  /** Rated heat, kW. */
  rating_kw?: number;
  /** Travel time of its drive from end to end, s. */
  run_time_s?: number;
}

/** A house as its program needs it. */
export interface ClimateHouse {
  /** Heat loss for each K of difference with the energy screens open, and drawn; null where it cannot be worked out. */
  loss: { open_w_k: number; screened_w_k: number } | null;
  /** Rated heat of all bound heaters, kW; null when one has no rating. */
  heating_kw: number | null;
  floor_m2: number | null;
  actuators: readonly ClimateActuator[];
  /** Bound vents and fans that another controller, a person or nobody drives. */
  others?: readonly Pick<ClimateActuator, 'key' | 'role'>[];
  /** Actuators of the program whose output is not running. */
  stopped?: readonly Pick<ClimateActuator, 'key' | 'role'>[];
  /** Roles of bound sensors: a bound, silent one is lost. */
  sensors: ReadonlySet<SensorRole>;
}

/** Means of the good readings; null when there is none. */
export interface ClimateReadings {
  temp_c: number | null;
  /** Roles that only a substitute serves. */
  substituted: readonly SensorRole[];
  /** Of each indoor thermometer. */
  temps_c: readonly number[];
  humidity_pct: number | null;
  co2_ppm: number | null;
  outdoor_c: number | null;
  outdoor_humidity_pct: number | null;
  wind_m_s: number | null;
  wind_dir_deg: number | null;
  radiation_w_m2: number | null;
  /** Long-wave radiation as a pyrgeometer reads it: from the sky, or net. */
  sky_w_m2: number | null;
  /** Above 0 while it rains. */
  rain: number | null;
  /** The reading of each influence by a measurement, in the order of the influences. */
  measured: readonly (number | null)[];
  moisture_pct: number | null;
  /** Water behind the mixing valve. */
  pipe_c: number | null;
  drain_l_h: number | null;
  /** Of each valve with a meter, l/h. */
  flows_l_h: Readonly<Record<string, number | null>>;
  /** When each of these was read, epoch ms. */
  flows_at_ms?: Readonly<Record<string, number>>;
  /** Known position of each actuator, 0 to 100 %. */
  stands_pct: Readonly<Record<string, number | null>>;
  /** Actuators that a person or a commissioning check holds. */
  held?: ReadonlyMap<string, ClimateHold>;
  /** For how long each is known to stand at 0, s; absent where nobody knows since when. */
  shut_s?: Readonly<Record<string, number>>;
}

/** The inputs of a loop at one tick. */
export interface Moment {
  program: ClimateProgram;
  house: ClimateHouse;
  readings: ClimateReadings;
  period: ClimatePeriod;
  setpoints: Readonly<Record<SetpointName, number | null>>;
  now_ms: number;
  /** Since the last tick, s; 0 at the first. */
  dt_s: number;
  /** The last tick is so long ago that the program was stopped. */
  isAfterStop: boolean;
  isDay: boolean;
}

/** A loop's demand on one actuator. */
export interface Demand {
  key: string;
  /** 0 to 100 %; null: its safe state. */
  pct: number | null;
  cause: ClimateCause;
  /** Commanded once, for `for_s`: not repeated under the same id. */
  once?: { id: string; for_s: number };
}

/** The result of a loop at one tick. */
export interface LoopResult<State> {
  state: State;
  demands: Demand[];
  live: ClimateLoopLive;
}

export function cause(code: ClimateReason, values: ClimateCause['values'] = {}): ClimateCause {
  const rounded = Object.entries(values).map(([key, value]) => [key, Math.round(value * 100) / 100]);
  return { code, values: Object.fromEntries(rounded) as Record<string, number> };
}

export function actuatorsOf({ actuators }: ClimateHouse, ...roles: ActuatorRole[]): ClimateActuator[] {
  return actuators.filter(({ role }) => roles.includes(role));
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** A value between two points of a line, constant beyond both. */
export function along(
  x: number,
  [from_x, from_y]: readonly [number, number],
  [to_x, to_y]: readonly [number, number],
): number {
  return from_y + clamp((x - from_x) / (to_x - from_x), 0, 1) * (to_y - from_y);
}

export function loopLive(
  loop: ClimateLoop,
  found: { target: number | null; measured: number | null; demand_pct: number | null; cause: ClimateCause },
  limits: ClimateLimit[] = [],
): ClimateLoopLive {
  return { loop, ...found, limits };
}
