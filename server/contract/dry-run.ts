import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { functionCreate, functionLive } from './function.ts';
import { uuid } from './identifier.ts';
import { outputRef } from './output.ts';
import { pidCreate, pidLive } from './pid.ts';
import { countOf, epochMs, measured } from './quantity.ts';
import { reason } from './reason.ts';
import { moment, timestamp } from './time.ts';
import { triggerCreate } from './trigger.ts';

const span = {
  from: moment.describe('The first look'),
  to: moment.describe('No look after it; 31 days after from at most, and not in the future'),
};
const known = {
  unique_id: uuid
    .optional()
    .describe('Of the one that it would change, whose outputs are its own; absent of a new one'),
};
const why = {
  because: z.string().describe('The rule with its numbers, in English'),
  reason: reason.describe('The same as data'),
};
const run_count = countOf('How often it would have acted');

/** The first step of a PID with the present measurement. */
export const pidDryRun = z.strictObject({
  ...pidLive.pick({ setpoint: true, measurement: true, measured_at: true, error: true, p: true, i: true, d: true })
    .shape,
  ...pidLive.pick({ control: true, raise: true, lower: true }).shape,
  unit: z.string().nullable().describe('Of setpoint and measurement; null where the measurement has none'),
  ...why,
});

export const triggerDryRun = z.strictObject({
  run_count,
  runs: z.array(z.strictObject({ at: timestamp, ...why })).describe('The first 1000 of them'),
  next: z.array(timestamp).describe('When it would act next, up to 5 times; empty where it goes by no clock'),
  duty_pct: measured('What its method gives now, in %')
    .nullable()
    .describe('null where it follows none, or the method gives nothing'),
  is_known: z.boolean().describe('false where nothing is stored in that time of what it watches'),
});

export const functionDryRun = z.strictObject({
  looks: countOf('How often it would have looked'),
  missing_count: countOf('Looks at which a measurement was missing, bad or too old'),
  times: z.array(epochMs).describe('Epoch ms, ascending, up to 289 of the looks'),
  values: z.array(measured('What it worked out, or went by').nullable()).describe('As long as times'),
  last: z
    .strictObject({
      ...functionLive.pick({ value: true, unit: true, is_on: true, because: true, reason: true, values: true }).shape,
      at: timestamp,
    })
    .nullable()
    .describe('Its last look'),
  run_count,
  runs: z
    .array(
      z.strictObject({
        at: timestamp,
        output: outputRef,
        value: z.union([z.boolean(), measured('A dose, in ml')]).describe('On, off, or a dose in ml'),
        ...why,
      }),
    )
    .describe('The first 1000 commands'),
});

const common = {
  method: 'POST',
  access: 'edit_controllers',
  budget: 'calculation',
  statuses: [200],
} as const;
const errors = ['unknown_reference', 'output_driven', 'circular_reference', 'rate_limited'] as const;

/**
 * What settings would do, before they are stored; nothing is driven. The dry run of conditional functions is beside
 * their statement.
 */
export const dryRunEndpoints = {
  pid: endpoint({
    ...common,
    path: '/api/settings/pids/dry_run',
    tag: 'pids',
    summary: 'Say what a PID would ask of its outputs now, with nothing added up; nothing is driven',
    body: z.strictObject({ pid: pidCreate, ...known }),
    answer: pidDryRun,
    errors,
  }),
  trigger: endpoint({
    ...common,
    path: '/api/settings/triggers/dry_run',
    tag: 'triggers',
    summary: 'Say when a trigger would have acted over stored days, and when it would act next; nothing is driven',
    body: z.strictObject({ trigger: triggerCreate, ...known, ...span }),
    answer: triggerDryRun,
    errors: [...errors, 'endless_loop'],
  }),
  function: endpoint({
    ...common,
    path: '/api/settings/functions/dry_run',
    tag: 'functions',
    summary: 'Say what a function would have worked out and driven over stored days; nothing is driven',
    body: z.strictObject({ function: functionCreate, ...known, ...span }),
    answer: functionDryRun,
    errors,
  }),
};
