import { outdoorCo2_ppm } from '../climate/air.ts';
import type { Pid } from '../../contract/pid.ts';
import type {
  PidGains,
  PidRehearsal,
  PidRehearsalRequest,
  RehearsableQuantity,
  RehearsedGains,
  RehearsedPart,
} from '../../contract/pid-rehearsal.ts';
import type { Weather } from '../climate/weather.ts';
import { demandOf, type Demand } from '../control/pid-demand.ts';
import { demandRanges, lawSettings } from '../control/pid-settings.ts';
import { pidStep, restingPid } from '../control/pid.ts';
import {
  allOff,
  houseAfterDay,
  readIndoor,
  stepSimulatedHouse,
  type Equipment,
  type IndoorReading,
} from '../simulation/simulated-house.ts';

export interface PidRehearsalAsked {
  pid: Pid;
  quantity: RehearsableQuantity;
  raise: RehearsedPart | null;
  lower: RehearsedPart | null;
  asked: PidRehearsalRequest;
}

/** Each set of gains holds the first setpoint this long before it is judged, s; only the end of that is shown. */
const settle_s = 2 * 3600;
const shownBefore_s = 900;
/** Longest step of the model, s: its air responds within minutes. */
const longestStep_s = 30;
const mostPoints = 400;
/**
 * A loop has settled within this fraction of the step: the usual 5 % (Astrom and Hagglund 1995, PID Controllers,
 * section 2.6).
 */
const settledShare = 0.05;
const risenShare = 0.9;
/** Smaller changes of position do not count, %. */
const leastMove_pct = 1;

const readingOf: Record<RehearsableQuantity, keyof IndoorReading> = {
  temperature: 'temp_c',
  humidity: 'humidity_pct',
  co2: 'co2_ppm',
  light: 'light_w_m2',
};

/** Number of loop steps that a rehearsal takes. */
export function rehearsalSteps({ gains, hours }: PidRehearsalRequest, { period_s }: Pick<Pid, 'period_s'>): number {
  const span_s = settle_s + hours * 3600;
  return gains.length * Math.ceil(span_s / Math.min(period_s, longestStep_s));
}

/** How a PID with each set of gains follows a new setpoint, each in its own house in steady weather. */
export function rehearsePid(given: PidRehearsalAsked): Pick<PidRehearsal, 'times_s' | 'runs'> {
  const runs = given.asked.gains.map((gains) => ({ gains, trace: followed(given, gains) }));
  const [first] = runs;
  const shown = (first?.trace ?? []).flatMap(({ time_s }, index) => (time_s >= -shownBefore_s ? [index] : []));
  const every = Math.ceil(shown.length / mostPoints);
  const drawn = shown.filter((_, at) => at % every === 0);
  return {
    times_s: drawn.map((at) => first?.trace[at]?.time_s ?? 0),
    runs: runs.map(({ gains, trace }): RehearsedGains => {
      const points = drawn.flatMap((at) => trace[at] ?? []);
      return {
        ...gains,
        values: points.map(({ value }) => value),
        control: points.map(({ control }) => control),
        ...judged(trace, given),
      };
    }),
  };
}

interface Step {
  /** After the new setpoint, s. */
  time_s: number;
  value: number;
  control: number;
  /** Whether an output was switched on or moved by it. */
  moves: number;
}

function followed({ pid, quantity, raise, lower, asked }: PidRehearsalAsked, gains: PidGains): Step[] {
  const weather = weatherOf(asked.outdoor);
  const [settings, ranges] = [lawSettings(pid, gains), demandRanges(pid)];
  const parts = { raise, lower };
  const trace: Step[] = [];
  let [house, law, before] = [houseAfterDay(() => weather), restingPid, {} as Demand];
  let equipment = { ...allOff };
  for (let time_s = -settle_s; time_s <= asked.hours * 3600; time_s += pid.period_s) {
    const air = readIndoor(house, { equipment, weather })[readingOf[quantity]];
    const value = lagged(trace.at(-1)?.value ?? air, air, { lag_s: asked.lag_s, dt_s: pid.period_s });
    const setpoint = time_s < 0 ? asked.from : asked.to;
    const next = pidStep(law, settings, { setpoint, measurement: value, dt_s: trace.length === 0 ? 0 : pid.period_s });
    law = next.state;
    const control = next.terms?.control ?? 0;
    const demand = demandOf(control, ranges);
    trace.push({ time_s, value, control, moves: movesOf(pid, before, demand) });
    before = demand;
    for (const { positions, lasts_s } of stretches(pid, demand, parts)) {
      equipment = { ...allOff, ...positions };
      for (let left_s = lasts_s; left_s > 0; left_s -= longestStep_s)
        house = stepSimulatedHouse(house, { equipment, weather }, Math.min(left_s, longestStep_s));
    }
  }
  return trace;
}

/** The reading of a first-order sensor: moves from its last reading towards the true value. */
function lagged(said: number, is: number, { lag_s, dt_s }: { lag_s: number; dt_s: number }): number {
  return lag_s === 0 ? is : is + (said - is) * Math.exp(-dt_s / lag_s);
}

/** The equipment positions within a period, in order: a pulse comes at the beginning. */
function stretches(
  pid: Pid,
  demand: Demand,
  parts: Record<'raise' | 'lower', RehearsedPart | null>,
): { positions: Partial<Equipment>; lasts_s: number }[] {
  const sides = (['raise', 'lower'] as const).flatMap((side) => {
    const [part, output, amount = 0] = [parts[side], pid[side], demand[side]];
    if (part === null || output === null) return [];
    // A volume is delivered evenly: its maximum is the part's full capacity.
    const most = output.kind === 'volume' ? (output.max ?? amount) : 100;
    const [position, on_s] = output.kind === 'duration' ? [1, amount] : [amount / (most || 1), pid.period_s];
    return [{ part, position, on_s }];
  });
  const turns = [0, ...sides.map(({ on_s }) => Math.min(on_s, pid.period_s)), pid.period_s].sort((a, b) => a - b);
  return turns.slice(1).map((end_s, at) => {
    const begin_s = turns[at] ?? 0;
    const on = sides.filter(({ on_s }) => on_s > begin_s);
    return {
      positions: Object.fromEntries(on.map(({ part, position }) => [part, position])),
      lasts_s: end_s - begin_s,
    };
  });
}

function movesOf(pid: Pid, before: Demand, now: Demand): number {
  return (['raise', 'lower'] as const).filter((side) => {
    const [last = 0, next = 0] = [before[side], now[side]];
    // A pulse restarts in each period; one that fills the period continues.
    if (pid[side]?.kind === 'duration') return next > 0 && last < pid.period_s;
    if (pid[side]?.kind === 'volume') return next > 0;
    return Math.abs(next - last) >= leastMove_pct;
  }).length;
}

type Judgement = Pick<RehearsedGains, 'overshoot' | 'rise_s' | 'settling_s' | 'error_h' | 'moves'>;

function judged(trace: readonly Step[], { pid, asked: { from, to } }: PidRehearsalAsked): Judgement {
  const after = trace.filter(({ time_s }) => time_s >= 0);
  const up = Math.sign(to - from);
  const tolerance = Math.max(settledShare * Math.abs(to - from), pid.band);
  const lastOutside = after.findLastIndex(({ value }) => Math.abs(value - to) > tolerance);
  const risen = after.find(({ value }) => up * (value - from) >= risenShare * Math.abs(to - from));
  const error = after.reduce((sum, { value }) => sum + Math.abs(value - to), 0);
  return {
    overshoot: Math.max(0, ...after.map(({ value }) => up * (value - to))),
    rise_s: risen?.time_s ?? null,
    settling_s: after[lastOutside + 1]?.time_s ?? null,
    error_h: (error * pid.period_s) / 3600,
    moves: after.reduce((sum, { moves }) => sum + moves, 0),
  };
}

/** Steady weather; other values as on a usual day. */
function weatherOf(outdoor: PidRehearsalRequest['outdoor']): Weather {
  return { ...outdoor, humidity_pct: 75, co2_ppm: outdoorCo2_ppm, wind_dir_deg: 270, rain_mm_h: 0 };
}
