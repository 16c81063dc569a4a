import type { Evidence } from '../../contract/commissioning.ts';
import type { Baseline } from '../../domain/commissioning/baseline.ts';
import { rounded } from '../../domain/commissioning/actuator-judgement.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { StepResponse } from '../../domain/commissioning/step-response.ts';
import type { Clock } from '../clock.ts';

/** How much before the command a trace shows, s, and the most points that it has. */
const lead_s = 60;
const mostPoints = 240;

export interface Shown {
  series: Series;
  baseline: Baseline | null;
  answer: StepResponse | null;
  /** Elapsed s; null before it. */
  driven_s: number | null;
  restored_s: number | null;
}

/** What a trial or a watch rests on, as the interface gives it. */
export function evidenceOf({ series, baseline, answer, driven_s, restored_s }: Shown, clock: Clock): Evidence {
  const epochMs = (time_s: number): number => Math.round(clock.now() - clock.elapsed() + time_s * 1000);
  const iso = (time_s: number | null): string | null =>
    time_s === null ? null : new Date(epochMs(time_s)).toISOString();
  const points = series.points.filter(({ time_s }) => driven_s === null || time_s > driven_s - lead_s);
  const every = Math.ceil(points.length / mostPoints);
  const kept = points.filter((_, index) => (points.length - 1 - index) % every === 0);
  return {
    sensor: series.name,
    device_id: series.device_id,
    measurement_id: series.measurement_id,
    unit: series.unit,
    baseline: orNull(baseline?.mean),
    response: orNull(answer?.response),
    threshold: orNull(answer?.threshold),
    noise: orNull(baseline?.noise),
    lag_s: answer?.lag_s == null ? null : Math.max(0, rounded(answer.lag_s)),
    driven_at: iso(driven_s),
    restored_at: iso(restored_s),
    trace: {
      times: kept.map(({ time_s }) => epochMs(time_s)),
      values: kept.map(({ value }) => Number(value.toPrecision(6))),
    },
  };
}

function orNull(value: number | null | undefined): number | null {
  return value == null ? null : Number(value.toPrecision(4));
}
