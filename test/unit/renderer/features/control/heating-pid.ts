import { pid } from '../../../../../server/contract/pid.ts';

export const id = '00000000-0000-4000-8000-000000000001';
/** A PID that heats. */
export const heating = pid.parse({
  unique_id: id,
  name: 'Heating',
  is_activated: true,
  measurement: { device_id: id, measurement_id: id, max_age_s: 60 },
  setpoint: 20,
  method_id: null,
  setpoint_measurement: null,
  period_s: 60,
  kp: 12,
  ki: 0.02,
  kd: 0,
  derivative_filter_s: 0,
  integrator_min: null,
  integrator_max: null,
  band: 0,
  direction: 'raise',
  raise: { output_id: id, kind: 'duration' },
  lower: null,
});
