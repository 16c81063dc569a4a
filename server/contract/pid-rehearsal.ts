import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { pid } from './pid.ts';
import { countOf, measured, quantity, settable } from './quantity.ts';

/** The parts of the simulated house that raise and lower each modelled quantity; the most common first. */
export const rehearsableParts = {
  temperature: { raise: ['heater', 'lighting'], lower: ['roof_vent', 'side_vent', 'fan', 'shade', 'fogger'] },
  humidity: { raise: ['fogger'], lower: ['roof_vent', 'side_vent', 'fan', 'heater'] },
  co2: { raise: ['co2'], lower: ['roof_vent', 'side_vent', 'fan'] },
  light: { raise: ['lighting'], lower: ['shade'] },
} as const;
export type RehearsableQuantity = keyof typeof rehearsableParts;

const part = z.enum(['heater', 'fan', 'side_vent', 'roof_vent', 'co2', 'lighting', 'shade', 'fogger']);
export type RehearsedPart = z.infer<typeof part>;

const gains = pid.pick({ kp: true, ki: true, kd: true });
export type PidGains = z.infer<typeof gains>;

export const pidRehearsalRequest = z.strictObject({
  gains: z.array(gains).min(1).max(4).describe('Tried one after the other, each in the same house and weather'),
  from: settable.describe('The setpoint that is held before, in the unit of the measurement, -1e15 to 1e15'),
  to: settable.describe('The setpoint from then on, in the unit of the measurement, -1e15 to 1e15'),
  hours: z.number().min(0.5).max(24).describe('How long it is watched after the new setpoint, h'),
  lag_s: z
    .number()
    .min(0)
    .max(3600)
    .describe('Time constant with which the sensor follows the air of the model, and of what brings the heat, s'),
  outdoor: z.strictObject({
    temp_c: z.number().min(-40).max(50).describe('Outdoor air, C'),
    radiation_w_m2: z.number().min(0).max(1200).describe('Global radiation, W/m2'),
    wind_m_s: z.number().min(0).max(40).describe('Wind, m/s'),
  }),
  raise: part.optional().describe('What its first output moves in the simulated house; the usual for the measurement'),
  lower: part.optional().describe('What its other output moves in the simulated house; the usual for the measurement'),
});
export type PidRehearsalRequest = z.infer<typeof pidRehearsalRequest>;

const rehearsed = gains.extend({
  values: z.array(measured('The measurement')).describe('As long as times_s, in its unit'),
  control: z.array(measured('What the outputs were asked for')).describe('As long as times_s, in their unit'),
  overshoot: quantity('', 'How far the measurement went beyond the new setpoint, in its unit'),
  rise_s: quantity('s', 'Until it was nine tenths of the way').nullable().describe('null where it never was'),
  settling_s: quantity('s', 'Until it stayed within a twentieth of the step, or the band')
    .nullable()
    .describe('null where it did not settle'),
  error_h: quantity('', 'Absolute error over the time, in the unit of the measurement times h'),
  moves: countOf('Times that an output was switched on, or its position changed by 1 % or more'),
});
export type RehearsedGains = z.infer<typeof rehearsed>;

export const pidRehearsal = z.strictObject({
  pid_id: uuid,
  unit: z.string().describe('Of the measurement'),
  raise: part.nullable().describe('What its first output moved; null where it has none'),
  lower: part.nullable().describe('What its other output moved; null where it has none'),
  times_s: z.array(measured('After the new setpoint, s; negative before')),
  runs: z.array(rehearsed).describe('In the order of the gains'),
});
export type PidRehearsal = z.infer<typeof pidRehearsal>;

export const pidRehearsalEndpoints = {
  rehearse: endpoint({
    method: 'POST',
    path: '/api/pids/:pid_id/rehearse',
    tag: 'pids',
    summary: 'Try gains of a PID on a simulated house: how it follows a new setpoint; nothing is commanded or stored',
    access: 'edit_controllers',
    budget: 'calculation',
    params: z.strictObject({ pid_id: uuid }),
    body: pidRehearsalRequest,
    answer: pidRehearsal,
    statuses: [200],
    errors: ['not_found', 'rate_limited'],
  }),
};
