import type { Pid } from '../../contract/pid.ts';
import { controlLimits, type DemandRange, type DemandRanges } from './pid-demand.ts';
import type { PidSettings } from './pid.ts';

/** The most that is measured out in a period where nobody says, ml. */
const mostMl = 1e6;

/** What the outputs of a PID can be asked for. */
export function demandRanges({ direction, raise, lower, period_s }: Pid): DemandRanges {
  return { direction, period_s, raise: rangeOf(raise, period_s), lower: rangeOf(lower, period_s) };
}

/** The tuning of a PID with the gains that are in effect. */
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
