import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { countOf, quantity, settable } from './quantity.ts';
import { timestamp } from './time.ts';

/** A trial that makes the loop oscillate by switching its outputs fully on and off around the setpoint. */
export const pidAutotuneStart = z.strictObject({
  hysteresis: z
    .number()
    .gt(0)
    .max(1e6)
    .describe(
      'The measurement must pass the setpoint by so much before the outputs turn, in its unit; above its noise',
    ),
  least: settable.describe('The trial is given up below it, in the unit of the measurement, -1e15 to 1e15'),
  most: settable.describe('The trial is given up above it, in the unit of the measurement, -1e15 to 1e15'),
  max_s: z.number().min(60).max(86_400).describe('The trial is given up after this time, in s'),
});
export type PidAutotuneStart = z.infer<typeof pidAutotuneStart>;

export const pidAutotune = z.strictObject({
  pid_id: uuid,
  phase: z.enum(['idle', 'running', 'done', 'failed']),
  reason: z
    .enum(['timed_out', 'out_of_range', 'measurement_missing', 'one_sided', 'too_small', 'aborted'])
    .nullable()
    .describe('Why it failed; null where it did not'),
  cycles: countOf('Of the oscillation that were seen last'),
  progress: z
    .strictObject({
      done_pct: z.number().min(0).max(100).describe('Of the oscillations or of the time that it may take, in %'),
      ends_at: timestamp.describe('At the latest: it is given up then'),
    })
    .nullable()
    .describe('null while none runs'),
  ku: quantity('', 'Gain at which the loop would go on oscillating, control per unit of the measurement').nullable(),
  tu_s: quantity('s', 'Period of that oscillation').nullable(),
  proposals: z
    .array(
      z.strictObject({
        rule: z.enum(['tyreus_luyben_pi', 'tyreus_luyben_pid', 'ziegler_nichols_pi', 'ziegler_nichols_pid']),
        kp: quantity('', 'Proportional gain, control per unit of the measurement'),
        ki: quantity('', 'Integral gain, control per unit of the measurement and s'),
        kd: quantity('', 'Derivative gain, control s per unit of the measurement'),
      }),
    )
    .describe('Gains to choose from, the calmest first: nothing takes them by itself'),
});
export type PidAutotune = z.infer<typeof pidAutotune>;

const path = '/api/pids/:pid_id/autotune';
const tag = 'pids';
const params = z.strictObject({ pid_id: uuid });
const errors = ['not_found', 'not_active', 'command_failed', 'command_unknown', 'daemon_unreachable'] as const;

export const pidAutotuneEndpoints = {
  begin: endpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Begin a trial that proposes gains for a PID; its outputs go between all and nothing',
    access: 'edit_controllers',
    budget: 'command',
    params,
    body: pidAutotuneStart,
    answer: pidAutotune,
    statuses: [200],
    errors,
  }),
  get: endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Read how far the trial of a PID is, and what it proposes',
    access: 'view_stats',
    params,
    answer: pidAutotune,
    statuses: [200],
    errors,
  }),
  abort: endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'End the trial of a PID: it goes on as before',
    access: 'edit_controllers',
    budget: 'safety',
    params,
    answer: pidAutotune,
    statuses: [200],
    errors,
  }),
};
