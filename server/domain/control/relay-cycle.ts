import type { OutputChannel } from '../../contract/output.ts';

/** Time on and cycle length of a relay that keeps a duty cycle, s. */
export interface RelayCycle {
  on_s: number;
  cycle_s: number;
}

/** The limits of a channel's cycles. */
export type CycleLimits = Pick<OutputChannel, 'pwm_cycle_s' | 'pwm_min_on_s' | 'min_off_s' | 'max_on_s'>;

/**
 * Time-proportioning control: on for the duty's part of each cycle. If that would be less than the minimum time on or
 * off, the cycle is lengthened to keep the duty right. undefined when the channel has no cycle, the duty is not between
 * 0 and 100 %, or it would be on for longer than it may.
 */
export function relayCycle(duty_pct: number, limits: CycleLimits): RelayCycle | undefined {
  const { pwm_cycle_s, pwm_min_on_s, min_off_s, max_on_s } = limits;
  if (pwm_cycle_s === null || duty_pct <= 0 || duty_pct >= 100) return undefined;
  const duty = duty_pct / 100;
  const cycle_s = Math.max(pwm_cycle_s, pwm_min_on_s / duty, min_off_s / (1 - duty));
  const on_s = duty * cycle_s;
  return max_on_s !== null && on_s > max_on_s ? undefined : { on_s, cycle_s };
}
