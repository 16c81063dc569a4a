import { expect, it } from 'vitest';
import type { PidLive } from '../../../../../server/contract/pid.ts';
import { noTrace, traceWith, withHistory } from '../../../../../renderer/features/control/pid-trace.ts';

const told = (measurement: number | null): PidLive => ({
  pid_id: '',
  state: 'running',
  setpoint: 20,
  measurement,
  measured_at: null,
  error: 0,
  p: 1,
  i: 2,
  d: 3,
  control: 6,
  raise: 6,
  lower: null,
  kp: 1,
  ki: 1,
  kd: 1,
  cause: null,
});

it('keeps what a PID tells, each moment once, and no more than an hour of seconds', () => {
  const twice = traceWith(traceWith(noTrace, 1_000, told(18)), 1_000, told(19));
  expect(twice).toMatchObject({ times: [1_000], measurement: [18], control: [6] });
  let trace = noTrace;
  for (let s = 1; s <= 4_000; s += 1) trace = traceWith(trace, s * 1_000, told(s));
  expect([trace.times.length, trace.times[0], trace.i.length]).toEqual([3_600, 401_000, 3_600]);
});

it('puts stored readings before what was told, and nothing twice', () => {
  const trace = traceWith(traceWith(noTrace, 3_000, told(18)), 4_000, told(null));
  const all = withHistory({ times: [1_000, 2_000, 3_500], values: [15, 16, 17] }, trace, 'measurement');
  expect(all).toEqual({ times: [1_000, 2_000, 3_000, 4_000], values: [15, 16, 18, null] });
});
