import { z } from 'zod';
import { action, actionFaults, actionReferences, actionRun, statementName } from './action.ts';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { outputRef } from './output.ts';
import { controlMeasurement } from './pid.ts';
import { countOf, measured } from './quantity.ts';
import { reason } from './reason.ts';
import { statementFault, statementLanguage } from './statement.ts';
import { moment, timestamp } from './time.ts';
import { why } from './refusal-reason.ts';

const base = { unique_id: uuid, name: statementName };
const over_s = z.number().min(1).max(604_800).describe('How far it looks back, in s');
const { max_age_s: _max_age_s, ...series } = controlMeasurement.shape;

/** What a statement can refer to: a number, a boolean, or for `dict` a list of numbers. Each can be missing. */
export const condition = z.discriminatedUnion('kind', [
  z.strictObject({ ...base, kind: z.literal('measurement'), ...controlMeasurement.shape }),
  z.strictObject({
    ...base,
    kind: z.literal('past'),
    ...series,
    over_s,
    take: z.enum(['mean', 'sum', 'least', 'most', 'count']).describe('Of the good readings of that time'),
  }),
  z.strictObject({ ...base, kind: z.literal('dict').describe('The good readings of that time'), ...series, over_s }),
  z.strictObject({ ...base, kind: z.literal('output_state').describe('Whether it is on'), ...outputRef.shape }),
  z.strictObject({ ...base, kind: z.literal('output_duty').describe('0 to 100 %'), ...outputRef.shape }),
  z.strictObject({
    ...base,
    kind: z.literal('output_on_s').describe('How long it has been on, s'),
    ...outputRef.shape,
  }),
  z.strictObject({
    ...base,
    kind: z.literal('controller').describe('Whether it runs without a fault'),
    controller_id: uuid,
  }),
]);
export type Condition = z.infer<typeof condition>;

const statement = z.string().max(10_000).describe('In the language of statements, see its documentation');

export const conditional = z.strictObject({
  unique_id: uuid,
  name,
  is_activated: z.boolean(),
  period_s: z.number().min(1).max(86_400).describe('How often the statement runs, in s'),
  start_offset_s: z.number().min(0).max(86_400).describe('Until it runs first, in s'),
  conditions: z.array(condition).max(50),
  statement,
  actions: z.array(action).max(20),
});
export type Conditional = z.infer<typeof conditional>;

export const conditionalCreate = conditional
  .omit({ unique_id: true })
  .partial()
  .required({ name: true, statement: true, conditions: true, actions: true });

/** Fields that are not named stay; conditions and actions are replaced whole. */
export const conditionalPatch = conditionalCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
});

/** A statement with everything that it can use. */
export const statementCheck = conditional.pick({ statement: true, conditions: true, actions: true });

/** The live state of a conditional function. */
export const conditionalLive = z.strictObject({
  conditional_id: uuid,
  last_run: actionRun.nullable().describe('What it did last; null before it did anything since the daemon began'),
});
export type ConditionalLive = z.infer<typeof conditionalLive>;

export const conditionalEndpoints = {
  ...settingsEndpoints(
    { word: 'conditional', plural: 'conditionals', one: 'a conditional function' },
    { settings: conditional, create: conditionalCreate, patch: conditionalPatch },
  ),
  listLive: endpoint({
    method: 'GET',
    path: '/api/conditionals',
    tag: 'conditionals',
    summary: 'List the conditional functions with what they did last',
    access: 'view_stats',
    answer: z.strictObject({ conditionals: z.array(conditionalLive) }),
    statuses: [200],
  }),
  language: endpoint({
    method: 'GET',
    path: '/api/conditionals/language',
    tag: 'conditionals',
    summary: 'List the words, functions and operators of statements',
    access: 'view_settings',
    answer: statementLanguage,
    statuses: [200],
  }),
  dryRun: endpoint({
    method: 'POST',
    path: '/api/settings/conditionals/dry_run',
    tag: 'conditionals',
    summary: 'Say what a conditional function would have done over stored days; nothing is switched',
    access: 'edit_controllers',
    budget: 'calculation',
    body: statementCheck.extend({
      period_s: conditional.shape.period_s,
      from: moment.describe('The first look'),
      to: moment.describe('No look after it; 31 days and 50,000 looks after from at most, and not in the future'),
    }),
    answer: z.strictObject({
      looks: countOf('How often it would have looked'),
      run_count: countOf('Actions that it would have run'),
      runs: z
        .array(
          z.strictObject({
            at: timestamp,
            action: z.string(),
            value: z.union([measured('Given to the action'), z.boolean()]).nullable(),
            because: z.string(),
            reason: reason.describe('The same as data'),
          }),
        )
        .describe('The first 1000 of them'),
      stops: z
        .array(
          z.strictObject({
            line: z.int().min(1).max(10_001).describe('Counted from 1'),
            column: z.int().min(1).max(10_001).describe('Counted from 1'),
            reason: z.enum(['missing', 'budget']).describe('A value was missing, or it took too many steps'),
            count: countOf('How often'),
            first_at: timestamp,
          }),
        )
        .describe('Where the statement could not go on'),
      unknown: z.array(z.string()).describe('Conditions of which nothing is stored in that time: they are missing'),
    }),
    statuses: [200],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/settings/conditionals/check',
    tag: 'conditionals',
    summary: 'Say what is wrong with a statement',
    access: 'view_settings',
    budget: 'calculation',
    body: statementCheck,
    answer: z.strictObject({ errors: z.array(statementFault).describe('None where it can run') }),
    statuses: [200],
  }),
};

function references({ conditions, actions }: Conditional): ControllerReference[] {
  const named = conditions.flatMap((one, index): ControllerReference[] => {
    const path = `conditions[${index}]`;
    if (one.kind === 'controller') return [];
    if ('output_id' in one)
      return [{ path: `${path}.output_id`, to: 'output', id: one.output_id, channel: one.channel }];
    return [
      { path: `${path}.measurement_id`, to: 'measurement', id: one.device_id, measurement_id: one.measurement_id },
    ];
  });
  return [...named, ...actionReferences(actions)];
}

function faults({ conditions, actions }: Conditional): ControllerFault[] {
  const all = [
    ...conditions.map(({ name }, index) => ({ name, path: `conditions[${index}].name` })),
    ...actions.map(({ name }, index) => ({ name, path: `actions[${index}].name` })),
  ];
  const doubles = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) < index);
  return [...doubles.map(({ path }) => ({ path, ...why('name_taken') })), ...actionFaults(actions)];
}

export const conditionalKind = controllerKind({
  type: 'Conditional',
  word: 'conditional',
  plural: 'conditionals',
  noun: 'conditional function',
  isDevice: false,
  alarmSource: 'controller',
  settings: conditional,
  endpoints: conditionalEndpoints,
  stored: { defaults: { is_activated: true, period_s: 60, start_offset_s: 0 }, references, faults },
});
