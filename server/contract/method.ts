import { z } from 'zod';
import { clockTime } from './clock-time.ts';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { epochMs, measured, settable } from './quantity.ts';
import { isoOf, moment, timestamp, type Moment } from './time.ts';
import { why } from './refusal-reason.ts';

export const sunEvents = ['clock', 'sunrise', 'sunset', 'noon'] as const;

const value = settable.describe('Setpoint in the unit of the method');
const shape = z
  .enum(['linear', 'step'])
  .describe('linear: straight from point to point; step: each point holds until the next');
const points = <Point extends z.ZodType>(point: Point, least = 1) => z.array(point).min(least).max(200);

const bezierHandle = z.strictObject({
  minutes: z.number().min(0).max(1440).describe('Between the point and the handle, min'),
  value,
});

const ramp = z.union([
  z.strictObject({ minutes: z.number().min(0).max(720).describe('How long the ramp takes, min') }),
  z.strictObject({ per_h: z.number().min(0.001).max(1e6).describe('How steep it is, unit of the method per hour') }),
]);

const sunPoint = z.strictObject({
  event: z.enum(sunEvents).describe('What the point goes by'),
  at: clockTime.optional().describe('For the event clock alone, HH:MM'),
  offset_min: z
    .number()
    .min(-720)
    .max(720)
    .optional()
    .describe('After the event, before it where negative; 0 if absent'),
  value,
  ramp: ramp.optional().describe('From the value before; at once if absent. It ends with the next point at the latest'),
});
export type SunPoint = z.infer<typeof sunPoint>;

/** The fields of each kind, with moments as they are sent or stored. Points are in order of time. */
const kindsWith = <At extends z.ZodType>(moments: At) => ({
  date: { shape, points: points(z.strictObject({ at: moments, value })) },
  daily: { shape, points: points(z.strictObject({ at: clockTime, value })) },
  sine: { points: z.tuple([z.strictObject({ at: clockTime, value }), z.strictObject({ at: clockTime, value })]) },
  bezier: {
    points: points(
      z.strictObject({ at: clockTime, value, before: bezierHandle.optional(), after: bezierHandle.optional() }),
      2,
    ),
  },
  duration: {
    shape,
    points: points(
      z.strictObject({ after_s: z.number().min(0).max(31_622_400).describe('Since the start, s'), value }),
    ),
    repeat: z
      .int()
      .min(0)
      .max(1_000_000)
      .nullable()
      .describe('How often it begins again after the last point, 0 for not at all, null for ever'),
    starts_at: moments.describe('No setpoint before'),
  },
  cascade: {
    combine: z
      .enum(['sum', 'mean', 'least', 'most', 'percent'])
      .describe('percent: the first, times each of the others in %'),
    points: z
      .array(z.strictObject({ method_id: uuid }))
      .min(1)
      .max(20),
  },
  sun: { points: z.array(sunPoint).min(1).max(24) },
});
const kinds = kindsWith(timestamp);
const sent = kindsWith(moment);

const named = {
  name,
  unit: z.string().trim().min(1).max(16).describe('Of its values, as it is written behind a number'),
};

const stored = <Kind extends keyof typeof kinds>(kind: Kind) =>
  z.strictObject({
    unique_id: uuid,
    ...named,
    is_activated: z.boolean().describe('A method at rest gives no setpoint'),
    kind: z.literal(kind),
    ...kinds[kind],
  });

export const method = z.discriminatedUnion('kind', [
  stored('date'),
  stored('daily'),
  stored('sine'),
  stored('bezier'),
  stored('duration'),
  stored('cascade'),
  stored('sun'),
]);
export type Method = z.infer<typeof method>;
export type MethodKind = Method['kind'];
export type MethodOf<Kind extends MethodKind> = Extract<Method, { kind: Kind }>;

const patched = Object.values(sent);

/** Fields that are not named stay; fields of other kinds are refused. The kind stays, and points are replaced whole. */
export const methodPatch = z
  .strictObject({
    unique_id: uuid.describe('Read only, accepted unchanged'),
    ...named,
    is_activated: z.boolean(),
    shape,
    points: z.union(patched.map((one) => one.points)),
    repeat: sent.duration.repeat,
    starts_at: sent.duration.starts_at,
    combine: sent.cascade.combine,
  })
  .partial();

const making = <Kind extends keyof typeof sent>(kind: Kind) =>
  z.strictObject({
    ...named,
    is_activated: z.boolean().optional().describe('true when absent'),
    kind: z.literal(kind),
    ...sent[kind],
  });

/** A union in which every branch reports unknown fields. */
export const methodCreate = z.union([
  making('date'),
  making('daily'),
  making('sine'),
  making('bezier'),
  making('duration'),
  making('cascade'),
  making('sun'),
]);

/** A setpoint over a span, as columns. */
export const methodPreview = z.strictObject({
  method_id: uuid,
  unit: z.string(),
  times: z.array(epochMs).describe('Epoch ms, ascending, evenly spread over the span'),
  values: z.array(measured('The setpoint').nullable()).describe('As long as times; null where there is none'),
});
export type MethodPreview = z.infer<typeof methodPreview>;

const previewSpan = {
  from: moment.optional().describe('Now when absent'),
  to: moment.optional().describe('A day after from when absent'),
};

const settings = settingsEndpoints(
  { word: 'method', plural: 'methods', one: 'a method' },
  { settings: method, create: methodCreate, patch: methodPatch },
);

export const methodEndpoints = {
  ...settings,
  preview: endpoint({
    method: 'GET',
    path: `${settings.get.path}/preview`,
    tag: 'methods',
    summary: 'Read the setpoint of a method over a span of up to 400 days',
    access: 'view_settings',
    budget: 'calculation',
    params: z.strictObject({ method_id: uuid }),
    query: z.strictObject(previewSpan),
    answer: methodPreview,
    statuses: [200],
    errors: ['not_found'],
  }),
  previewDraft: endpoint({
    method: 'POST',
    path: `${settings.list.path}/preview`,
    tag: 'methods',
    summary: 'Read the setpoint of a method that is not stored, over a span of up to 400 days',
    access: 'edit_controllers',
    budget: 'calculation',
    body: z.strictObject({ method: methodCreate, ...previewSpan }),
    answer: methodPreview.omit({ method_id: true }),
    statuses: [200],
    errors: ['unknown_reference'],
  }),
};

function references(one: Method): ControllerReference[] {
  if (one.kind !== 'cascade') return [];
  return one.points.map(({ method_id: id }, index) => ({
    path: `points[${index}].method_id`,
    to: 'controller',
    id,
    kind: 'method',
  }));
}

/** The faults that a method shows by itself; those that involve other methods and the sun are checked elsewhere. */
function methodFaults(one: Method): ControllerFault[] {
  const times = timesOf(one);
  const at = times.findIndex((time, index) => index > 0 && time <= (times[index - 1] ?? -Infinity));
  if (at !== -1) return [{ path: `points[${at}]`, ...why('point_order') }];
  if (one.kind !== 'sun') return [];
  const wrong = one.points.findIndex((point) => (point.event === 'clock') !== (point.at !== undefined));
  return wrong === -1 ? [] : [{ path: `points[${wrong}].at`, ...why('clock_point') }];
}

/** Moments in their stored form. */
function settled(asked: object): object {
  return Object.fromEntries(
    Object.entries(asked).map(([key, value]: [string, unknown]) => {
      if (key === 'points' && Array.isArray(value)) return [key, value.map(settledPoint)];
      return [key, key === 'starts_at' ? isoOf(value as Moment) : value]; // the schema of the call has checked it
    }),
  );
}

/** A number, or a text with a date, is a moment; a time of day is not. */
function settledPoint(point: unknown): unknown {
  if (typeof point !== 'object' || point === null || !('at' in point)) return point;
  const { at } = point;
  const isMoment = typeof at === 'number' || (typeof at === 'string' && at.includes('T'));
  return isMoment ? { ...point, at: isoOf(at) } : point;
}

function timesOf(one: Method): number[] {
  switch (one.kind) {
    case 'date':
      return one.points.map(({ at }) => Date.parse(at));
    case 'duration':
      return one.points.map(({ after_s }) => after_s);
    case 'daily':
    case 'sine':
    case 'bezier':
      return one.points.map(({ at }) => Number(at.replace(':', '')));
    default:
      return [];
  }
}

export const methodKind = controllerKind({
  type: 'Method',
  word: 'method',
  plural: 'methods',
  noun: 'method',
  isDevice: false,
  alarmSource: 'controller',
  settings: method,
  endpoints: methodEndpoints,
  stored: { defaults: { is_activated: true }, settled, references, faults: methodFaults },
});
