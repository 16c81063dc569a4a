import { expect, it } from 'vitest';
import { pid } from '../../../../../server/contract/pid.ts';
import { pidDryRun } from '../../../../../server/domain/control/dry-runs/pid.ts';
import { explained } from '../../../../../server/domain/control/reason-text.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const heating = pid.parse({
  unique_id: id(1),
  name: 'Heating',
  is_activated: true,
  setpoint: 20,
  method_id: null,
  setpoint_measurement: null,
  measurement: { device_id: id(2), measurement_id: id(3), max_age_s: 60 },
  period_s: 60,
  kp: 12,
  ki: 0.02,
  kd: 5,
  derivative_filter_s: 0,
  integrator_min: null,
  integrator_max: null,
  band: 0,
  direction: 'raise',
  lower: null,
  raise: { output_id: id(4), kind: 'duration', min: 5 },
});

it.each([
  ['the law', 18, 24, { raise: 24 }, 'pid_law'],
  ['no more than its output can do', 10, 60, { raise: 60 }, 'pid_limited'],
  ['nothing below the least that is driven', 19.9, 1.2, { raise: 0 }, 'pid_law'],
  ['nothing against its direction', 25, 0, { raise: 0 }, 'pid_limited'],
])('a PID that begins now asks for %s', (_, measurement, control, demand, code) => {
  const found = pidDryRun(heating, { setpoint: 20, measurement, unit: 'C' });
  expect(found.terms?.control).toBeCloseTo(control, 9);
  expect(found.terms).toMatchObject({ i: 0 });
  expect(Math.abs(found.terms?.d ?? NaN)).toBe(0);
  expect(found.demand).toEqual(demand);
  expect(found.reason.code).toBe(code);
  expect(explained(found.reason).because).toContain(`${measurement}\u202f°C`);
});

it.each([
  [null, 20],
  [20, null],
  [20, NaN],
])('a PID without a reading asks for nothing (%s, %s)', (setpoint, measurement) => {
  const found = pidDryRun(heating, { setpoint, measurement, unit: '' });
  expect(found).toMatchObject({ terms: null, demand: {}, reason: { code: 'pid_no_reading' } });
});
