import type { Evidence } from '../../contract/commissioning.ts';
import { amountOf, leastSeen, type Seen } from '../../domain/commissioning/actuator-figures.ts';
import { mean } from '../../domain/commissioning/point.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { Clock } from '../clock.ts';

/** How long before the command a trace begins, s, and the maximum points of a trace. */
const lead_s = 60;
const mostPoints = 240;

export interface ShownTrial {
  series: Series;
  seen: Seen | null;
  /** Elapsed s; null until then. */
  driven_s: number | null;
  restored_s: number | null;
}

/** The evidence of a trial, as the interface returns it. */
export function evidenceOfTrial({ series, seen, driven_s, restored_s }: ShownTrial, clock: Clock): Evidence {
  const before = series.points.filter(({ time_s }) => driven_s === null || time_s <= driven_s);
  return {
    ...traceOf(series, { driven_s, restored_s }, clock),
    baseline: before.length === 0 ? null : orNull(mean(before.map(({ value }) => value))),
    response: seen && orNull(amountOf(seen, seen.effect.size.estimate)),
    threshold: seen && orNull(leastSeen(seen)),
    noise: seen && orNull(seen.column.residual),
    lag_s: seen && seen.column.lag_s,
  };
}

/** The readings of a sensor while it was watched. */
export function evidenceOfSensor(series: Series, noise: number | null, clock: Clock): Evidence {
  const { points } = series;
  return {
    ...traceOf(series, { driven_s: null, restored_s: null }, clock),
    baseline: points.length === 0 ? null : orNull(mean(points.map(({ value }) => value))),
    noise: orNull(noise),
    response: null,
    threshold: null,
    lag_s: null,
  };
}

function traceOf(series: Series, times: { driven_s: number | null; restored_s: number | null }, clock: Clock) {
  const { driven_s, restored_s } = times;
  const epochMs = (time_s: number): number => Math.round(clock.now() - clock.elapsed() + time_s * 1000);
  const iso = (time_s: number | null): string | null =>
    time_s === null ? null : new Date(epochMs(time_s)).toISOString();
  const points = series.points.filter(({ time_s }) => driven_s === null || time_s > driven_s - lead_s);
  const every = Math.ceil(points.length / mostPoints);
  const kept = points.filter((_, index) => (points.length - 1 - index) % every === 0);
  return {
    sensor: series.name,
    role: series.role,
    device_id: series.device_id,
    measurement_id: series.measurement_id,
    unit: series.unit,
    driven_at: iso(driven_s),
    restored_at: iso(restored_s),
    trace: {
      times: kept.map(({ time_s }) => epochMs(time_s)),
      values: kept.map(({ value }) => Number(value.toPrecision(6))),
    },
  };
}

function orNull(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(4));
}
