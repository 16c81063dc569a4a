import { z } from 'zod';
import { action, actionFaults, actionReferences, actionRun } from './action.ts';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { clockTime } from './clock-time.ts';
import { outputRef } from './output.ts';
import { controlMeasurement } from './pid.ts';
import { countOf, settable } from './quantity.ts';
import { timestamp } from './time.ts';
import { why } from './refusal-reason.ts';

const weekdays = z
  .array(z.int().min(1).max(7))
  .min(1)
  .max(7)
  .describe('Monday 1 to Sunday 7; every day when absent')
  .optional();
const period_s = z.number().min(1).max(31_622_400).describe('In s');

/** What each kind watches. */
const kinds = {
  edge: {
    measurement: controlMeasurement,
    level: settable.describe('That the measurement passes, in its unit'),
    direction: z.enum(['rising', 'falling', 'both']),
    hysteresis: z
      .number()
      .min(0)
      .max(1e15)
      .describe('How far it must go back before it can pass again, in its unit')
      .optional(),
  },
  output: {
    output: outputRef,
    state: z.enum(['on', 'off']),
    for_s: z.number().min(0).max(86_400).describe('How long it must be so, in s; at once when absent').optional(),
  },
  output_pwm: {
    output: outputRef,
    level: z.number().min(0).max(100).describe('Duty cycle or position that it passes, in %'),
    direction: z.enum(['rising', 'falling', 'both']),
  },
  sunrise_sunset: {
    event: z.enum(['sunrise', 'sunset', 'noon']),
    offset_min: z.number().min(-720).max(720).describe('After it, before it where negative; in minutes').optional(),
  },
  time_point: { at: clockTime, weekdays },
  time_span: {
    from: clockTime,
    to: clockTime,
    period_s: period_s.describe('How often it acts from the begin of the span on, in s'),
    weekdays,
  },
  interval: { period_s },
  pwm_method: {
    method_id: uuid.describe('Method of the duty cycle, in %'),
    output: outputRef,
    period_s: z.number().min(1).max(3_600).describe('How often the duty cycle follows the method, in s'),
  },
};

const named = { name, is_activated: z.boolean() };
const acting = {
  missed: z
    .enum(['run', 'skip'])
    .describe(
      'What becomes of what was due while the control service was not running: run acts once, skip only says so',
    ),
  actions: z.array(action).max(20),
};
const stored = <Kind extends keyof typeof kinds>(kind: Kind) =>
  z.strictObject({ unique_id: uuid, ...named, kind: z.literal(kind), ...kinds[kind], ...acting });

export const trigger = z.discriminatedUnion('kind', [
  stored('edge'),
  stored('output'),
  stored('output_pwm'),
  stored('sunrise_sunset'),
  stored('time_point'),
  stored('time_span'),
  stored('interval'),
  stored('pwm_method'),
]);
export type Trigger = z.infer<typeof trigger>;
export type TriggerKind = Trigger['kind'];
export type TriggerOf<Kind extends TriggerKind> = Extract<Trigger, { kind: Kind }>;

const making = <Kind extends keyof typeof kinds>(kind: Kind) =>
  z.strictObject({
    name: named.name,
    is_activated: named.is_activated.describe('true when absent').optional(),
    kind: z.literal(kind),
    ...kinds[kind],
    missed: acting.missed.optional(),
    actions: acting.actions.optional(),
  });

/** A union in which every branch reports unknown fields. */
export const triggerCreate = z.union([
  making('edge'),
  making('output'),
  making('output_pwm'),
  making('sunrise_sunset'),
  making('time_point'),
  making('time_span'),
  making('interval'),
  making('pwm_method'),
]);

const { edge, output, sunrise_sunset, time_point, time_span, pwm_method } = kinds;

/** Fields that are not named stay; fields of other kinds are refused. The kind stays. */
export const triggerPatch = z
  .strictObject({
    unique_id: uuid.describe('Read only, accepted unchanged'),
    ...named,
    measurement: edge.measurement,
    level: edge.level,
    direction: edge.direction,
    hysteresis: edge.hysteresis,
    output: output.output,
    state: output.state,
    for_s: output.for_s,
    event: sunrise_sunset.event,
    offset_min: sunrise_sunset.offset_min,
    at: time_point.at,
    weekdays,
    from: time_span.from,
    to: time_span.to,
    period_s,
    method_id: pwm_method.method_id,
    ...acting,
  })
  .partial();

/** The live state of a trigger. */
export const triggerLive = z.strictObject({
  trigger_id: uuid,
  next_at: timestamp
    .nullable()
    .describe(
      'When it is due next by the clock of the site; null where it goes by no clock, is never due or does not run',
    ),
  last_run: actionRun.nullable().describe('null before it acted since the daemon began'),
  missed: z
    .strictObject({
      noticed_at: timestamp,
      count: countOf('How often it was due'),
      last_at: timestamp.describe('When it was due for the last time'),
      was_run: z.boolean().describe('It acted once for all of them'),
    })
    .nullable()
    .describe('What was due while the control service was not running, as seen last'),
});
export type TriggerLive = z.infer<typeof triggerLive>;

export const triggerEndpoints = {
  ...settingsEndpoints(
    { word: 'trigger', plural: 'triggers', one: 'a trigger' },
    { settings: trigger, create: triggerCreate, patch: triggerPatch },
  ),
  listLive: endpoint({
    method: 'GET',
    path: '/api/triggers',
    tag: 'triggers',
    summary: 'List the triggers as they are now: when they act next, what they did last and what they missed',
    access: 'view_stats',
    answer: z.strictObject({ triggers: z.array(triggerLive) }),
    statuses: [200],
  }),
};

function references(settings: Trigger): ControllerReference[] {
  return [...own(settings), ...actionReferences(settings.actions)];
}

function own(settings: Trigger): ControllerReference[] {
  switch (settings.kind) {
    case 'edge': {
      const { device_id: id, measurement_id } = settings.measurement;
      return [{ path: 'measurement', to: 'measurement', id, measurement_id }];
    }
    case 'output':
    case 'output_pwm':
      return [{ path: 'output', to: 'output', id: settings.output.output_id, channel: settings.output.channel }];
    case 'pwm_method':
      return [
        {
          path: 'output',
          to: 'output',
          id: settings.output.output_id,
          channel: settings.output.channel,
          isDriven: true,
        },
        { path: 'method_id', to: 'controller', id: settings.method_id, kind: 'method' },
      ];
    default:
      return [];
  }
}

function faults(settings: Trigger): ControllerFault[] {
  const names = settings.actions.map(({ name }) => name);
  const double = names.findIndex((name, index) => names.indexOf(name) < index);
  return [
    ...(double === -1 ? [] : [{ path: `actions[${double}].name`, ...why('action_name_taken') }]),
    ...(settings.kind === 'time_span' && settings.from === settings.to ? [{ path: 'to', ...why('same_time') }] : []),
    ...actionFaults(settings.actions),
  ];
}

export const triggerKind = controllerKind({
  type: 'Trigger',
  word: 'trigger',
  plural: 'triggers',
  noun: 'trigger',
  isDevice: false,
  alarmSource: 'controller',
  settings: trigger,
  endpoints: triggerEndpoints,
  stored: {
    defaults: { is_activated: true, missed: 'skip', actions: [] },
    references,
    // Only one that follows a method drives an output step by step; the actions of others come when they are due.
    step_s: (settings) => (settings.kind === 'pwm_method' ? settings.period_s : 0),
    faults,
  },
});
