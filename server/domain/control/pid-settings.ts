import type { Pid } from '../../contract/pid.ts';
import { controlLimits, type DemandRange, type DemandRanges } from './pid-demand.ts';
import type { PidSettings } from './pid.ts';

/** Default maximum dose in a period, ml. */
const mostMl = 1e6;

/** The possible demands on the outputs of a PID. */
export function demandRanges({ direction, raise, lower, period_s }: Pid): DemandRanges {
  return { direction, period_s, raise: rangeOf(raise, period_s), lower: rangeOf(lower, period_s) };
}

/** The tuning of a PID with its effective gains. */
export function lawSettings(pid: Pid, gains: Pick<Pid, 'kp' | 'ki' | 'kd'>): PidSettings {
  const { derivative_filter_s, integrator_min, integrator_max, band } = pid;
  const { kp, ki, kd } = gains;
  const limits = controlLimits(demandRanges(pid));
  return { kp, ki, kd, derivative_filter_s, integrator_min, integrator_max, band, limits };
}

function rangeOf(output: Pid['raise'], period_s: number): DemandRange | undefined {
  if (output === null) return undefined;
  const { kind, min = 0, min_off_s = 0 } = output;
  const most = { duration: period_s, pwm: 100, value: 100, volume: mostMl }[kind];
  return { kind, min, max: Math.min(output.max ?? most, most), min_off_s };
}
