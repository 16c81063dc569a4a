import { describe, expect, it } from 'vitest';
import { pid, type Pid } from '../../../../server/contract/pid.ts';
import type { PidRehearsalRequest } from '../../../../server/contract/pid-rehearsal.ts';
import { rehearsalSteps, rehearsePid } from '../../../../server/domain/rehearsal/pid-rehearsal.ts';

const id = '00000000-0000-4000-8000-000000000001';
const heating: Pid = pid.parse({
  unique_id: id,
  name: 'Heating',
  is_activated: true,
  measurement: { device_id: id, measurement_id: id, max_age_s: 60 },
  setpoint: 18,
  method_id: null,
  setpoint_measurement: null,
  period_s: 30,
  kp: 12,
  ki: 0.02,
  kd: 0,
  derivative_filter_s: 0,
  integrator_min: null,
  integrator_max: null,
  band: 0,
  direction: 'raise',
  raise: { output_id: id, kind: 'pwm' },
  lower: null,
});
const asked: PidRehearsalRequest = {
  gains: [
    { kp: 10, ki: 0.01, kd: 0 },
    { kp: 60, ki: 0.6, kd: 0 },
  ],
  from: 18,
  to: 21,
  hours: 3,
  lag_s: 120,
  outdoor: { temp_c: 2, radiation_w_m2: 0, wind_m_s: 2 },
};
const given = { pid: heating, quantity: 'temperature', raise: 'heater', lower: null, asked } as const;

describe('gains that are tried on a simulated house', () => {
  it('are told apart: a wild set overshoots and moves more, a calm one settles', () => {
    const { runs, times_s } = rehearsePid(given);
    const [calm, wild] = runs;
    if (calm === undefined || wild === undefined) throw new Error('two were asked for');
    expect(wild.overshoot).toBeGreaterThan(calm.overshoot);
    expect(wild.moves).toBeGreaterThan(calm.moves);
    expect(calm.settling_s).not.toBeNull();
    expect(calm.values.at(-1)).toBeCloseTo(21, 1);
    expect(calm.values[0]).toBeCloseTo(18, 0);
    for (const one of runs) expect([one.values.length, one.control.length]).toEqual([times_s.length, times_s.length]);
  });

  it('start from one house: the same gains give the same, whatever stands beside them', () => {
    const [gains] = asked.gains;
    if (gains === undefined) throw new Error('they were asked for');
    const alone = rehearsePid({ ...given, asked: { ...asked, gains: [gains] } });
    expect(rehearsePid(given).runs[0]).toEqual(alone.runs[0]);
  });

  it('do not settle where the heater is too weak for the weather', () => {
    const weak = { ...heating, raise: { output_id: id, kind: 'pwm' as const, max: 10 } };
    const { runs } = rehearsePid({ ...given, pid: weak });
    expect(runs[0]).toMatchObject({ settling_s: null, rise_s: null, overshoot: 0 });
  });

  it('heat as much by pulses as by a position', () => {
    const pulsed = { ...heating, period_s: 60, raise: { output_id: id, kind: 'duration' as const } };
    const gains = [{ kp: 6, ki: 0.006, kd: 0 }]; // s of 60 instead of %
    const { runs } = rehearsePid({ ...given, pid: pulsed, asked: { ...asked, gains } });
    expect(runs[0]?.values.at(-1)).toBeCloseTo(21, 0);
    expect(runs[0]?.moves).toBeGreaterThan(100); // one pulse a minute
  });

  it('lower by a vent what the sun has warmed', () => {
    const vent = { ...heating, direction: 'lower' as const, raise: null };
    const venting = { ...vent, lower: { output_id: id, kind: 'value' as const } };
    const outdoor = { temp_c: 15, radiation_w_m2: 600, wind_m_s: 3 };
    const gains = [{ kp: 10, ki: 0.02, kd: 0 }];
    const { runs } = rehearsePid({
      pid: venting,
      quantity: 'temperature',
      raise: null,
      lower: 'roof_vent',
      asked: { ...asked, gains, from: 26, to: 23, outdoor },
    });
    expect(runs[0]?.values.at(-1)).toBeCloseTo(23, 0);
    expect(Math.min(...(runs[0]?.control ?? []))).toBeLessThan(0);
  });

  it('overshoot more the later the sensor follows', () => {
    const [fast, slow] = [0, 600].map((lag_s) => rehearsePid({ ...given, asked: { ...asked, lag_s } }).runs[0]);
    expect(slow?.overshoot).toBeGreaterThan((fast?.overshoot ?? 0) + 0.05);
  });

  it('take so many steps', () => {
    expect(rehearsalSteps(asked, { period_s: 30 })).toBe(2 * (5 * 120));
    expect(rehearsalSteps(asked, { period_s: 1 })).toBe(2 * (5 * 3600));
  });
});
