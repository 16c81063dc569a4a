/** The last move of an actuator that moves in steps. */
export interface Moved {
  pct: number;
  moved_ms: number;
}

/** A vent, and how much of it was opened for what: warmth keeps nothing open that it did not open. */
export interface Vent extends Moved {
  warm_pct?: number;
  /** How much of it dries the air. */
  humid_pct?: number;
}

/** A switched heater. */
export interface Stage {
  is_on: boolean;
  since_ms: number;
  hours: number;
}

/** A screen: its position, and which other position is demanded since when. */
export interface ScreenState extends Moved {
  wanted_pct: number;
  wanted_ms: number;
}

/** The share of one valve in a shot. */
export interface Turn {
  key: string;
  litres: number;
  seconds: number;
  /** Absent until its turn has come. */
  until_ms?: number;
  /** Since when it flows, epoch ms, where it was shut in between. */
  opened_ms?: number;
  /** Its meter was read while it was open. */
  is_judged?: true;
  /** And told a flow. */
  has_flowed?: true;
  /** When its meter first told none, epoch ms. */
  dry_ms?: number;
  /** It has no flow, or stayed shut for too long. */
  has_failed?: true;
  /** How long it, or every pump, was seen shut, s: extends its turn by as much. Absent when it was not. */
  shut_s?: number;
}

/** What a climate program remembers between ticks, as JSON. Times are epoch ms. */
export interface ClimateState {
  version: 1;
  /** Time of the last tick; null before the first. */
  at_ms: number | null;
  /** Shift of each influence, by `influenceKeys`. */
  shifts: Record<string, number>;
  mean: {
    /** Warmth above the target mean temperature, K h. */
    degree_hours: number;
    correction_k: number;
    /** Mean of each of the last 24 hours, newest last, and the sums of the present hour. */
    hours_c: number[];
    hour_sum_c: number;
    hour_s: number;
  };
  heating: { integral_pct: number; owed_stages: number; stages: Record<string, Stage>; is_vented: boolean };
  /** Dimmed heaters. */
  dimmed: Record<string, Moved>;
  vents: Record<string, Vent>;
  /** What a lasting excess adds to the band of the vents, %. */
  vent_integral_pct: number;
  /** Mean wind as a vector, m/s; null when it was never read. */
  wind: { east: number; north: number } | null;
  /** The wind direction by which the sides were named, degrees. */
  side: { from_deg: number; since_ms: number } | null;
  /** What the vane says, for how much windy time it has said just that, and for how long nothing, s. */
  vane: { deg: number; still_s: number; silent_s?: number } | null;
  /** When each limit was last crossed. */
  crossed: { storm_ms: number | null; rain_ms: number | null; frost_ms: number | null };
  screens: { energy: ScreenState | null; shade: ScreenState | null };
  fans: Record<string, boolean>;
  /** When each was switched last. */
  fans_ms?: Record<string, number>;
  fog: { until_ms: number; next_ms: number };
  co2: {
    is_on: boolean;
    /** Sun enough, for how long it has been otherwise, s, and its running mean, W/m2. */
    light?: { isLight: boolean; turning_s: number; sun_w_m2: number | null };
    /** For how long it was dosed while the reading stayed the same, s. */
    still?: { ppm: number; dosed_s: number };
  };
  lamps: { lit: number; since_ms: number };
  irrigation: {
    /** Radiation since the last shot, J/m2, and when that began. */
    sum_j_m2: number;
    begun_ms: number | null;
    /** The last clock time that was used. */
    clock_ms: number | null;
    /** A clock time that passed while another shot ran. */
    due_ms?: number;
    /** The last shot was one of the clock. */
    is_timed?: boolean;
    /** The running valve, and those that follow. */
    turns: Turn[];
    correction_pct: number;
    /** Flow of each valve learnt from its meter, l/h. */
    flows: Record<string, number>;
    faults: Record<string, 'no_flow' | 'low_flow' | 'valve_shut' | 'shot_cut'>;
    /** Shots in a row of each valve in which its meter was not read. */
    unseen?: Record<string, number>;
    leaking_s: number;
  };
  today: {
    water_l: number;
    drain_l: number;
    shots: number;
    date: string;
    radiation_j_m2: number;
    light_mol_m2: number;
    co2_s: number;
    lamps_s: number;
  };
}

export const freshState: ClimateState = {
  version: 1,
  at_ms: null,
  shifts: {},
  mean: { degree_hours: 0, correction_k: 0, hours_c: [], hour_sum_c: 0, hour_s: 0 },
  heating: { integral_pct: 0, owed_stages: 0, stages: {}, is_vented: false },
  dimmed: {},
  vents: {},
  vent_integral_pct: 0,
  wind: null,
  side: null,
  vane: null,
  crossed: { storm_ms: null, rain_ms: null, frost_ms: null },
  screens: { energy: null, shade: null },
  fans: {},
  fog: { until_ms: 0, next_ms: 0 },
  co2: { is_on: false },
  lamps: { lit: 0, since_ms: 0 },
  irrigation: {
    sum_j_m2: 0,
    begun_ms: null,
    clock_ms: null,
    turns: [],
    correction_pct: 0,
    flows: {},
    faults: {},
    leaking_s: 0,
  },
  today: { water_l: 0, drain_l: 0, shots: 0, date: '', radiation_j_m2: 0, light_mol_m2: 0, co2_s: 0, lamps_s: 0 },
};

/**
 * After the clock was set back every remembered time moves back with it: no rest, limit or open valve lasts until the
 * clock has caught up.
 */
export function notAhead(state: ClimateState, now_ms: number): ClimateState {
  const ahead_ms = (state.at_ms ?? now_ms) - now_ms;
  return ahead_ms <= 0 ? state : moved(state, ahead_ms);
}

/** `isTime`: its name, or that of the record it stands in, ends with _ms. */
function moved<Part>(part: Part, by_ms: number, isTime = false): Part {
  if (typeof part === 'number') return (isTime ? part - by_ms : part) as Part; // a number too
  if (Array.isArray(part)) return part.map((one: unknown) => moved(one, by_ms, isTime)) as Part; // of the same parts
  if (part === null || typeof part !== 'object') return part;
  const entries = Object.entries(part).map(([key, value]: [string, unknown]) => [
    key,
    moved(value, by_ms, isTime || key.endsWith('_ms')),
  ]);
  return Object.fromEntries(entries) as Part; // of the same parts
}
