import type { PidLive } from '../../../server/contract/pid.ts';
import type { Span } from '../../chart/night.ts';

/** What is drawn of a PID. */
export const traced = ['setpoint', 'measurement', 'p', 'i', 'd', 'control'] as const;
export type Traced = (typeof traced)[number];

/** A PID's live values, as columns. */
export type Trace = { times: readonly number[] } & Record<Traced, readonly (number | null)[]>;

/** One hour of one-second steps. */
const most = 3_600;

export const noTrace: Trace = { times: [], setpoint: [], measurement: [], p: [], i: [], d: [], control: [] };

/** The trace with the PID's latest values; drops the oldest. */
export function traceWith(trace: Trace, atMs: number, told: PidLive): Trace {
  if (atMs <= (trace.times.at(-1) ?? -Infinity)) return trace;
  const columns = traced.map((name) => [name, [...trace[name], told[name]].slice(-most)] as const);
  return { times: [...trace.times, atMs].slice(-most), ...(Object.fromEntries(columns) as Record<Traced, number[]>) }; // a value for each
}

/** Stored values of one of them. */
export interface Columns {
  times: readonly number[];
  values: readonly (number | null)[];
}

/** Stored values from before a trace, followed by the trace. */
export function withHistory({ times, values }: Columns, trace: Trace, key: Traced): Columns {
  const first = trace.times[0] ?? Infinity;
  const older = times.filter((time) => time < first).length;
  return { times: [...times.slice(0, older), ...trace.times], values: [...values.slice(0, older), ...trace[key]] };
}

/** The last `minutes` up to now. */
export function stretch(minutes: number, nowMs: number): Span {
  return { from_ms: nowMs - minutes * 60_000, to_ms: nowMs };
}
