import type { PidLive } from '../../server/contract/pid.ts';

/** A running PID that has not measured anything yet. */
export function restingLive(pid_id: string): PidLive {
  return {
    pid_id,
    state: 'running',
    setpoint: 20,
    measurement: null,
    measured_at: null,
    error: null,
    p: null,
    i: null,
    d: null,
    control: null,
    raise: null,
    lower: null,
    kp: 1,
    ki: 0,
    kd: 0,
    cause: null,
  };
}
